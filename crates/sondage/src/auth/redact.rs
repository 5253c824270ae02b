//! Takes secrets out of what a server says.
//!
//! A server may repeat what it was sent, as it was or encoded. What it says is shown to people, so every form of every
//! secret of the request is looked for in it first.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::fmt::Write;
use url::form_urlencoded::byte_serialize;

/// A form shorter than this is found in innocent text by accident.
const SHORTEST: usize = 4;

/// The secrets of one request.
#[derive(Default)]
pub(super) struct Redactor {
    forms: Vec<String>,
    short: Vec<String>,
}

impl Redactor {
    pub(super) fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut redactor = Self::default();
        for secret in secrets.into_iter().filter(|secret| !secret.is_empty()) {
            if secret.len() < SHORTEST {
                redactor.short.push(secret.to_owned());
            }
            redactor.forms.extend(forms(secret).into_iter().filter(|form| form.len() >= SHORTEST));
        }
        redactor.forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        redactor.forms.dedup();
        redactor
    }

    /// The text without the secrets.
    pub(super) fn clean(&self, text: &str) -> String {
        if self.short.iter().any(|secret| text.contains(secret)) {
            return "(left out, because it may repeat a secret)".to_owned();
        }
        self.forms.iter().fold(text.to_owned(), |text, form| {
            if text.contains(form.as_str()) { text.replace(form, "***") } else { text }
        })
    }
}

fn forms(secret: &str) -> Vec<String> {
    let bytes = secret.as_bytes();
    let hex = |bytes: &[u8]| {
        bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
    };
    let percent: String = bytes.iter().fold(String::new(), |mut text, &byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            let _ = write!(text, "%{byte:02X}");
        }
        text
    });
    let form: String = byte_serialize(bytes).collect();
    let json = serde_json::to_string(secret).unwrap_or_default();
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let mut forms = vec![
        secret.to_owned(),
        secret.trim().to_owned(),
        json.trim_matches('"').to_owned(),
        html,
        small_hex(&percent),
        small_hex(&form),
        percent,
        form,
        hex(bytes).to_uppercase(),
        hex(bytes),
        secret.escape_debug().to_string(),
        secret.escape_default().to_string(),
    ];
    for before in 0..3 {
        forms.push(inside_base64(&STANDARD_NO_PAD, before, bytes));
        forms.push(inside_base64(&URL_SAFE_NO_PAD, before, bytes));
    }
    forms
}

/// What stands in the base64 of any text that holds the bytes after a number of others: the characters that depend on
/// nothing else.
fn inside_base64(engine: &impl Engine, before: usize, bytes: &[u8]) -> String {
    let mut whole = vec![0; before];
    whole.extend(bytes);
    let text = engine.encode(&whole);
    let (start, end) = ((before * 8).div_ceil(6), whole.len() * 8 / 6);
    text.get(start..end).unwrap_or_default().to_owned()
}

/// `%2F` as `%2f`.
fn small_hex(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        out.push('%');
        out.push_str(&code.to_ascii_lowercase());
        out.push_str(rest);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_found() {
        let secret = "Mark/er+Ü \"7\"&=";
        let redactor = Redactor::new([secret]);
        let texts = [
            secret.to_owned(),
            byte_serialize(secret.as_bytes()).collect(),
            url::Url::parse_with_params("http://x/", [("a", secret)]).unwrap().to_string(),
            serde_json::to_string(secret).unwrap(),
            STANDARD_NO_PAD.encode(secret),
            STANDARD_NO_PAD.encode(format!("client:{secret}!")),
            URL_SAFE_NO_PAD.encode(format!("my-client:{secret}")),
            URL_SAFE_NO_PAD.encode(format!("m-client:{secret}...")),
        ];
        for text in texts {
            let clean = redactor.clean(&format!("you sent {text}, which is wrong"));
            assert!(clean.contains("***"), "{text} -> {clean}");
        }
        assert_eq!(redactor.clean("nothing here"), "nothing here");
    }

    #[test]
    fn a_short_secret_hides_the_whole_text() {
        assert!(!Redactor::new(["abc"]).clean("wrong: abc").contains("abc"));
        assert_eq!(Redactor::new([""]).clean("wrong"), "wrong");
    }
}
