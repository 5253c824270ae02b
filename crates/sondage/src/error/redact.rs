//! Removes secrets from what a server says.
//!
//! A server may echo what it was sent, literally or encoded. Its messages are shown to people, so they are first searched
//! for every secret of the request, in every reading of the text.

use super::readings::Readings;
use crate::hex::hex;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write;
use url::form_urlencoded::byte_serialize;
use zeroize::Zeroize;

/// A shorter form would be found in innocent text by chance.
const SHORTEST: usize = 4;

/// A shorter personal value is not identifying: `no`, a two-digit number.
const SHORTEST_PERSONAL: usize = 3;
/// A number with fewer digits is a year, a count or an id.
const SHORTEST_NUMBER: usize = 5;

/// The secrets of one request.
#[derive(Default)]
pub struct Redactor {
    /// Sorted, so that forms with the same first byte are adjacent.
    forms: Vec<SearchedForm>,
    personal: Option<Personal>,
}

/// Calls back with each personal value of the request: there may be a million, few of which occur in a message.
type Personal = Box<dyn Fn(&mut dyn FnMut(&str)) + Send + Sync>;

/// One form of a secret to search for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct SearchedForm {
    bytes: Vec<u8>,
    personal: bool,
}

impl SearchedForm {
    fn new(text: String, personal: bool) -> Self {
        let mut bytes = text.into_bytes();
        for byte in &mut bytes {
            *byte = alike(*byte);
        }
        Self { bytes, personal }
    }
}

impl Redactor {
    /// A redactor of these secrets.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut secret_texts = Vec::new();
        for secret in secrets.into_iter().filter(|secret| !secret.is_empty()) {
            let parts = parts(secret);
            let parts = parts.iter().map(String::as_str).filter(|part| part.len() >= SHORTEST);
            secret_texts.push(secret.to_owned());
            secret_texts.extend([secret, secret.trim()].into_iter().chain(parts).flat_map(forms));
        }
        Self {
            forms: in_order(secret_texts.into_iter().map(|form| SearchedForm::new(form, false))),
            personal: None,
        }
    }

    /// Redacts personal values as well.
    #[must_use]
    pub(crate) fn sparing(mut self, personal: impl Fn(&mut dyn FnMut(&str)) + Send + Sync + 'static) -> Self {
        self.personal = Some(Box::new(personal));
        self
    }

    /// The redacted text.
    pub fn clean(&self, text: &str) -> String {
        match text.strip_suffix('…') {
            Some(start) => self.cut_off(start) + "…",
            None => self.without(text, false),
        }
    }

    /// The same for truncated text: its end may be the beginning of a secret.
    pub(super) fn cut_off(&self, text: &str) -> String {
        self.without(text, true)
    }

    fn without(&self, text: &str, cut: bool) -> String {
        if self.forms.is_empty() && self.personal.is_none() {
            return text.to_owned();
        }
        let readings = Readings::of(text);
        let secrets = match &self.personal {
            Some(personal) => {
                Cow::Owned(in_order(self.forms.iter().cloned().chain(repeated(personal, &readings, text))))
            }
            None => Cow::Borrowed(&self.forms),
        };
        let (mut out, mut shown) = (String::with_capacity(text.len()), 0);
        for (at, _) in text.char_indices() {
            for SearchedForm { bytes: form, personal } in beginning_at(&secrets, &readings, at) {
                // No reading is longer than what it is read from.
                if !cut && form.len() > text.len() - at {
                    continue;
                }
                let FormMatch { end, runs_out } = find(form, &readings, at);
                if runs_out && cut {
                    out.push_str(text.get(shown..at).unwrap_or_default());
                    return out;
                }
                let Some(end) = end else { continue };
                // Parts of other words may match a short secret by chance, and so may our own replacement text: then
                // nothing is shown.
                let short = form.len() < SHORTEST;
                if short && !is_word_of(text, at, end) {
                    continue;
                }
                if short && !personal {
                    return "(left out, because it may repeat a secret)".to_owned();
                }
                if end > shown {
                    if shown <= at {
                        out.push_str(&text[shown..at]);
                        out.push_str("***");
                    }
                    shown = end;
                }
            }
        }
        out + &text[shown..]
    }
}

