//! A CSV file as UTF-8 with one kind of line break between its rows, and whether it ends inside a quoted value. That is found out
//! while the file is read.

use super::sniff::unassigned;
use super::{CsvFormat, CsvSource, name_of, name_of_separator};
use encoding_rs::{Decoder, DecoderResult, Encoding, WINDOWS_1252};
use std::fmt;
use std::io::{self, Read};

/// How many bytes are read at once.
const SIZE: usize = 64 << 10;

/// The rows of a CSV file in UTF-8, each ended by a line feed. Line breaks in quoted values stay as they are.
pub struct CsvText {
    source: Box<dyn CsvSource>,
    encoding: &'static Encoding,
    decoder: Decoder,
    separator: u8,
    bytes: Vec<u8>,
    /// What was decoded, and how much of it was passed on.
    text: Vec<u8>,
    passed: usize,
    after: After,
    /// Whether the last byte was a carriage return between rows, which a line feed may follow.
    is_return: bool,
    /// Whether the first line names the separator, and was not passed over yet.
    names_separator: bool,
    /// How many lines were passed over.
    lines: u64,
    /// How many bytes were decoded.
    size: u64,
    state: State,
}

/// Counts the lines of a file, of which a reader of [`CsvText`] counts the line feeds.
#[derive(Debug)]
pub struct LineCount {
    /// Lines that the reader does not count.
    more: u64,
}

impl LineCount {
    /// The line in which a row begins, wherever empty lines are. `cells` is its content, `end` the line after it.
    pub fn start_of(&mut self, cells: &str, end: u64, is_open: bool) -> u64 {
        let cells = cells.as_bytes();
        let breaks = memchr::memchr_iter(b'\n', cells).count() as u64;
        let start = (end + self.more).saturating_sub(breaks + u64::from(!is_open));
        let returns = memchr::memchr_iter(b'\r', cells).filter(|at| cells.get(at + 1) != Some(&b'\n'));
        self.more += returns.count() as u64;
        start
    }

    /// A line as the reader counts it.
    pub fn line(&self, line: u64) -> u64 {
        line + self.more
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Open,
    Malformed,
    /// A text follows the quote that closes a value.
    Misquoted,
    Ended,
}

/// What was read last.
#[derive(Clone, Copy, PartialEq)]
enum After {
    /// The end of a row, or nothing.
    Row,
    /// The end of a value.
    Value,
    /// A part of a value without quotes.
    Plain,
    /// A part of a quoted value.
    Quoted,
    /// A quote in a quoted value: its end, or the first of two.
    Quote,
    /// Blanks behind the quote that closes a value.
    Closed,
    /// A text behind the quote that closes a value.
    Misquoted,
}

impl CsvText {
    pub(super) fn new(
        source: Box<dyn CsvSource>,
        encoding: &'static Encoding,
        separator: u8,
        names_separator: bool,
    ) -> Self {
        Self {
            source,
            encoding,
            decoder: encoding.new_decoder_without_bom_handling(),
            separator,
            bytes: vec![0; SIZE],
            text: Vec::new(),
            passed: 0,
            after: After::Row,
            is_return: false,
            names_separator,
            lines: u64::from(names_separator),
            size: 0,
            state: State::Open,
        }
    }

    /// The separator of the columns.
    pub fn separator(&self) -> u8 {
        self.separator
    }

    /// The separator and the encoding, for reports.
    pub fn format(&self) -> CsvFormat {
        CsvFormat { separator: name_of_separator(self.separator), encoding: name_of(self.encoding) }
    }

    /// A count that begins with the lines above the names of the columns.
    pub fn line_count(&self) -> LineCount {
        LineCount { more: self.lines }
    }

    /// Whether the file ends inside a quoted value, and the text before this position is all of it.
    pub fn is_open_at(&self, position: u64) -> bool {
        self.state == State::Ended && self.after == After::Quoted && position >= self.size
    }

