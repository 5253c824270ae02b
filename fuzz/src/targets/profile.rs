//! Any text as a profile file: errors show no value, which may be a secret. Names are shown only if they look like names,
//! which this secret does not.

use sondage::config::fuzzed;

const SECRET: &str = "Q9/fuzz+secret=Q9";

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(said) = fuzzed(&text.replace('~', SECRET)) {
        assert!(!said.contains(SECRET), "{said}");
    }
}