/// The forms with which the text at a position may begin.
fn beginning_at<'a>(
    forms: &'a [SearchedForm],
    readings: &'a Readings<'_>,
    at: usize,
) -> impl Iterator<Item = &'a SearchedForm> {
    readings.at(at).flat_map(move |reading| {
        let (first, any) = (reading.bytes().first().copied().map(alike), reading.bytes().is_empty());
        let start = forms.partition_point(|form| form.bytes.first() < first.as_ref());
        let of = move |form: &&SearchedForm| any || form.bytes.first() == first.as_ref();
        forms[start..].iter().take_while(of)
    })
}

fn in_order(forms: impl Iterator<Item = SearchedForm>) -> Vec<SearchedForm> {
    let mut forms: Vec<_> = forms.collect();
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// The personal values whose beginning occurs in the text.
fn repeated(personal: &Personal, readings: &Readings<'_>, text: &str) -> Vec<SearchedForm> {
    let mut starts = HashSet::new();
    for at in 0..text.len() {
        readings.starts(at, &mut |start: [u8; SHORTEST_PERSONAL]| {
            starts.insert(start.map(alike));
        });
    }
    let mut matches = Vec::new();
    personal(&mut |value| {
        let number = value.bytes().all(|byte| byte.is_ascii_digit());
        if value.len() < if number { SHORTEST_NUMBER } else { SHORTEST_PERSONAL } {
            return;
        }
        let begins =
            |form: &SearchedForm| form.bytes.first_chunk().is_some_and(|start| starts.contains(start));
        let mut keep = |text: &[u8], encode: &dyn Fn(&[u8]) -> String| {
            // Compares the beginning first, to skip most values cheaply.
            if begins(&SearchedForm::new(encode(text.get(..12).unwrap_or(text)), true)) {
                matches.push(SearchedForm::new(encode(text), true));
            }
        };
        for line in value.lines().map(str::trim).filter(|line| line.len() >= SHORTEST_PERSONAL) {
            keep(line.as_bytes(), &|text| String::from_utf8_lossy(text).into_owned());
            for before in 0..3 {
                keep(line.as_bytes(), &|text| inside_base64(&STANDARD_NO_PAD, before, text));
                keep(line.as_bytes(), &|text| inside_base64(&URL_SAFE_NO_PAD, before, text));
            }
        }
    });
    matches.retain(|form| form.bytes.len() >= SHORTEST_PERSONAL);
    matches
}

/// Each encoded form is as confidential as the secret.
impl Drop for Redactor {
    fn drop(&mut self) {
        for form in &mut self.forms {
            form.bytes.zeroize();
        }
    }
}

/// A blank in a form may be written as a plus sign.
fn alike(byte: u8) -> u8 {
    if byte == b'+' { b' ' } else { byte }
}

struct FormMatch {
    /// The end of the longest reading that matches the form.
    end: Option<usize>,
    /// The text ends before the form does.
    runs_out: bool,
}

/// Searches for a form at a position, in every reading.
fn find(form: &[u8], readings: &Readings<'_>, at: usize) -> FormMatch {
    let mut form_match = FormMatch { end: None, runs_out: false };
    let (mut open, mut seen) = (vec![(at, 0)], HashSet::new());
    while let Some((at, known)) = open.pop() {
        let rest = &form[known..];
        if rest.is_empty() {
            form_match.end = form_match.end.max(Some(at));
            continue;
        }
        if readings.branches(at) && !seen.insert((at, known)) {
            continue;
        }
        let mut over = true;
        for reading in readings.at(at) {
            let bytes = reading.bytes();
            form_match.runs_out |= bytes.is_empty();
            over = false;
            let same = |(byte, wanted): (&u8, &u8)| alike(*byte) == *wanted;
            if !bytes.is_empty() && bytes.len() <= rest.len() && bytes.iter().zip(rest).all(same) {
                open.push((reading.next, known + bytes.len()));
            }
        }
        form_match.runs_out |= over;
    }
    form_match
}

/// Whether the match is not part of a longer word.
fn is_word_of(text: &str, at: usize, end: usize) -> bool {
    let (before, after) = (text[..at].chars().next_back(), text[end..].chars().next());
    ![before, after].into_iter().flatten().any(char::is_alphanumeric)
}

/// Secrets inside a secret: a URL may end in one, and credentials follow the name of their scheme.
fn parts(secret: &str) -> Vec<String> {
    if let Some((_, credentials)) =
        secret.split_once(' ').filter(|(word, _)| word.chars().all(char::is_alphabetic))
    {
        let decoded = STANDARD.decode(credentials).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let password = decoded.as_deref().and_then(|pair| pair.split_once(':')).map(|(_, it)| it.to_owned());
        return [Some(credentials.to_owned()), decoded, password].into_iter().flatten().collect();
    }
    // Headers in the form `name: value`; not every value is a secret.
    let headers = secret.lines().filter_map(|line| Some(line.split_once(": ")?.1.trim().to_owned()));
    let headers: Vec<_> = headers.filter(|value| value.len() >= 8).collect();
    if !headers.is_empty() {
        return headers;
    }
    let Some(url) = secret.contains("://").then(|| url::Url::parse(secret).ok()).flatten() else {
        return Vec::new();
    };
    // Folder names are shorter than any secret worth guessing.
    let segments = url.path_segments().into_iter().flatten().map(str::to_owned);
    let values = url.query_pairs().map(|(_, value)| value.into_owned());
    segments.chain(values).filter(|part| part.len() >= 16).collect()
}

/// The forms of a secret apart from character escapes: base64, also of the escaped text, as in client credentials.
fn forms(secret: &str) -> Vec<String> {
    let percent = secret.bytes().fold(String::new(), |mut text, byte| {
        let plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let _ = if plain { write!(text, "{}", char::from(byte)) } else { write!(text, "%{byte:02X}") };
        text
    });
    let quoted = serde_json::to_string(secret).unwrap_or_default();
    let hex = hex(secret.as_bytes());
    let form: String = byte_serialize(secret.as_bytes()).collect();
    let mut texts = vec![secret, &percent, &form, quoted.trim_matches('"')];
    texts.sort_unstable();
    texts.dedup();
    let mut forms = vec![secret.to_owned(), hex.to_uppercase(), hex];
    for text in texts {
        for before in 0..3 {
            forms.push(inside_base64(&STANDARD_NO_PAD, before, text.as_bytes()));
            forms.push(inside_base64(&URL_SAFE_NO_PAD, before, text.as_bytes()));
        }
    }
    forms.retain(|form| form.len() >= SHORTEST);
    forms
}

/// The part of the base64 encoding that is the same whatever precedes the bytes: the characters that depend on these
/// bytes alone.
fn inside_base64(engine: &impl Engine, before: usize, bytes: &[u8]) -> String {
    let mut whole = vec![0; before];
    whole.extend(bytes);
    let text = engine.encode(&whole);
    let (start, end) = ((before * 8).div_ceil(6), whole.len() * 8 / 6);
    text.get(start..end).unwrap_or_default().to_owned()
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

    /// Every way to write a character, including unescaped.
    const WAYS: [fn(char) -> String; 8] = [
        String::from,
        |c| c.to_string().bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02x}")),
        |c| c.to_string().bytes().fold(String::new(), |text, byte| format!("{text}\\x{byte:02X}")),
        |c| {
            c.encode_utf16(&mut [0; 2])
                .iter()
                .fold(String::new(), |text, half| format!("{text}\\u{half:04x}"))
        },
        |c| {
            c.encode_utf16(&mut [0; 2]).iter().fold(String::new(), |text, half| format!("{text}%u{half:04X}"))
        },
        |c| c.escape_unicode().to_string(),
        |c| format!("&#{};", u32::from(c)),
        |c| format!("&#X{:x};", u32::from(c)),
    ];

    fn written(text: &str, way: impl Fn(usize) -> usize) -> String {
        text.chars().enumerate().map(|(at, c)| WAYS[way(at) % WAYS.len()](c)).collect()
    }

    /// Robustness: a secret of this length used to take minutes, because the text was copied for each of its bytes.
    #[test]
    fn a_long_secret_costs_what_its_length_says() {
        let mut state = 7_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            char::from(b'a' + u8::try_from(state >> 28).unwrap())
        };
        let secret: String = (0..1_000_000).map(|_| random()).collect();
        let begun = std::time::Instant::now();
        let redactor = Redactor::new([secret.as_str()]);
        for period in [secret.as_str(), &"ab".repeat(500_000)] {
            let text = &period[..16_000];
            assert_eq!(redactor.clean(text), text);
        }
        assert_eq!(redactor.clean(&format!("{}…", &secret[..16_000])), "…");
        assert_eq!(Redactor::new([&*"ab".repeat(500_000)]).clean(&"ab".repeat(8_000)), "ab".repeat(8_000));
        assert!(begun.elapsed() < std::time::Duration::from_secs(30), "{:?}", begun.elapsed());
        let size: usize = redactor.forms.iter().map(|form| form.bytes.len()).sum();
        assert!(size < 64 * secret.len(), "{size} bytes");
    }

    /// Security: whichever characters are encoded, and however often, the secret is found and nothing else is removed.
    #[test]
    fn a_secret_is_found_however_its_signs_are_written() {
        let secret = "p4ss wörd/+&=\"x\\y😀%41&amp;";
        let redactor = Redactor::new([secret]);
        let check = |form: &str| {
            assert_eq!(
                redactor.clean(&format!("sent {form}, {form}& more")),
                "sent ***, ***& more",
                "{form}"
            );
            for before in ["%", "\\", "&", "%2", "&#", "\\u00"] {
                // Together with the first character of an escape, it may form another escape.
                let clean = redactor.clean(&format!("{before}{form}"));
                assert!(
                    clean.strip_suffix("***").is_some_and(|rest| before.starts_with(rest)),
                    "{clean}: {before}{form}"
                );
            }
        };
        for seed in 0..16 {
            let once = written(secret, |at| (at * seed + seed / 8) % 11);
            let twice = written(&once, |at| (at * seed + at / 3) % 23);
            let thrice = written(&twice, |at| if (at + seed) % 9 == 0 { seed } else { 0 });
            for form in [once, twice, thrice] {
                check(&form);
            }
        }
        for form in [
            "p4ss+w%F6rd/+&amp;=&quot;x\\\\y😀%41&amp;",
            "p4ss w\\u00f6rd\\/+&=\\\"x\\\\y\\ud83d\\ude00%41&amp;",
        ] {
            check(form);
        }
        let innocent = "100 % of A&B \\ C: %zz \\u12 &#x; &lt;p4ss&gt;";
        assert_eq!(redactor.clean(innocent), innocent);
        for text in ["%61bc", "a&#98;c", "\"\\u0061bc\""] {
            assert!(Redactor::new(["abc"]).clean(text).starts_with("(left out"), "{text}");
        }
    }

    /// Security: the rest of a truncated text shows no beginning of a secret either, in any encoding.
    #[test]
    fn a_cut_text_ends_in_no_part_of_a_secret() {
        let redactor = Redactor::new(["p4ss wörd/+"]);
        for way in 0..WAYS.len() {
            let whole = format!("sent {}", written(&written("p4ss wörd/+", |_| way), |at| at % 2 * way));
            for end in (6..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
                assert_eq!(redactor.clean(&format!("{}…", &whole[..end])), "sent …", "{}", &whole[..end]);
            }
        }
    }

    /// Robustness: text made of escapes only, or of repeated beginnings of a secret, costs little per byte.
    #[test]
    fn no_text_has_many_readings() {
        let redactor = Redactor::new(["\\%&p4ss", "0123456789abcdef"]);
        for piece in
            ["\\", "%", "%25", "&amp;", "&", "\\u005c", "&#", "&#x0", "%5c", "0123456789abcde", "&#x26;#"]
        {
            let text = piece.repeat(2048 / piece.len());
            let readings = Readings::of(&text);
            let all: usize = (0..text.len()).map(|at| readings.at(at).count()).sum();
            assert!(all <= 9 * text.len(), "{piece}: {all} readings");
            assert_eq!(redactor.clean(&text), text);
        }
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
