//! The error body of a token endpoint. Its format is not published, so each likely one is read: the JSON of
//! RFC 6749, the API's envelope, plain text, HTML.

use crate::error::{Redacted, Redactor, Text, Untrusted};
use crate::text;
use serde::Deserialize;

/// A server's message: redacted, on one line, truncated.
#[derive(Debug, Default, PartialEq)]
pub(super) struct OAuthErrorBody {
    /// The error code, for example `invalid_grant`.
    pub code: Option<Redacted>,
    /// The error message, as a sentence.
    pub text: Option<Redacted>,
}

#[derive(Deserialize)]
struct ErrorFields {
    error: Option<Untrusted>,
    error_description: Option<Untrusted>,
    #[serde(rename = "errorCode")]
    error_code: Option<Untrusted>,
    #[serde(rename = "errorMessage")]
    error_message: Option<Untrusted>,
    message: Option<Untrusted>,
    title: Option<Untrusted>,
}

impl OAuthErrorBody {
    /// Reads the body of an error response.
    pub(super) fn read(body: &[u8], redactor: &Redactor) -> Self {
        let text = String::from_utf8_lossy(body);
        if let Ok(body) = serde_json::from_str::<ErrorFields>(&text) {
            let first = |heard: &[Option<Untrusted>]| {
                heard.iter().flatten().find_map(|heard| heard.sentence(redactor))
            };
            return Self {
                code: first(&[body.error, body.error_code]),
                text: first(&[body.error_description, body.error_message, body.message, body.title]),
            };
        }
        Self { code: None, text: Untrusted::new(title(&text).unwrap_or(&text)).sentence(redactor) }
    }

    /// Whether the code is one of these.
    pub(super) fn is(&self, codes: &[&str]) -> bool {
        let is = |code: &Redacted| codes.iter().any(|known| code.as_str().eq_ignore_ascii_case(known));
        self.code.as_ref().is_some_and(is)
    }

    /// Whether any of these words occurs, ignoring a name that may look like one.
    pub(super) fn mentions(&self, words: &[&str], name: &str) -> bool {
        let [code, text] = [&self.code, &self.text].map(|said| said.as_ref().map_or("", Redacted::as_str));
        let all = format!("{code} {text}");
        let all = all.replace(name, "").to_lowercase().replace(['_', '-'], " ");
        words.iter().any(|word| all.contains(word))
    }

    /// The code and message in brackets, to append to a sentence; empty when there are none.
    pub(super) fn quoted(&self) -> Text {
        match (&self.code, &self.text) {
            (None, None) => Text::default(),
            (Some(code), Some(text)) if code != text => text!(" (the server says `{code}`: {text})"),
            (Some(word), _) | (None, Some(word)) => text!(" (the server says: {word})"),
        }
    }
}

/// Describes a response in which a token was expected. Its text may be a token in the wrong format, so it is not shown;
/// only the title of an HTML page is.
pub(super) fn kind(body: &[u8], redactor: &Redactor) -> Text {
    let text = String::from_utf8_lossy(body);
    match title(&text) {
        Some("an HTML page") => "an HTML page".into(),
        Some(title) => Untrusted::new(title)
            .sentence(redactor)
            .map_or_else(|| "an HTML page".into(), |title| text!("an HTML page (`{title}`)")),
        None if body.is_empty() => "nothing".into(),
        None if serde_json::from_slice::<serde::de::IgnoredAny>(body).is_ok() => {
            "JSON of another shape".into()
        }
        None => "text that is not JSON".into(),
    }
}

/// The title of an HTML page; the rest of the page is meant for browsers.
fn title(text: &str) -> Option<&str> {
    let small = text.to_ascii_lowercase();
    if !small.contains("<html") && !small.contains("<!doctype") {
        return None;
    }
    let start = small.find("<title>").map(|at| at + "<title>".len());
    let page_title = start.and_then(|start| Some(&text[start..start + small[start..].find("</title>")?]));
    Some(page_title.filter(|title| !title.trim().is_empty()).unwrap_or("an HTML page"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(body: &str) -> (Option<String>, Option<String>) {
        let oauth_error = OAuthErrorBody::read(body.as_bytes(), &Redactor::new(["marker"]));
        let text = |oauth_error: Option<Redacted>| oauth_error.map(|oauth_error| oauth_error.to_string());
        (text(oauth_error.code), text(oauth_error.text))
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
        let garbled = OAuthErrorBody::read(b"\xff\xfe", &Redactor::default()).text.unwrap();
        assert_eq!(garbled.as_str(), "\u{fffd}\u{fffd}");
    }

    /// A page with status 200 is shown without the secrets it echoes: its title is as untrusted as any other
    /// text of the server.
    #[test]
    fn the_title_of_a_page_is_without_secrets() {
        let page = b"<html><title>you sent client_secret=marker\x1b[2J</title>";
        let description = kind(page, &Redactor::new(["marker"]));
        assert_eq!(description.as_str(), "an HTML page (`you sent client_secret=***\\u{1b}[2J`)");
    }
}
