//! Untrusted text. A message from a server, a gateway or a token provider may become part of an error only through this
//! module: redacted, stripped of characters that could deceive a terminal, a log or a reader, and truncated.

use super::redact::Redactor;
use serde::{Deserialize, Deserializer};
use std::fmt;

/// A longer message does not help.
const SENTENCE: usize = 300;
/// Codes and ids are words.
const WORD: usize = 128;
/// How many bytes of a message are kept.
const KEPT: usize = 16 * 1024;

/// A message as it was received: it may be long, echo secrets and forge log lines. It cannot be displayed;
/// [`sentence`](Untrusted::sentence) and [`word`](Untrusted::word) make displayable text of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Untrusted {
    text: String,
    cut: bool,
}

/// Untrusted text in the form in which an error may carry it: redacted, on one line, truncated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redacted(String);

impl Untrusted {
    /// Keeps the beginning of a message.
    pub fn new(text: &str) -> Self {
        let end = (0..=KEPT.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        Self { text: text[..end].to_owned(), cut: end < text.len() }
    }

    /// The beginning of the message as a sentence, redacted. `None` when it is empty.
    pub fn sentence(&self, redactor: &Redactor) -> Option<Redacted> {
        self.shown(redactor, SENTENCE)
    }

    /// The message as an error code or a request id.
    pub fn word(&self, redactor: &Redactor) -> Option<Redacted> {
        self.shown(redactor, WORD)
    }

    fn shown(&self, redactor: &Redactor, most: usize) -> Option<Redacted> {
        let clean = redactor.clean(&self.text);
        let clean = if self.cut { redactor.cut_off(&clean) } else { clean };
        let text = on_one_line(&clean, most);
        (!text.is_empty()).then_some(Redacted(text))
    }
}

/// A code may be sent as a number or an object; it is kept as text. `null` and empty text count as no code.
impl<'de> Deserialize<'de> for Untrusted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use crate::model::FieldValue;
        Ok(match FieldValue::deserialize(deserializer)? {
            FieldValue::Null => Self::new(""),
            FieldValue::Text(text) => Self::new(&text),
            FieldValue::Bool(value) => Self::new(&value.to_string()),
            FieldValue::Int(value) => Self::new(&value.to_string()),
            FieldValue::Float(value) => Self::new(&value.to_string()),
            FieldValue::Json(value) => Self::new(value.as_str()),
        })
    }
}

impl fmt::Debug for Untrusted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Untrusted({} bytes)", self.text.len())
    }
}

impl Redacted {
    /// Untrusted text after redaction: it contains none of the secrets.
    pub fn new<'a>(words: &str, secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let redactor = Redactor::new(secrets);
        Untrusted::new(words).sentence(&redactor).unwrap_or_else(|| Self(String::new()))
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same text, redacted once more by another redactor.
    pub(super) fn without(&self, redactor: &Redactor) -> Self {
        Self(redactor.clean(&self.0))
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Text on one line: whitespace is collapsed, characters that could deceive a terminal or a reader are escaped, and the
/// text is truncated.
fn on_one_line(text: &str, most: usize) -> String {
    let parts: Vec<&str> = text.split_whitespace().collect();
    visible(&parts.join(" "), most)
}

/// Text in which every character is visible, truncated: control characters, line breaks and marks that change the
/// direction of text are escaped.
pub(super) fn visible(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most * 4));
    let mut before = ' ';
    for (number, c) in text.chars().enumerate() {
        if number == most {
            out.push('…');
            break;
        }
        match c {
            c if c.is_control() => out.extend(c.escape_default()),
            // Persian words and composed emoji need joiners.
            '\u{200c}' | '\u{200d}' if !before.is_ascii() => out.push(c),
            // Line breaks that are not control characters, marks that change the direction of text, and invisible
            // characters.
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}' => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        Untrusted::new(text).sentence(&Redactor::new(["marker/1"])).map_or(String::new(), |said| said.0)
    }

    #[test]
    fn nothing_that_tricks_remains() {
        assert_eq!(told("Bad\u{1b}[31m Gateway\r\n\r\n"), "Bad\\u{1b}[31m Gateway");
        assert_eq!(told("no\n2026-11-22 ERROR forged"), "no 2026-11-22 ERROR forged");
        assert_eq!(told("\u{202e}marker/1\u{2028}x"), "\\u{202e}*** x");
        assert_eq!(visible("a\u{2028}b\tc\u{e0041}", 100), "a\\u{2028}b\\tc\\u{e0041}");
        assert_eq!(
            visible("a\u{200d}b می\u{200c}خواهم 👩\u{200d}👧", 100),
            "a\\u{200d}b می\u{200c}خواهم 👩\u{200d}👧"
        );
        assert_eq!(told(" \n "), "");
        assert_eq!(Redacted::new("you sent marker/1", ["marker/1"]).as_str(), "you sent ***");
        assert_eq!(format!("{:?}", Untrusted::new("marker")), "Untrusted(6 bytes)");
    }

    /// Neither the part of a long text that is kept nor the part that is shown may end in the beginning of a secret.
    #[test]
    fn a_secret_does_not_hide_behind_the_end() {
        let long = "x".repeat(50_000_000);
        assert!(told(&long).chars().count() <= SENTENCE + 1);
        for before in KEPT - 7..=KEPT {
            let text = format!("{}marker/1 and more", " ".repeat(before));
            assert!(!told(&text).contains("mark"), "{before}: {}", told(&text));
        }
        for before in SENTENCE - 9..=SENTENCE {
            assert!(!told(&format!("{}marker/1 and more", "x".repeat(before))).contains("mark"));
        }
    }
}
