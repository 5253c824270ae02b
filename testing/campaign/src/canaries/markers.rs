//! Markers: secrets and personal data that can be recognised even in part, and the search for them.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

/// Each marker begins and ends with this text, so that either half of a marker is found. It occurs in no natural
/// language.
const CORE: &str = "QzvxKw";
/// A telephone number.
pub const NUMBER: i64 = 49_170_555_019_283;

pub const ACCESS: &str = "QzvxKw.access~1-aQzvxKw";
pub const SECRET: &str = "QzvxKw/client+2 ü&=QzvxKw";
pub const PASSWORD: &str = "QzvxKw pass?3 \"x\\QzvxKw";
pub const REFRESH: &str = "QzvxKw~refresh:4/QzvxKw";
pub const CODE: &str = "QzvxKw!code*5QzvxKw";
/// A URL of which each part gives access.
pub const LINK: &str = "https://app.example/hooks/QzvxKw0123456789QzvxKw?sig=QzvxKwabcdef%2FQzvxKw";

/// A secret of a request, by the name of its field.
pub fn secret(field: &str) -> String {
    match field {
        "webHookUrl" => LINK.to_owned(),
        "headers" => format!("Accept: text/plain\nX-Key: {CORE} key for+{field}{CORE}"),
        _ => format!("{CORE}%2F{field} \"&{CORE}"),
    }
}

/// Personal data of a request, by the name of its field.
pub fn personal(field: &str) -> String {
    match field {
        "email" | "to" | "from" | "replyTo" => format!("{CORE}.{field}+1@example.{CORE}"),
        _ => format!("{CORE} Adä/{field} <O'Hara>, \"{CORE}"),
    }
}

/// Whether a text contains any part of a marker.
pub fn marked(text: &str) -> bool {
    text.contains(CORE) || text.contains(&NUMBER.to_string())
}

/// Where a text contains a marker, in any encoding.
pub fn find(text: &str) -> Option<String> {
    let mut text = text.to_owned();
    for _ in 0..3 {
        if let Some(at) = at(&text) {
            let (from, to) = (at.saturating_sub(60), (at + 100).min(text.len()));
            return Some(String::from_utf8_lossy(&text.as_bytes()[from..to]).into_owned());
        }
        let next = unescaped(&text);
        if next == text {
            break;
        }
        text = next;
    }
    None
}

fn at(text: &str) -> Option<usize> {
    let (small, half) = (text.to_ascii_lowercase(), CORE.to_lowercase());
    let hex = CORE.bytes().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let number = NUMBER.to_string();
    // A part of the core suffices, because the text may be truncated.
    let plain = [&half[..5], &half[1..], &hex, &number[..number.len() - 2]];
    let encoded = |(text, before): (&str, usize)| {
        let whole = STANDARD_NO_PAD.encode([vec![0; before], text.as_bytes().to_vec()].concat());
        whole[(before * 8).div_ceil(6)..(before + text.len()) * 8 / 6].to_owned()
    };
    let mut base64 = [CORE, &number].into_iter().flat_map(|text| (0..3).map(move |before| (text, before)));
    plain
        .iter()
        .find_map(|form| small.find(*form))
        .or_else(|| base64.find_map(|form| text.find(&encoded(form))))
}

/// Removes one layer of percent encoding and JSON escapes.
fn unescaped(text: &str) -> String {
    let (mut out, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(['%', '\\']) {
        out.extend(rest[..at].bytes());
        let code = |from: usize, to: usize| u32::from_str_radix(rest.get(at + from..at + to)?, 16).ok();
        let taken = match (rest[at..].starts_with('%'), code(1, 3), code(2, 6)) {
            (true, Some(byte), _) => {
                out.extend(u8::try_from(byte));
                3
            }
            (false, _, Some(code)) if rest[at..].starts_with("\\u") => {
                out.extend(char::from_u32(code).unwrap_or('?').to_string().bytes());
                6
            }
            (false, ..) => 1,
            _ => {
                out.push(b'%');
                1
            }
        };
        rest = &rest[at + taken..];
    }
    out.extend(rest.bytes());
    String::from_utf8_lossy(&out).into_owned()
}

pub type Encoding = (&'static str, fn(&str) -> String);

/// The encodings in which a service echoes.
pub const ENCODINGS: [Encoding; 4] = [
    ("plain", str::to_owned),
    ("percent", |text| {
        // Encodes also some characters that need no encoding.
        text.bytes().enumerate().fold(String::new(), |out, (at, byte)| {
            let plain = byte.is_ascii_alphanumeric() && at % 3 > 0;
            if plain { out + &char::from(byte).to_string() } else { format!("{out}%{byte:02X}") }
        })
    }),
    ("base64", |text| format!("{} {}", STANDARD.encode(text), STANDARD.encode(format!("ab:{text}")))),
    ("JSON in JSON", |text| {
        let once = serde_json::to_string(text).unwrap_or_default().replace('K', "\\u004b");
        serde_json::to_string(&once).unwrap_or_default()
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_found_in_every_encoding_and_in_parts() {
        for marker in [ACCESS, SECRET, PASSWORD, REFRESH, CODE, LINK, &personal("email"), &NUMBER.to_string()]
        {
            for (name, encode) in ENCODINGS {
                for text in [encode(marker), encode(&encode(marker))] {
                    let twice = name == "base64" && text != encode(marker);
                    assert!(twice || find(&format!("said {text}")).is_some(), "{name} {marker}");
                }
            }
        }
        assert!(find("{\"a\": \"QzvxK").is_some() && find("zvxKw").is_some());
        assert_eq!(find("Queries of a knight; 49170"), None);
    }
}
