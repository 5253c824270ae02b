//! The text of a JSON file as editors of several systems save it.

use super::wrong;
use sondage::internals::readable::Readable;
use std::borrow::Cow;
use std::io;
use std::path::Path;

/// A text that can be parsed.
pub(super) struct JsonText {
    pub(super) text: String,
    /// Where halves of surrogate pairs were, which are read as U+FFFD: a sentence.
    pub(super) halves: Option<String>,
}

/// Reads a file in UTF-8, or in UTF-16 with a byte order mark.
pub(super) fn read(path: &Path) -> io::Result<JsonText> {
    let bytes = std::fs::read(path).map_err(|error| {
        let cure = match error.kind() {
            io::ErrorKind::NotFound => ": check the path",
            io::ErrorKind::IsADirectory => ": name the files in it",
            _ => "",
        };
        wrong(path, format_args!("cannot be read: {error}{cure}"))
    })?;
    decode(bytes).map(JsonText::new).map_err(|why| wrong(path, why))
}

impl JsonText {
    fn new(text: String) -> Self {
        let Readable { text: readable, replaced } = Readable::of(text.as_bytes());
        let mut lines = Vec::new();
        let (mut line, mut counted) = (1, 0);
        for at in replaced {
            line += readable[counted..at].split(|byte| *byte == b'\n').count() - 1;
            counted = at;
            lines.push(format!("line {line}"));
        }
        lines.dedup();
        let halves = (!lines.is_empty())
            .then(|| format!("half of a surrogate pair, which is read as U+FFFD: {}", lines.join(", ")));
        let replaced = match readable {
            Cow::Owned(bytes) => String::from_utf8(bytes).ok(),
            Cow::Borrowed(_) => None,
        };
        Self { text: replaced.unwrap_or(text), halves }
    }
}

fn decode(bytes: Vec<u8>) -> Result<String, String> {
    let units = |read: fn([u8; 2]) -> u16| -> Result<String, String> {
        let (pairs, rest) = bytes[2..].as_chunks();
        let text = String::from_utf16(&pairs.iter().map(|pair| read(*pair)).collect::<Vec<_>>());
        text.ok()
            .filter(|_| rest.is_empty())
            .ok_or_else(|| "begins as UTF-16, but is not: save it as UTF-8".to_owned())
    };
    match bytes.as_slice() {
        [0xff, 0xfe, ..] => return units(u16::from_le_bytes),
        [0xfe, 0xff, ..] => return units(u16::from_be_bytes),
        _ => {}
    }
    // JSON begins with an ASCII character, which has a zero byte beside it in UTF-16 and UTF-32.
    if bytes.iter().take(4).any(|byte| *byte == 0) {
        return Err("is in UTF-16 or UTF-32 without a byte order mark: save it as UTF-8".to_owned());
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n');
        format!(
            "is not in UTF-8 (line {} has another byte, as files in Latin-1 and Windows-1252 have): save it as UTF-8",
            line.count() + 1
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_read_or_have_a_cure() {
        let units = |text: &str| text.encode_utf16().collect::<Vec<u16>>();
        let little: Vec<u8> = units("\u{feff}ü😀").into_iter().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = units("\u{feff}ü😀").into_iter().flat_map(u16::to_be_bytes).collect();
        assert_eq!(decode(little.clone()).unwrap(), "ü😀");
        assert_eq!(decode(big).unwrap(), "ü😀");
        assert_eq!(decode("\u{feff}ü".into()).unwrap(), "\u{feff}ü");
        let cut = decode(little[..little.len() - 1].to_vec()).unwrap_err();
        assert!(cut.contains("save it as UTF-8"), "{cut}");
        let bare: Vec<u8> = units("{}").into_iter().flat_map(u16::to_le_bytes).collect();
        let said = decode(bare).unwrap_err();
        assert!(said.contains("without a byte order mark: save it as UTF-8"), "{said}");
        let said = decode(b"{\n\"a\": \"\xfc\"}".to_vec()).unwrap_err();
        assert!(said.contains("line 2") && said.contains("save it as UTF-8"), "{said}");
    }
}