    /// Whether reading ended at a text behind the quote that closes a value, such as `n` in `"a \"n\" x"`.
    pub fn is_misquoted(&self) -> bool {
        self.state == State::Misquoted
    }

    /// Decodes the next bytes.
    fn fill(&mut self) -> io::Result<()> {
        let mut read = self.source.read(&mut self.bytes)?;
        let at = (self.encoding == WINDOWS_1252).then(|| unassigned(&self.bytes[..read])).flatten();
        read = at.unwrap_or(read);
        let room = self.decoder.max_utf8_buffer_length_without_replacement(read).unwrap_or(4 * SIZE);
        self.text.resize(room, 0);
        let (result, _, written) = self.decoder.decode_to_utf8_without_replacement(
            &self.bytes[..read],
            &mut self.text,
            read == 0 && at.is_none(),
        );
        self.text.truncate(written);
        self.passed = 0;
        self.state = match result {
            // The standard reads such a byte as a control character, which no name has.
            DecoderResult::InputEmpty if at.is_some() => State::Malformed,
            DecoderResult::InputEmpty if read > 0 => State::Open,
            DecoderResult::InputEmpty => State::Ended,
            DecoderResult::Malformed(..) | DecoderResult::OutputFull => State::Malformed,
        };
        self.join_lines();
        if self.names_separator
            && let Some(end) = memchr::memchr(b'\n', &self.text)
        {
            self.text.drain(..=end);
            self.names_separator = false;
        } else if self.names_separator {
            self.text.clear();
        }
        if self.state == State::Ended && !matches!(self.after, After::Row | After::Quoted) {
            self.text.push(b'\n');
        }
        self.size += self.text.len() as u64;
        Ok(())
    }

    /// Makes each line break between rows a line feed.
    fn join_lines(&mut self) {
        let is_between =
            !matches!(self.after, After::Quoted | After::Quote | After::Closed) && !self.is_return;
        // Most files have neither, and their last byte says everything.
        if is_between && memchr::memchr2(b'"', b'\r', &self.text).is_none() {
            if let Some(last) = self.text.last() {
                self.after = self.after(After::Plain, *last);
            }
            return;
        }
        let mut length = 0;
        for place in 0..self.text.len() {
            let byte = self.text[place];
            let after_return = std::mem::take(&mut self.is_return);
            if byte == b'\n' && after_return {
                continue;
            }
            self.after = self.after(self.after, byte);
            if self.after == After::Misquoted {
                self.state = State::Misquoted;
                break;
            }
            self.is_return = byte == b'\r' && self.after == After::Row;
            self.text[length] = if self.is_return { b'\n' } else { byte };
            length += 1;
        }
        self.text.truncate(length);
    }

    fn after(&self, before: After, byte: u8) -> After {
        match (before, byte) {
            (After::Quoted, b'"') => After::Quote,
            (After::Row | After::Value | After::Quote, b'"') | (After::Quoted, _) => After::Quoted,
            (_, b'\n' | b'\r') => After::Row,
            (_, byte) if byte == self.separator => After::Value,
            (After::Quote | After::Closed, b' ' | b'\t') => After::Closed,
            (After::Quote | After::Closed, _) => After::Misquoted,
            _ => After::Plain,
        }
    }
}

impl fmt::Debug for CsvText {
    /// Without the text, which is personal data.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CsvText").field("format", &self.format()).finish_non_exhaustive()
    }
}

impl Read for CsvText {
    /// The error for bytes that are no text in the encoding, and for text behind a closing quote ([`CsvText::is_misquoted`]), is [`io::ErrorKind::InvalidData`], after the text before them.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.passed == self.text.len() {
            match self.state {
                State::Open => self.fill()?,
                State::Malformed | State::Misquoted => return Err(io::ErrorKind::InvalidData.into()),
                State::Ended => return Ok(0),
            }
        }
        let rest = &self.text[self.passed..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.passed += count;
        Ok(count)
    }
}
