//! What a token endpoint says when it says no. Its format is not published, so each likely one is read: the JSON of
//! RFC 6749, the API's envelope, plain text, HTML.

use super::redact::Redactor;
use crate::model::FieldValue;
use serde::Deserialize;

/// More than this of a server's words helps nobody.
const LONGEST: usize = 300;

/// A server's words, without secrets, on one line, shortened.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Said {
    /// The word for what is wrong, for example `invalid_grant`.
    pub code: Option<String>,
    /// What is wrong, as a sentence.
    pub text: Option<String>,
}

#[derive(Deserialize)]
struct Body {
    error: Option<FieldValue>,
    error_description: Option<FieldValue>,
    #[serde(rename = "errorCode")]
    error_code: Option<FieldValue>,
    #[serde(rename = "errorMessage")]
    error_message: Option<FieldValue>,
    message: Option<FieldValue>,
    title: Option<FieldValue>,
}

impl Said {
    /// Reads the body of an answer.
    pub(super) fn read(body: &[u8], redactor: &Redactor) -> Self {
        let show = |text: String| Some(plain(&redactor.clean(&text))).filter(|text| !text.is_empty());
        if let Ok(body) = serde_json::from_slice::<Body>(body) {
            let first = |values: [Option<FieldValue>; 2]| values.into_iter().flatten().find_map(word);
            return Self {
                code: first([body.error, body.error_code]).and_then(show),
                text: first([body.error_description, body.error_message])
                    .or_else(|| first([body.message, body.title]))
                    .and_then(show),
            };
        }
        let text = String::from_utf8_lossy(body);
        Self { code: None, text: show(title(&text).unwrap_or(&text).to_owned()) }
    }

    /// Whether the code is one of these.
    pub(super) fn is(&self, codes: &[&str]) -> bool {
        self.code.as_deref().is_some_and(|code| codes.iter().any(|known| code.eq_ignore_ascii_case(known)))
    }

    /// Whether any of these words occurs, apart from a name that may look like one.
    pub(super) fn mentions(&self, words: &[&str], name: &str) -> bool {
        let all = format!("{} {}", self.code.as_deref().unwrap_or(""), self.text.as_deref().unwrap_or(""));
        let all = all.replace(name, "").to_lowercase().replace(['_', '-'], " ");
        words.iter().any(|word| all.contains(word))
    }

    /// The words in brackets to put behind a sentence; nothing when there are none.
    pub(super) fn quoted(&self) -> String {
        match (&self.code, &self.text) {
            (None, None) => String::new(),
            (Some(code), Some(text)) if code != text => format!(" (the server says `{code}`: {text})"),
            (Some(word), _) | (None, Some(word)) => format!(" (the server says: {word})"),
        }
    }
}

fn word(value: FieldValue) -> Option<String> {
    match value {
        FieldValue::Null => None,
        FieldValue::Text(text) => (!text.trim().is_empty()).then_some(text),
        FieldValue::Bool(value) => Some(value.to_string()),
        FieldValue::Int(value) => Some(value.to_string()),
        FieldValue::Float(value) => Some(value.to_string()),
        FieldValue::Json(value) => Some(value.as_str().to_owned()),
    }
}

/// What kind of thing an answer is that should have been a token. Its text may be a token in the wrong shape: it is not
/// shown, only the title of a page is.
pub(super) fn kind(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    match title(&text) {
        Some("an HTML page") => "an HTML page".to_owned(),
        Some(title) => format!("an HTML page (`{}`)", plain(title)),
        None if body.is_empty() => "nothing".to_owned(),
        None if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok() => {
            "JSON of another shape".to_owned()
        }
        None => "text that is not JSON".to_owned(),
    }
}

/// The title of an HTML page: the rest of it is for browsers.
fn title(text: &str) -> Option<&str> {
    let small = text.to_ascii_lowercase();
    if !small.contains("<html") && !small.contains("<!doctype") {
        return None;
    }
    let start = small.find("<title>").map(|at| at + "<title>".len());
    let found = start.and_then(|start| Some(&text[start..start + small[start..].find("</title>")?]));
    Some(found.filter(|title| !title.trim().is_empty()).unwrap_or("an HTML page"))
}

/// A foreign text on one line: blanks joined, signs that could trick a terminal or an eye escaped, shortened.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut length = 0;
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for c in word.chars() {
            length += 1;
            if length > LONGEST {
                out.push('…');
                return out;
            }
            match c {
                // Marks that turn the direction of text, and invisible ones.
                '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' => {
                    out.extend(c.escape_unicode());
                }
                c if c.is_control() => out.extend(c.escape_default()),
                c => out.push(c),
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> (Option<String>, Option<String>) {
        let said = Said::read(body.as_bytes(), &Redactor::new(["marker"]));
        (said.code, said.text)
    }

    #[test]
    fn each_format_is_read() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            read(r#"{"error":"invalid_grant","error_description":"no\nway","error_uri":1}"#),
            (some("invalid_grant"), some("no way"))
        );
        assert_eq!(
            read(r#"{"isSuccess":false,"errorCode":17,"errorMessage":"nope"}"#),
            (some("17"), some("nope"))
        );
        assert_eq!(read(r#"{"error":{"code":5}}"#), (some(r#"{"code":5}"#), None));
        assert_eq!(read("Bad\u{1b}[31m Gateway\r\n\r\n"), (None, some("Bad\\u{1b}[31m Gateway")));
        assert_eq!(read("<!DOCTYPE html><html><TITLE>502 Oops</TITLE>"), (None, some("502 Oops")));
        assert_eq!(read("<html><body>x"), (None, some("an HTML page")));
        assert_eq!(read(""), (None, None));
        assert_eq!(read("\u{202e}marker"), (None, some("\\u{202e}***")));
        assert!(read(&"x".repeat(100_000)).1.unwrap().chars().count() <= LONGEST + 1);
        assert_eq!(Said::read(b"\xff\xfe", &Redactor::default()).text, some("\u{fffd}\u{fffd}"));
    }
}
