//! Any server message around a secret of the request, each character of which is encoded in any way, up to three nested encodings:
//! the secret is removed, and the rest consists of visible characters.

use sondage::error::{Untrusted, Redactor};
use std::fmt::Write as _;
use std::sync::LazyLock;

const SECRET: &str = "p4ss wörd/+&=\"fuzz";
/// The part of the secret that every encoding changes.
const PART: &str = "4ss w";

static REDACTOR: LazyLock<Redactor> = LazyLock::new(|| Redactor::new([SECRET]));

/// The text, with each character encoded as the next input bytes say.
fn encoded(text: &str, ways: &mut impl Iterator<Item = u8>) -> String {
    let mut out = String::new();
    for sign in text.chars() {
        let code = u32::from(sign);
        match ways.next().unwrap_or(0) % 8 {
            1 => sign.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| put(&mut out, &format!("%{byte:02X}"))),
            2 => sign.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| put(&mut out, &format!("%{byte:02x}"))),
            3 => sign.encode_utf16(&mut [0; 2]).iter().for_each(|half| put(&mut out, &format!("\\u{half:04x}"))),
            4 => put(&mut out, &format!("&#{code};")),
            5 => put(&mut out, &format!("&#x{code:x};")),
            6 if sign == ' ' => out.push('+'),
            7 if "\"/\\".contains(sign) => out.extend(['\\', sign]),
            _ => out.push(sign),
        }
    }
    out
}

fn put(out: &mut String, text: &str) {
    out.write_str(text).expect("a String takes everything");
}

pub fn run(data: &[u8]) {
    let Some((&how, data)) = data.split_first() else { return };
    // The encodings of the secret follow the message.
    let (words, ways) = data.iter().position(|byte| *byte == 0).map_or((data, &[][..]), |end| data.split_at(end));
    let mut ways = ways.iter().copied();
    let secret = (0..how % 4).fold(SECRET.to_owned(), |text, _| encoded(&text, &mut ways));
    let text = String::from_utf8_lossy(words).replace('~', &secret);
    let clean =
        Untrusted::new(&text).sentence(&REDACTOR).map(|words| words.as_str().to_owned()).unwrap_or_default();
    assert!(!clean.contains(&secret), "{clean}");
    assert!(!clean.contains(PART) || words_have(words, PART), "{clean}");
    assert!(!clean.chars().any(char::is_control), "{clean:?}");
}

/// Whether the text could occur in an output that does not contain the secret.
fn words_have(words: &[u8], part: &str) -> bool {
    String::from_utf8_lossy(words).split_whitespace().collect::<Vec<_>>().join(" ").contains(part)
}
