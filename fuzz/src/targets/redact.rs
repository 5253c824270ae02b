//! Any words of a server around a secret of the request, as it is, in JSON and in an address: the secret is taken out, and all that is left
//! can be seen.

use sondage::error::{Heard, Redactor};
use std::fmt::Write as _;
use std::sync::LazyLock;

const SECRET: &str = "p4ss wörd/+&=\"fuzz";

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new([SECRET]));

fn encoded(how: u8) -> String {
    match how % 3 {
        0 => SECRET.to_owned(),
        1 => serde_json::to_string(SECRET).expect("a text is JSON").trim_matches('"').to_owned(),
        _ => SECRET.bytes().fold(String::new(), |mut out, byte| {
            if byte.is_ascii_alphanumeric() {
                out.push(char::from(byte));
            } else {
                write!(out, "%{byte:02X}").expect("a String takes everything");
            }
            out
        }),
    }
}

pub fn run(data: &[u8]) {
    let Some((&how, words)) = data.split_first() else { return };
    let secret = encoded(how);
    let text = String::from_utf8_lossy(words).replace('~', &secret);
    let clean =
        Heard::new(&text).sentence(&REDACTOR).map(|words| words.as_str().to_owned()).unwrap_or_default();
    assert!(!clean.contains(&secret), "{clean}");
    assert!(!clean.chars().any(char::is_control), "{clean:?}");
}
