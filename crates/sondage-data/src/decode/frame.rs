//! Cuts an answer into its rows and its other top-level values while the bytes arrive. Only the unread tail is kept, at
//! most one row or one value long.

use super::scan::{Scan, Scanned};
use crate::error::DecodeError;

/// A row longer than this is refused; it keeps a chunk of rows within Arrow's 2 GiB of text (`page::CHUNK_BYTES`).
const MAX_PIECE: usize = 256 << 20;

/// A complete part of an answer, with its place in bytes from the start.
pub(crate) enum Piece<'a> {
    /// An element of the array of rows.
    Row { bytes: &'a [u8], offset: u64 },
    /// Any other top-level value, or a `null` in the place of the rows.
    Field { key: &'a str, bytes: &'a [u8], offset: u64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    FirstKey,
    NextKey,
    InKey,
    Colon,
    Value,
    InValue,
    AfterValue,
    FirstRow,
    NextRow,
    InRow,
    AfterRow,
    Done,
}

/// The reader of one answer.
#[derive(Debug)]
pub(crate) struct Framer {
    /// The key of the array of rows: `interviews` or `members`.
    rows_key: &'static str,
    buffer: Vec<u8>,
    /// Place of `buffer[0]` in the answer.
    base: u64,
    /// The next byte to look at, in `buffer`.
    at: usize,
    /// Where the piece being scanned begins, in `buffer`.
    start: usize,
    state: State,
    scan: Scan,
    key: String,
    rows_seen: bool,
}

impl Framer {
    pub(crate) fn new(rows_key: &'static str) -> Self {
        Framer {
            rows_key,
            buffer: Vec::new(),
            base: 0,
            at: 0,
            start: 0,
            state: State::Start,
            scan: Scan::default(),
            key: String::new(),
            rows_seen: false,
        }
    }

    /// Bytes taken so far.
    pub(crate) fn taken(&self) -> u64 {
        self.base + self.buffer.len() as u64
    }

    /// Whether the array of rows has begun.
    pub(crate) fn rows_seen(&self) -> bool {
        self.rows_seen
    }

    /// Takes the next bytes and hands every piece that is complete with them to `sink`.
    pub(crate) fn feed(
        &mut self,
        bytes: &[u8],
        sink: &mut impl FnMut(Piece<'_>) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        self.buffer.extend_from_slice(bytes);
        while self.step(sink)? {}
        let unread = if self.scanning() { self.start } else { self.at };
        self.buffer.drain(..unread);
        self.base += unread as u64;
        self.at -= unread;
        self.start = 0;
        if self.buffer.len() > MAX_PIECE {
            return Err(self.too_long());
        }
        Ok(())
    }

    /// Says whether the answer is complete.
    pub(crate) fn finish(&self) -> Result<(), DecodeError> {
        if self.state == State::Done {
            return Ok(());
        }
        let taken = self.taken();
        let detail = match self.state {
            State::Start if taken == 0 => "the answer is empty".to_owned(),
            State::FirstRow | State::NextRow | State::InRow | State::AfterRow => {
                format!("the answer ends after {taken} bytes, before its rows do")
            }
            _ => format!("the answer ends after {taken} bytes, before its last brace"),
        };
        Err(DecodeError::new(detail).at(taken))
    }

    fn scanning(&self) -> bool {
        matches!(self.state, State::InKey | State::InValue | State::InRow)
    }

    fn too_long(&self) -> DecodeError {
        DecodeError::new("a single row or value of more than 256 MiB").at(self.base + self.start as u64)
    }

    fn wrong(&self, detail: impl Into<String>) -> DecodeError {
        DecodeError::new(detail).at(self.base + self.at as u64)
    }

    /// One transition; false when more bytes are needed.
    fn step(
        &mut self,
        sink: &mut impl FnMut(Piece<'_>) -> Result<(), DecodeError>,
    ) -> Result<bool, DecodeError> {
        if self.scanning() {
            return self.scan_on(sink);
        }
        if self.state == State::Start && self.skip_mark().is_none() {
            return Ok(false);
        }
        let Some(byte) = self.peek() else { return Ok(false) };
        let next = match (self.state, byte) {
            (State::Start, b'{') => State::FirstKey,
            (State::FirstKey | State::AfterValue, b'}') => State::Done,
            (State::FirstKey | State::NextKey, b'"') => return Ok(self.begin(State::InKey)),
            (State::Colon, b':') => State::Value,
            (State::Value, b'[') if self.key == self.rows_key => self.open_rows()?,
            (State::Value, b'n') if self.key == self.rows_key => return Ok(self.begin(State::InValue)),
            (State::Value, _) if self.key == self.rows_key => {
                return Err(self.wrong(format!("`{}` is not an array", self.rows_key)));
            }
            (State::Value, _) => return Ok(self.begin(State::InValue)),
            (State::AfterValue, b',') => State::NextKey,
            (State::FirstRow | State::AfterRow, b']') => State::AfterValue,
            (State::FirstRow | State::NextRow, _) => return Ok(self.begin(State::InRow)),
            (State::AfterRow, b',') => State::NextRow,
            (state, byte) => return Err(self.wrong(unexpected(state, byte))),
        };
        self.state = next;
        self.at += 1;
        Ok(true)
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.buffer.get(self.at..)?;
        let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
        self.at += blank;
        rest.get(blank).copied()
    }

    /// Passes over a UTF-8 byte order mark; `None` while it may still be arriving.
    fn skip_mark(&mut self) -> Option<()> {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        if self.base == 0 && self.at == 0 && !self.buffer.is_empty() {
            if self.buffer.starts_with(MARK) {
                self.at = MARK.len();
            } else if MARK.starts_with(&self.buffer) {
                return None;
            }
        }
        Some(())
    }

    fn begin(&mut self, state: State) -> bool {
        self.start = self.at;
        self.scan = Scan::default();
        self.state = state;
        true
    }

    fn open_rows(&mut self) -> Result<State, DecodeError> {
        if std::mem::replace(&mut self.rows_seen, true) {
            return Err(self.wrong(format!("`{}` is there twice", self.rows_key)));
        }
        Ok(State::FirstRow)
    }

    fn scan_on(
        &mut self,
        sink: &mut impl FnMut(Piece<'_>) -> Result<(), DecodeError>,
    ) -> Result<bool, DecodeError> {
        let end = match self.scan.run(&self.buffer, self.at) {
            Scanned::End(end) => end,
            Scanned::More => {
                self.at = self.buffer.len();
                return Ok(false);
            }
            Scanned::TooDeep(at) => {
                self.at = at;
                return Err(self.wrong("nested deeper than 128 levels"));
            }
        };
        if end - self.start > MAX_PIECE {
            return Err(self.too_long());
        }
        let bytes = &self.buffer[self.start..end];
        let offset = self.base + self.start as u64;
        self.state = match self.state {
            State::InKey => {
                self.key = serde_json::from_slice(bytes).map_err(|error| {
                    DecodeError::new(format!("a key that is no string: {error}")).at(offset)
                })?;
                State::Colon
            }
            State::InValue => {
                sink(Piece::Field { key: &self.key, bytes, offset })?;
                State::AfterValue
            }
            _ => {
                sink(Piece::Row { bytes, offset })?;
                State::AfterRow
            }
        };
        self.at = end;
        Ok(true)
    }
}

fn unexpected(state: State, byte: u8) -> String {
    let found = if byte.is_ascii_graphic() {
        format!("`{}`", char::from(byte))
    } else {
        format!("byte 0x{byte:02x}")
    };
    let expected = match state {
        State::Start if byte == b'<' => return "the answer is an HTML page, not JSON".to_owned(),
        State::Start => return format!("the answer is no JSON object: it begins with {found}"),
        State::Done => return format!("{found} after the end of the answer"),
        State::Colon => "`:`",
        State::AfterRow => "`,` or `]` after a row",
        State::AfterValue => "`,` or `}` after a value",
        _ => "a key",
    };
    format!("{found} where {expected} was expected")
}
