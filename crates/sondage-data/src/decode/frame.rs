//! Splits a response into its rows and its other top-level values while the bytes arrive. Only the unread tail is kept,
//! at most one row or one value long.

use simdutf8::compat::from_utf8;
use sondage::internals::readable::Readable;

use super::chunk::utf8;
use super::scan::{Scan, Scanned};
use crate::error::DecodeError;

/// A longer row is refused: it is decoded in one step, while all others wait. The limit also keeps a chunk of rows within
/// Arrow's 2 GiB of text (`chunk::CHUNK_BYTES`).
pub(crate) const MAX_PIECE: usize = 32 << 20;
/// Zero padding after a row that arrived in several chunks, so that [`Sink::fast_path`] can read beyond its end.
const PADDING: usize = 32;
/// The block size of processing: the bytes stay in the processor's cache from validation to decoding.
const BLOCK: usize = 256 << 10;

/// Receives the parts of a response.
pub(crate) trait Sink {
    /// Reads the row at the start of `text`, if that is possible without knowing where it ends, and returns the end.
    /// `None` changes nothing: the row is then split off and passed to [`Sink::row`].
    fn fast_path(&mut self, text: &str) -> Option<usize>;

    /// A complete element of the array of rows, with its byte offset in the response.
    fn row(&mut self, bytes: &[u8], offset: u64) -> Result<(), DecodeError>;

