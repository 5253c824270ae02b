//! The text of a CSV file, however it was saved: its separator and its encoding are recognised, or named by the caller.

mod lines;
mod sniff;

pub use lines::{CsvText, LineCount};

use crate::error::{Error, Result};
use crate::text;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// How much of a file decides on its separator.
const SAMPLE: u64 = 64 << 10;

/// How a CSV file was read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CsvFormat {
    /// The separator: `,`, `;`, `tab` or another sign.
    pub separator: String,
    /// The encoding: `utf-8`, `utf-16le`, `windows-1252` or another name of the WHATWG encoding standard.
    pub encoding: String,
}

impl CsvFormat {
    /// A format from its parts.
    #[doc(hidden)]
    pub fn new(separator: impl Into<String>, encoding: impl Into<String>) -> Self {
        Self { separator: separator.into(), encoding: encoding.into() }
    }

    /// What a report says about it; nothing about a file with commas in UTF-8.
    pub fn note(&self) -> String {
        let (separator, encoding) = (&self.separator, &self.encoding);
        if separator == "," && encoding == "utf-8" {
            return String::new();
        }
        format!("; the file was read with the separator {separator:?} and the encoding {encoding}")
    }
}

/// The start of a file decides, so it is read twice.
pub trait CsvSource: Read + Seek + Send {}

impl<R: Read + Seek + Send> CsvSource for R {}

/// Opens a file. `separator` and `encoding` override what is recognised. A file that cannot be read twice, such as a pipe, is
/// read into memory.
pub fn open(path: &Path, separator: Option<&str>, encoding: Option<&str>) -> Result<CsvText> {
    let unread = |error: io::Error| {
        let what = text!("`{path}` cannot be read: {error}", path = path.display());
        Error::invalid_argument(what).with_hint("Check the path.")
    };
    let separator = separator.map(separator_of).transpose()?;
    let encoding = encoding.map(encoding_of).transpose()?;
    let mut file = std::fs::File::open(path).map_err(unread)?;
    let mut source: Box<dyn CsvSource> = if file.metadata().map_err(unread)?.is_file() {
        Box::new(file)
    } else {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unread)?;
        Box::new(io::Cursor::new(bytes))
    };
    let mut head = Vec::new();
    source.by_ref().take(SAMPLE).read_to_end(&mut head).map_err(unread)?;
    let (encoding, mark) = match (Encoding::for_bom(&head), encoding) {
        (Some((marked, size)), None) => (marked, size),
        (Some((marked, size)), Some(named)) if marked == named || is_utf16(marked) && is_utf16(named) => {
            (marked, size)
        }
        (Some((marked, _)), Some(named)) => {
            let (marked, named) = (name_of(marked), name_of(named));
            let what =
                text!("`{}` begins with the mark of {marked}, and `encoding` is {named}", path.display());
            return Err(refused(what, "Leave `encoding` out."));
        }
        (None, Some(named)) => (named, 0),
        (None, None) => (sniff::encoding(path, &head, source.as_mut()).map_err(unread)??, 0),
    };
    source.seek(SeekFrom::Start(mark as u64)).map_err(unread)?;
    let (sample, _) = encoding.decode_without_bom_handling(head.get(mark..).unwrap_or_default());
    let is_whole = (head.len() as u64) < SAMPLE;
    let sign = sniff::first_line_sign(&sample);
    let sample = if sign.is_some() { sniff::without_first_line(&sample) } else { &sample };
    let separator = match separator.or(sign) {
        Some(separator) => separator,
        None => sniff::separator(path, sample, is_whole)?,
    };
    Ok(CsvText::new(source, encoding, separator, sign.is_some()))
}

fn is_utf16(encoding: &Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

/// A separator as a caller names it.
fn separator_of(name: &str) -> Result<u8> {
    match name.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        [sign] if sign.is_ascii() && !sign.is_ascii_alphanumeric() && !b"\"\r\n\0".contains(sign) => {
            Ok(*sign)
        }
        _ => {
            let what = text!("`separator` is {name:?}, which cannot separate columns");
            Err(refused(what, "Name one sign, such as \";\", or \"tab\"."))
        }
    }
}

/// An encoding as a caller names it: also as Python does.
fn encoding_of(name: &str) -> Result<&'static Encoding> {
    let plain = name.trim().to_ascii_lowercase().replace('_', "-");
    let plain = plain.strip_suffix("-sig").unwrap_or(&plain);
    let labels = [plain.to_owned(), plain.replace('-', ""), plain.replace("-le", "le").replace("-be", "be")];
    let encoding = labels.iter().find_map(|label| Encoding::for_label(label.as_bytes()));
    encoding.ok_or_else(|| {
        let what = text!("`encoding` is {name:?}, which is not known");
        refused(what, "Name one such as \"utf-8\", \"utf-16le\", \"windows-1252\" or \"windows-1250\".")
    })
}

/// The name of an encoding in reports, which a caller can name.
fn name_of(encoding: &'static Encoding) -> String {
    encoding.name().to_ascii_lowercase()
}

fn name_of_separator(separator: u8) -> String {
    if separator == b'\t' { "tab".to_owned() } else { char::from(separator).to_string() }
}

fn refused(what: impl Into<crate::error::Text>, hint: &'static str) -> Error {
    Error::invalid_argument(what).with_hint(text!("Nothing was sent. {}", crate::error::Text::from(hint)))
}
