//! Recognises the encoding of a CSV file and the separator of its columns.

use super::{CsvSource, UTF_8, UTF_16BE, UTF_16LE, name_of, name_of_separator, refused};
use crate::error::Result;
use crate::text;
use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, WINDOWS_1252};
use std::io::{self, Read, SeekFrom};
use std::path::Path;

/// The signs that are recognised.
const SIGNS: [u8; 3] = [b',', b';', b'\t'];
/// How many rows of a file must have the columns of its first line.
const ROWS: usize = 50;

/// The encoding of a file without a mark of order. Every byte decides: the first letter beyond ASCII may be in the last row.
pub(super) fn encoding(
    path: &Path,
    head: &[u8],
    source: &mut dyn CsvSource,
) -> io::Result<Result<&'static Encoding>> {
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    if 5 * odd.max(even) > head.len() && even.min(odd) == 0 {
        return Ok(Ok(if odd > 0 { UTF_16LE } else { UTF_16BE }));
    }
    source.seek(SeekFrom::Start(0))?;
    if is_utf8(source)? {
        return Ok(Ok(UTF_8));
    }
    source.seek(SeekFrom::Start(0))?;
    let mut marks = Marks::default();
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    let mut bytes = vec![0; 64 << 10];
    loop {
        let read = source.read(&mut bytes)?;
        detector.feed(&bytes[..read], read == 0);
        marks.feed(&bytes[..read], read == 0);
        if read == 0 {
            break;
        }
    }
    let guess = detector.guess(None, Utf8Detection::Deny);
    let (path, other) = (path.display(), name_of(guess));
    if let (true, Some(line)) = (marks.has_utf8, marks.invalid_line) {
        // The lines in UTF-8 mislead the detection, except for that of letters of several bytes.
        let other = if guess.is_single_byte() { name_of(WINDOWS_1252) } else { other };
        let what = text!(
            "`{path}` has letters in UTF-8, and is not text in UTF-8 in line {line}: it may be in utf-8 or in {other}"
        );
        return Ok(Err(refused(what, "Correct that line, or name the encoding of all lines as `encoding`.")));
    }
    if let Some(line) = marks.unassigned_line {
        let guess = if guess == WINDOWS_1252 { String::new() } else { format!("; it may be in {other}") };
        let what = text!(
            "`{path}` is not text in UTF-8, and not in windows-1252, which has no letter for a byte in line {line}{guess}"
        );
        let next = "Save it in UTF-8, or name the encoding it is in as `encoding`.";
        return Ok(Err(refused(what, next)));
    }
    if guess == WINDOWS_1252 {
        return Ok(Ok(guess));
    }
    let what = text!("`{path}` is not text in UTF-8, and may be in {other} or in windows-1252");
    Ok(Err(refused(what, "Name the one it is in as `encoding`.")))
}

/// Where a byte is that Windows-1252 has no letter for.
pub(super) fn unassigned(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|byte| matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d))
}

/// What says that a file that is not UTF-8 is not Windows-1252 either.
#[derive(Default)]
struct Marks {
    /// Whether it has a letter beyond ASCII in UTF-8.
    has_utf8: bool,
    /// The line of the first byte that is not UTF-8.
    invalid_line: Option<u64>,
    /// The line of the first byte that Windows-1252 has no letter for.
    unassigned_line: Option<u64>,
    /// How many lines have ended, and whether the last byte was a carriage return.
    ended: u64,
    is_return: bool,
    /// The begin of a letter whose other bytes were not read yet.
    begun: Vec<u8>,
}

impl Marks {
    fn feed(&mut self, bytes: &[u8], is_last: bool) {
        let mut joined = std::mem::take(&mut self.begun);
        joined.extend_from_slice(bytes);
        let rest = joined.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
        if !is_last && std::str::from_utf8(rest).is_err_and(|error| error.error_len().is_none()) {
            let whole = joined.len() - rest.len();
            self.begun = joined.split_off(whole);
        }
        for chunk in joined.utf8_chunks() {
            self.has_utf8 |= !chunk.valid().is_ascii();
            for byte in chunk.valid().bytes() {
                self.ended += u64::from(byte == b'\r' || byte == b'\n' && !self.is_return);
                self.is_return = byte == b'\r';
            }
            if !chunk.invalid().is_empty() {
                let line = self.ended + 1;
                self.is_return = false;
                self.invalid_line.get_or_insert(line);
                if unassigned(chunk.invalid()).is_some() {
                    self.unassigned_line.get_or_insert(line);
                }
            }
        }
    }
}

