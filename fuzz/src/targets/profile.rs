//! Any text as a profile file: what is said of it shows none of its values, which may be secrets.

use sondage::config::fuzzed;

const SECRET: &str = "Q9-fuzz-secret-Q9";

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let text = text.replace('~', SECRET);
    if let Some(said) = fuzzed(&text) {
        // A name of a section or of a setting is shown, where it looks like one.
        let is_name = text.contains(&format!("{SECRET} =")) || text.contains(&format!("{SECRET}="));
        let is_section = text.contains(&format!("[{SECRET}")) || text.contains(&format!("{SECRET}]"));
        assert!(is_name || is_section || text.contains('.') || !said.contains(SECRET), "{said}");
    }
}
