//! JSON text from outside, as every reader here can read it: without a byte order mark, and without halves of surrogate
//! pairs.
//!
//! .NET writes a text that was cut within a character, such as an emoji, with an escape for half of it, `\ud83d`. That is
//! valid JSON, but no character, so parsers refuse the whole text. Each half becomes U+FFFD, the replacement character.

use bytes::Bytes;
use memchr::memchr;
use std::borrow::Cow;

/// The escape of the replacement character. It is as long as the escape of a half, so places in the text stay the same.
const REPLACEMENT: &[u8] = b"\\ufffd";

/// A JSON text that has been made readable.
#[derive(Debug)]
pub struct Readable<'a> {
    /// The text, which may still not be JSON or UTF-8.
    pub text: Cow<'a, [u8]>,
    /// Where in it halves of surrogate pairs were replaced.
    pub replaced: Vec<usize>,
}

impl<'a> Readable<'a> {
    /// Makes a text readable; it is copied only if it has halves.
    pub fn of(json: &'a [u8]) -> Self {
        let json = json.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(json);
        let replaced = halves(json);
        let mut text = Cow::Borrowed(json);
        for at in &replaced {
            text.to_mut()[*at..*at + REPLACEMENT.len()].copy_from_slice(REPLACEMENT);
        }
        Self { text, replaced }
    }

    /// The same for a body.
    pub fn body(json: &Bytes) -> (Bytes, Vec<usize>) {
        let Readable { text, replaced } = Readable::of(json);
        let text = match text {
            Cow::Borrowed(same) => json.slice_ref(same),
            Cow::Owned(text) => text.into(),
        };
        (text, replaced)
    }
}

/// The places of escapes for one half of a surrogate pair without the other. Backslashes occur only in strings.
pub fn halves(json: &[u8]) -> Vec<usize> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some(next) = json.get(at..).and_then(|rest| memchr(b'\\', rest)) {
        let escape = at + next;
        at = match unit(json, escape) {
            None => escape + 2,
            Some(0xD800..=0xDBFF) if matches!(unit(json, escape + 6), Some(0xDC00..=0xDFFF)) => escape + 12,
            Some(0xD800..=0xDFFF) => {
                found.push(escape);
                escape + 6
            }
            Some(_) => escape + 6,
        };
    }
    found
}

/// The code unit that is escaped at a place, if one is.
fn unit(json: &[u8], at: usize) -> Option<u32> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0, |sum, digit| Some(sum * 16 + char::from(*digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_are_replaced() {
        for (json, readable) in [
            (r#""\ud83d\ude00 \\ud83d \u00fc""#, r#""\ud83d\ude00 \\ud83d \u00fc""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00x""#, r#""\ufffdx""#),
            (r#""\ude00\ud83d""#, r#""\ufffd\ufffd""#),
            (r#""\ud83d\ud83d\ude00""#, r#""\ufffd\ud83d\ude00""#),
            (r#""\ud83d\n\ude00""#, r#""\ufffd\n\ufffd""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#"{"\ud83d":"a\ud83d"}"#, r#"{"\ufffd":"a\ufffd"}"#),
            ("\u{feff}{}", "{}"),
            (r#""\ud83"#, r#""\ud83"#),
            ("\"\\", "\"\\"),
        ] {
            let read = Readable::of(json.as_bytes());
            assert_eq!(std::str::from_utf8(&read.text), Ok(readable), "{json}");
            let count = readable.matches("\\ufffd").count();
            assert_eq!((read.replaced.len(), matches!(read.text, Cow::Owned(_))), (count, count > 0));
            if readable.ends_with(['"', '}']) {
                assert!(serde_json::from_str::<serde_json::Value>(readable).is_ok(), "{readable}");
            }
        }
    }

    /// Every text of escapes, compared with the lossy conversion of the standard library.
    #[test]
    fn it_means_the_same_as_a_lossy_conversion_of_utf_16() {
        let units = [0xD83D_u16, 0xDE00, 0x41, 0x5C];
        for number in 0..units.len().pow(5) {
            let units: Vec<u16> =
                (0..5).map(|digit| units[number / units.len().pow(digit) % units.len()]).collect();
            let escape = |unit: &u16| match unit {
                0x5C => "\\\\".to_owned(),
                0x41 => "A".to_owned(),
                unit => format!("\\u{unit:04x}"),
            };
            let json = format!("\"{}\"", units.iter().map(escape).collect::<String>());
            let read: String = serde_json::from_slice(&Readable::of(json.as_bytes()).text).expect("JSON");
            assert_eq!(read, String::from_utf16_lossy(&units), "{json}");
        }
    }
}