    /// Any other top-level value, or a `null` instead of the rows.
    fn field(&mut self, key: &str, bytes: &[u8], offset: u64) -> Result<(), DecodeError>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FrameState {
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

/// The reader of one response.
#[derive(Debug)]
pub(crate) struct Framer {
    /// The key of the array of rows: `interviews` or `members`.
    rows_key: &'static str,
    /// The beginning of the token being scanned, if it arrived with earlier bytes.
    carry: Vec<u8>,
    /// The offset of the token being scanned in the response.
    piece: u64,
    /// The offset of the current bytes in the response.
    base: u64,
    /// The number of bytes of a byte order mark that have arrived.
    mark: usize,
    state: FrameState,
    scan: Scan,
    key: String,
    rows_seen: bool,
}

impl Framer {
    pub(crate) fn new(rows_key: &'static str) -> Self {
        Framer {
            rows_key,
            carry: Vec::new(),
            piece: 0,
            base: 0,
            mark: 0,
            state: FrameState::Start,
            scan: Scan::default(),
            key: String::new(),
            rows_seen: false,
        }
    }

    /// Bytes taken so far.
    pub(crate) fn taken(&self) -> u64 {
        self.base
    }

    /// Whether the array of rows has begun.
    pub(crate) fn rows_seen(&self) -> bool {
        self.rows_seen
    }

    /// Takes the next bytes and passes every part that they complete to `sink`.
    pub(crate) fn feed(&mut self, bytes: &[u8], sink: &mut impl Sink) -> Result<(), DecodeError> {
        bytes.chunks(BLOCK).try_for_each(|block| self.block(block, sink))
    }

    fn block(&mut self, bytes: &[u8], sink: &mut impl Sink) -> Result<(), DecodeError> {
        let text = ValidPrefix::of(bytes);
        let mut at = self.skip_mark(bytes)?;
        loop {
            let next = if self.scanning() {
                self.scan_on(bytes, at, sink)?
            } else {
                self.step(bytes, at, text, sink)?
            };
            match next {
                Some(next) => at = next,
                None => break,
            }
        }
        self.base += bytes.len() as u64;
        if self.carry.len() > MAX_PIECE { Err(self.too_long()) } else { Ok(()) }
    }

    /// Checks that the response is complete.
    pub(crate) fn finish(&self) -> Result<(), DecodeError> {
        if self.state == FrameState::Done {
            return Ok(());
        }
        let consumed = self.taken();
        let detail = match self.state {
            FrameState::Start if consumed == 0 => "the response is empty".to_owned(),
            FrameState::FirstRow | FrameState::NextRow | FrameState::InRow | FrameState::AfterRow => {
                format!("the response ends after {consumed} bytes, before its rows do")
            }
            _ => format!("the response ends after {consumed} bytes, before its last brace"),
        };
        Err(DecodeError::new(detail).at(consumed))
    }

    fn scanning(&self) -> bool {
        matches!(self.state, FrameState::InKey | FrameState::InValue | FrameState::InRow)
    }

    fn too_long(&self) -> DecodeError {
        DecodeError::new("a single row or value of more than 32 MiB").at(self.piece)
    }

    fn wrong(&self, at: usize, detail: impl Into<sondage::error::Text>) -> DecodeError {
        DecodeError::new(detail).at(self.base + at as u64)
    }

    /// Skips a UTF-8 byte order mark, or the part of it that has arrived, and returns where the text begins.
    fn skip_mark(&mut self, bytes: &[u8]) -> Result<usize, DecodeError> {
        const MARK: &[u8] = b"\xEF\xBB\xBF";
        let mut at = 0;
        while self.mark < MARK.len() {
            match bytes.get(at) {
                None => break,
                Some(byte) if *byte == MARK[self.mark] => {
                    self.mark += 1;
                    at += 1;
                }
                Some(_) if self.mark == 0 => self.mark = MARK.len(),
                Some(_) => return Err(DecodeError::new(unexpected(FrameState::Start, MARK[0])).at(0)),
            }
        }
        Ok(at)
    }

    /// Processes the byte `at`, and returns the position of the next one to process; `None` when more bytes are needed.
    fn step(
        &mut self,
        bytes: &[u8],
        at: usize,
        text: ValidPrefix<'_>,
        sink: &mut impl Sink,
    ) -> Result<Option<usize>, DecodeError> {
        let Some(at) = skip_blank(bytes, at) else { return Ok(None) };
        let is_rows = self.state == FrameState::Value && self.key == self.rows_key;
        self.state = match (self.state, bytes[at]) {
            (FrameState::Start, b'{') => FrameState::FirstKey,
            (FrameState::FirstKey | FrameState::AfterValue, b'}') => FrameState::Done,
            (FrameState::FirstKey | FrameState::NextKey, b'"') => {
                return Ok(Some(self.begin(FrameState::InKey, at)));
            }
            (FrameState::Colon, b':') => FrameState::Value,
            (FrameState::Value, b'[') if is_rows => self.open_rows(at)?,
            (FrameState::Value, b'n') if is_rows => return Ok(Some(self.begin(FrameState::InValue, at))),
            (FrameState::Value, _) if is_rows => {
                return Err(self.wrong(at, format!("`{}` is not an array", self.rows_key)));
            }
            (FrameState::Value, _) => return Ok(Some(self.begin(FrameState::InValue, at))),
            (FrameState::AfterValue, b',') => FrameState::NextKey,
            (FrameState::FirstRow | FrameState::AfterRow, b']') => FrameState::AfterValue,
            (FrameState::FirstRow | FrameState::NextRow, _) => {
                if let Some(length) = text.from(at).and_then(|rest| sink.fast_path(rest)) {
                    self.state = FrameState::AfterRow;
                    return Ok(Some(at + length));
                }
                return Ok(Some(self.begin(FrameState::InRow, at)));
            }
            (FrameState::AfterRow, b',') => FrameState::NextRow,
            (state, byte) => return Err(self.wrong(at, unexpected(state, byte))),
        };
        Ok(Some(at + 1))
    }

    fn begin(&mut self, state: FrameState, at: usize) -> usize {
        self.piece = self.base + at as u64;
        self.scan = Scan::default();
        self.carry.clear();
        self.state = state;
        at
    }

    fn open_rows(&mut self, at: usize) -> Result<FrameState, DecodeError> {
        if std::mem::replace(&mut self.rows_seen, true) {
            return Err(self.wrong(at, format!("`{}` occurs twice", self.rows_key)));
        }
        Ok(FrameState::FirstRow)
    }

    /// Continues the token that began at or before the byte `at`; returns where it ends.
    fn scan_on(
        &mut self,
        bytes: &[u8],
        at: usize,
        sink: &mut impl Sink,
    ) -> Result<Option<usize>, DecodeError> {
        match self.scan.run(bytes, at) {
            Scanned::End(end) => {
                self.complete(&bytes[at..end], sink)?;
                Ok(Some(end))
            }
            Scanned::More => {
                self.carry.extend_from_slice(&bytes[at..]);
                Ok(None)
            }
            Scanned::TooDeep(at) => Err(self.wrong(at, "nested deeper than 128 levels")),
        }
    }

    /// Passes on the token of which `rest` is the end.
    fn complete(&mut self, rest: &[u8], sink: &mut impl Sink) -> Result<(), DecodeError> {
        let length = self.carry.len() + rest.len();
        if length > MAX_PIECE {
            return Err(self.too_long());
        }
        let mut piece = rest;
        if !self.carry.is_empty() {
            self.carry.extend_from_slice(rest);
            if self.state == FrameState::InRow {
                self.carry.resize(length + PADDING, 0);
                let read = from_utf8(&self.carry).ok().and_then(|row| sink.fast_path(row));
                self.carry.truncate(length);
                if read.is_some() {
                    self.state = FrameState::AfterRow;
                    return Ok(());
                }
            }
            piece = &self.carry[..length];
        }
        self.state = match self.state {
            FrameState::InKey => {
                let key = Readable::of(piece).text;
                self.key = serde_json::from_str(utf8(&key, self.piece)?).map_err(|error| {
                    DecodeError::new(format!("a key that is not a string: {error}")).at(self.piece)
                })?;
                FrameState::Colon
            }
            FrameState::InValue => {
                sink.field(&self.key, piece, self.piece)?;
                FrameState::AfterValue
            }
            _ => {
                sink.row(piece, self.piece)?;
                FrameState::AfterRow
            }
        };
        Ok(())
    }
}

/// The valid UTF-8 prefix of a block. A block may begin and end within a character.
#[derive(Clone, Copy)]
struct ValidPrefix<'a> {
    start: usize,
    text: &'a str,
}

impl<'a> ValidPrefix<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let start = bytes.iter().take(3).take_while(|byte| matches!(byte, 0x80..0xC0)).count();
        let rest = &bytes[start..];
        let text =
            from_utf8(rest).or_else(|error| from_utf8(&rest[..error.valid_up_to()])).unwrap_or_default();
        ValidPrefix { start, text }
    }

    /// The text from the byte `at` of the block.
    fn from(self, at: usize) -> Option<&'a str> {
        self.text.get(at.checked_sub(self.start)?..)
    }
}

/// The place of the next byte that is not white space.
fn skip_blank(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let blank = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
    (blank < rest.len()).then_some(at + blank)
}

fn unexpected(state: FrameState, byte: u8) -> String {
    let byte_name = if byte.is_ascii_graphic() {
        format!("`{}`", char::from(byte))
    } else {
        format!("byte 0x{byte:02x}")
    };
    let expected = match state {
        FrameState::Start if byte == b'<' => return "the response is an HTML page, not JSON".to_owned(),
        FrameState::Start => return format!("the response is not a JSON object: it begins with {byte_name}"),
        FrameState::Done => return format!("{byte_name} after the end of the answer"),
        FrameState::Colon => "`:`",
        FrameState::AfterRow => "`,` or `]` after a row",
        FrameState::AfterValue => "`,` or `}` after a value",
        _ => "a key",
    };
    format!("{byte_name} where {expected} was expected")
}
