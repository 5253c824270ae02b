//! The words of others. What a server, a gateway or a token provider says becomes part of an error in one way only:
//! without secrets, without signs that trick a terminal, a log or an eye, and shortened.

use super::redact::Redactor;
use serde::{Deserialize, Deserializer};
use std::fmt;

/// More of a foreign sentence than this helps nobody.
const SENTENCE: usize = 300;
/// Codes and ids are words.
const WORD: usize = 128;
/// How many bytes of what was said are kept.
const KEPT: usize = 16 * 1024;

/// What somebody else has said, as it came: it may be long, repeat secrets and forge lines of a log. It cannot be shown;
/// [`sentence`](Heard::sentence) and [`word`](Heard::word) make of it what can.
#[derive(Clone, PartialEq, Eq)]
pub struct Heard {
    text: String,
    cut: bool,
}

/// Words of somebody else as an error may carry them: without secrets, on one line, shortened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign(String);

impl Heard {
    /// Takes words as they come. Only their beginning is kept.
    pub fn new(text: &str) -> Self {
        let end = (0..=KEPT.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        Self { text: text[..end].to_owned(), cut: end < text.len() }
    }

    /// The beginning of a sentence, without the secrets that the redactor knows. `None` when nothing is said.
    pub fn sentence(&self, redactor: &Redactor) -> Option<Foreign> {
        self.shown(redactor, SENTENCE)
    }

    /// An error code or a request id.
    pub fn word(&self, redactor: &Redactor) -> Option<Foreign> {
        self.shown(redactor, WORD)
    }

    fn shown(&self, redactor: &Redactor, most: usize) -> Option<Foreign> {
        let clean = redactor.clean(&self.text);
        let clean = if self.cut { redactor.cut_off(&clean) } else { clean };
        let text = on_one_line(&clean, most);
        (!text.is_empty()).then_some(Foreign(text))
    }
}

/// A word may be a number or an object: it is a word to us all the same. `null` and an empty text are said as well, and
/// say nothing.
impl<'de> Deserialize<'de> for Heard {
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

impl fmt::Debug for Heard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Heard({} bytes)", self.text.len())
    }
}

impl Foreign {
    /// Words of somebody else, of which nothing may remain that repeats one of the secrets.
    pub fn new<'a>(words: &str, secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let redactor = Redactor::new(secrets);
        Heard::new(words).sentence(&redactor).unwrap_or_else(|| Self(String::new()))
    }

    /// The words.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same words without the secrets that another redactor knows.
    pub(super) fn without(&self, redactor: &Redactor) -> Self {
        Self(redactor.clean(&self.0))
    }
}

impl fmt::Display for Foreign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text on one line: blanks joined, signs that could trick a terminal or an eye escaped, shortened.
fn on_one_line(text: &str, most: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    visible(&words.join(" "), most)
}

/// A text whose every sign can be seen, shortened: control characters, line ends and marks that turn the direction of text
/// are written out.
pub(super) fn visible(text: &str, most: usize) -> String {
    let mut out = String::with_capacity(text.len().min(most * 4));
    for (number, c) in text.chars().enumerate() {
        if number == most {
            out.push('…');
            break;
        }
        match c {
            c if c.is_control() => out.extend(c.escape_default()),
            // Line ends that are no control characters, marks that turn the direction of text, and invisible ones.
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
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> String {
        Heard::new(text).sentence(&Redactor::new(["marker/1"])).map_or(String::new(), |said| said.0)
    }

    #[test]
    fn nothing_that_tricks_remains() {
        assert_eq!(told("Bad\u{1b}[31m Gateway\r\n\r\n"), "Bad\\u{1b}[31m Gateway");
        assert_eq!(told("no\n2026-11-22 ERROR forged"), "no 2026-11-22 ERROR forged");
        assert_eq!(told("\u{202e}marker/1\u{2028}x"), "\\u{202e}*** x");
        assert_eq!(visible("a\u{2028}b\tc\u{e0041}", 100), "a\\u{2028}b\\tc\\u{e0041}");
        assert_eq!(told(" \n "), "");
        assert_eq!(Foreign::new("you sent marker/1", ["marker/1"]).as_str(), "you sent ***");
        assert_eq!(format!("{:?}", Heard::new("marker")), "Heard(6 bytes)");
    }

    /// Neither what is kept of a long text nor what is shown of it ends in the first part of a secret.
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