fn is_utf8(source: &mut dyn Read) -> io::Result<bool> {
    let (mut bytes, mut begun) = (vec![0; 64 << 10], 0);
    loop {
        let read = source.read(&mut bytes[begun..])?;
        if read == 0 {
            return Ok(begun == 0);
        }
        let end = begun + read;
        let valid = Encoding::utf8_valid_up_to(&bytes[..end]);
        match std::str::from_utf8(&bytes[valid..end]) {
            // The last character has more bytes.
            Err(error) if error.error_len().is_none() => {
                bytes.copy_within(valid..end, 0);
                begun = end - valid;
            }
            Err(_) => return Ok(false),
            Ok(_) => begun = 0,
        }
    }
}

/// The separator that a line such as `sep=;` names, which spreadsheets write and read before the names of the columns.
pub(super) fn first_line_sign(sample: &str) -> Option<u8> {
    let line = sample.lines().next()?.split('\r').next()?.trim_matches('"');
    let sign = line.get(..4).filter(|begin| begin.eq_ignore_ascii_case("sep=")).map(|_| &line[4..])?;
    match sign.as_bytes() {
        [sign] if sign.is_ascii_punctuation() || *sign == b'\t' => Some(*sign),
        _ => None,
    }
}

pub(super) fn without_first_line(sample: &str) -> &str {
    let Some(end) = sample.find(['\r', '\n']) else { return "" };
    let rest = &sample[end..];
    rest.strip_prefix("\r\n").unwrap_or(&rest[1..])
}

/// The separator: the only one of the first line, or else the only one by which every row has the columns of that line.
pub(super) fn separator(path: &Path, sample: &str, is_whole: bool) -> Result<u8> {
    let rows = |sign: u8| columns(sample.as_bytes(), sign, is_whole);
    let mut able: Vec<(u8, Vec<usize>)> =
        SIGNS.iter().map(|sign| (*sign, rows(*sign))).filter(|(_, rows)| rows.first() > Some(&1)).collect();
    if able.len() > 1 {
        let fits = |rows: &[usize]| rows.len() > 1 && rows.iter().all(|count| *count == rows[0]);
        if able.iter().filter(|(_, rows)| fits(rows)).count() == 1 {
            able.retain(|(_, rows)| fits(rows));
        }
    }
    match &able[..] {
        [] => Ok(b','),
        [(sign, _)] => Ok(*sign),
        [(first, _), (second, _), ..] => {
            let what = text!(
                "the columns of `{}` may be separated by {:?} or by {:?}: its first line has both",
                path.display(),
                name_of_separator(*first),
                name_of_separator(*second)
            );
            Err(refused(what, "Name the one it is as `separator`."))
        }
    }
}

/// How many columns the first rows have.
fn columns(sample: &[u8], separator: u8, is_whole: bool) -> Vec<usize> {
    let (mut rows, mut count, mut is_blank) = (Vec::new(), 1, true);
    let (mut is_quoted, mut begins) = (false, true);
    for byte in sample {
        match *byte {
            b'"' if is_quoted || begins => is_quoted = !is_quoted,
            b'\r' | b'\n' if !is_quoted => {
                if !is_blank {
                    rows.push(count);
                }
                (count, is_blank, begins) = (1, true, true);
                if rows.len() == ROWS {
                    return rows;
                }
                continue;
            }
            sign if sign == separator && !is_quoted => {
                count += 1;
                (is_blank, begins) = (false, true);
                continue;
            }
            _ => {}
        }
        // The second of two quotes in a quoted value goes on with it.
        begins = *byte == b'"' && !is_quoted;
        is_blank = false;
    }
    if !is_blank && (is_whole || rows.is_empty()) {
        rows.push(count);
    }
    rows
}
