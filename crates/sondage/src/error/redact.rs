//! Takes secrets out of what a server says.
//!
//! A server may repeat what it was sent, as it was or encoded. What it says is shown to people, so every form of every
//! secret of the request is looked for in it first.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::fmt::Write;
use url::form_urlencoded::byte_serialize;
use zeroize::Zeroize;

/// A form shorter than this is found in innocent text by accident.
const SHORTEST: usize = 4;

/// The secrets of one request.
#[derive(Default)]
pub struct Redactor {
    forms: Vec<String>,
    short: Vec<String>,
}

impl Redactor {
    /// Knows these secrets.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut redactor = Self::default();
        for secret in secrets.into_iter().filter(|secret| !secret.is_empty()) {
            if secret.len() < SHORTEST {
                redactor.short.push(secret.to_owned());
            }
            let parts = parts(secret);
            let all = std::iter::once(secret).chain(parts.iter().map(String::as_str)).flat_map(forms);
            redactor.forms.extend(all.filter(|form| form.len() >= SHORTEST));
        }
        redactor.forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        redactor.forms.dedup();
        redactor
    }

    /// The text without the secrets.
    pub fn clean(&self, text: &str) -> String {
        // Parts of other words repeat a short secret by accident, and a word of its own may: then nothing is shown.
        if self.short.iter().any(|secret| is_word_of(text, secret)) {
            return "(left out, because it may repeat a secret)".to_owned();
        }
        let clean = self.forms.iter().fold(text.to_owned(), |text, form| {
            if text.contains(form.as_str()) { text.replace(form, "***") } else { text }
        });
        match clean.strip_suffix('…') {
            Some(start) => self.cut_off(start) + "…",
            None => clean,
        }
    }

    /// A text that was cut, without what may be the first part of a secret at its end.
    pub(super) fn cut_off(&self, text: &str) -> String {
        let part_of = |form: &String| {
            let mut ends = (1..form.len()).rev().filter(|at| form.is_char_boundary(*at));
            ends.find(|at| text.ends_with(&form[..*at]))
        };
        let longest = self.forms.iter().chain(&self.short).filter_map(part_of).max();
        text[..text.len() - longest.unwrap_or(0)].to_owned()
    }
}

/// Each form is as good as the secret.
impl Drop for Redactor {
    fn drop(&mut self) {
        self.forms.zeroize();
        self.short.zeroize();
    }
}

/// Whether a short text stands in another one, and is no part of a longer word.
fn is_word_of(text: &str, short: &str) -> bool {
    text.match_indices(short).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + short.len()..].chars().next();
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

/// What is a secret of its own inside of a secret: an address may end in one, and credentials stand behind the word for what
/// they are.
fn parts(secret: &str) -> Vec<String> {
    if let Some((_, credentials)) =
        secret.split_once(' ').filter(|(word, _)| word.chars().all(char::is_alphabetic))
    {
        let decoded = STANDARD.decode(credentials).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let password = decoded.as_deref().and_then(|pair| pair.split_once(':')).map(|(_, it)| it.to_owned());
        return [Some(credentials.to_owned()), decoded, password].into_iter().flatten().collect();
    }
    let Some(url) = secret.contains("://").then(|| url::Url::parse(secret).ok()).flatten() else {
        return Vec::new();
    };
    // Names of folders are shorter than any secret that could be guessed less quickly.
    let segments = url.path_segments().into_iter().flatten().map(str::to_owned);
    let values = url.query_pairs().map(|(_, value)| value.into_owned());
    segments.chain(values).filter(|part| part.len() >= 16).collect()
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
    let inside_json = |text: &str| {
        let quoted = serde_json::to_string(text).unwrap_or_default();
        quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
    };
    let json = inside_json(secret);
    let html = secret.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let mut forms = vec![
        secret.to_owned(),
        secret.trim().to_owned(),
        // What was sent as JSON, repeated in a text of JSON.
        inside_json(&json),
        json,
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
    fn secrets_inside_of_a_secret_are_found() {
        let key = "0123456789abcdef0123456789abcdef";
        let address = format!("https://app.example/hooks/{key}?sig={key}x&a=1");
        let basic = format!("Basic {}", STANDARD.encode("user:pass:word"));
        let redactor = Redactor::new([address.as_str(), &basic]);
        for text in [format!("/hooks/{key}"), format!("{key}x"), "pass:word".into(), basic[6..].to_owned()] {
            let clean = redactor.clean(&text);
            assert!(clean.trim_start_matches("/hooks/").starts_with("***"), "{text} -> {clean}");
        }
        assert_eq!(redactor.clean("the app hooks"), "the app hooks");
    }

    #[test]
    fn a_short_secret_hides_the_whole_text() {
        for text in ["wrong: abc", "abc", "secret=abc&x=1", "\"abc\""] {
            assert!(!Redactor::new(["abc"]).clean(text).contains("abc"));
        }
        assert_eq!(Redactor::new(["x", "e"]).clean("the text is 4 times"), "the text is 4 times");
        assert_eq!(Redactor::new([""]).clean("wrong"), "wrong");
    }
}
