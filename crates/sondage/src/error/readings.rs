//! All possible decodings of untrusted text: percent encoding, JSON, HTML, and several of them nested.
//!
//! Each position of the text can be read as the literal byte and, if an escape begins there, as the decoded byte. No
//! reading is preferred: a search for a word tries all of them, and so finds where the word occurs in the text.

use std::collections::HashMap;

/// The maximum number of nested encodings.
const LAYERS: usize = 3;
/// The length of the longest escape: `\u{10ffff}`, `&#1114111;`.
const DIGITS: usize = 7;

/// A byte that a position may be read as, and the position after it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ReadBytes {
    bytes: [u8; 4],
    len: usize,
    pub next: usize,
}

impl ReadBytes {
    fn byte(byte: u8, next: usize) -> Self {
        Self { bytes: [byte, 0, 0, 0], len: 1, next }
    }

    fn char(code: u32, next: usize) -> Option<Self> {
        let mut bytes = [0; 4];
        let len = char::from_u32(code)?.encode_utf8(&mut bytes).len();
        Some(Self { bytes, len, next })
    }

    /// The decoded bytes. Empty: the text ends in the middle of an escape.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// All readings of a text.
pub struct Readings<'a> {
    text: &'a [u8],
    escapes: HashMap<usize, Vec<ReadBytes>>,
}

impl<'a> Readings<'a> {
    /// Prepares the readings of a text.
    pub fn of(text: &'a str) -> Self {
        let text = text.as_bytes();
        let mut all = Self { text, escapes: HashMap::new() };
        let positions: Vec<usize> = (0..text.len()).filter(|at| begins(text[*at])).collect();
        for _ in 0..LAYERS {
            let mut more = false;
            // In ascending order, so that the text after a position is read with one layer less.
            for &at in &positions {
                let mut readings = Vec::new();
                for begin in all.at(at).filter(|reading| reading.len == 1) {
                    Escape { all: &all, found: &mut readings }.read(begin.bytes[0], begin.next);
                }
                let escapes = all.escapes.entry(at).or_default();
                for reading in readings {
                    if !escapes.contains(&reading) {
                        escapes.push(reading);
                        more = true;
                    }
                }
            }
            if !more {
                break;
            }
        }
        all
    }

    /// The readings of a position.
    pub fn at(&self, at: usize) -> impl Iterator<Item = ReadBytes> + '_ {
        let plain = self.text.get(at).map(|byte| ReadBytes::byte(*byte, at + 1));
        plain.into_iter().chain(self.escapes.get(&at).into_iter().flatten().copied())
    }

    /// Calls back with every prefix of the given length that may start at a position.
    pub fn starts<const N: usize>(&self, at: usize, see: &mut impl FnMut([u8; N])) {
        let mut open = vec![([0; N], 0, at)];
        while let Some((start, len, at)) = open.pop() {
            if len == N {
                see(start);
                continue;
            }
            for reading in self.at(at).filter(|reading| reading.len > 0) {
                let (mut start, bytes) = (start, &reading.bytes()[..reading.len.min(N - len)]);
                start[len..len + bytes.len()].copy_from_slice(bytes);
                open.push((start, len + bytes.len(), reading.next));
            }
        }
    }

    /// Whether a position has more than one reading.
    pub fn branches(&self, at: usize) -> bool {
        self.escapes.contains_key(&at)
    }

    fn signs(&self, at: usize) -> impl Iterator<Item = (u8, usize)> + '_ {
        self.at(at).filter(|reading| reading.len == 1).map(|reading| (reading.bytes[0], reading.next))
    }
}

fn begins(byte: u8) -> bool {
    matches!(byte, b'%' | b'\\' | b'&')
}

/// Decodes an escape, whose own characters may be encoded as well.
struct Escape<'a, 'b> {
    all: &'a Readings<'a>,
    found: &'b mut Vec<ReadBytes>,
}

impl Escape<'_, '_> {
    fn read(&mut self, begin: u8, at: usize) {
        match begin {
            b'%' => {
                self.code(at, 2);
                for (_, at) in self.signs(at, |sign| sign == b'u') {
                    self.code(at, 4);
                }
            }
            b'\\' => self.backslash(at),
            b'&' => self.entity(at),
            _ => {}
        }
    }

    fn backslash(&mut self, at: usize) {
        for (sign, at) in self.signs(at, |_| true) {
            match sign {
                b'u' => {
                    self.code(at, 4);
                    for (_, at) in self.signs(at, |sign| sign == b'{') {
                        self.number(at, 16, b'}');
                    }
                }
                b'x' => self.code(at, 2),
                b'"' | b'\'' | b'\\' | b'/' => self.found.push(ReadBytes::byte(sign, at)),
                b'n' => self.found.push(ReadBytes::byte(b'\n', at)),
                b'r' => self.found.push(ReadBytes::byte(b'\r', at)),
                b't' => self.found.push(ReadBytes::byte(b'\t', at)),
                b'b' => self.found.push(ReadBytes::byte(8, at)),
                b'f' => self.found.push(ReadBytes::byte(12, at)),
                _ => {}
            }
        }
    }

    fn entity(&mut self, at: usize) {
        for (_, at) in self.signs(at, |sign| sign == b'#') {
            self.number(at, 10, b';');
            for (_, at) in self.signs(at, |sign| sign | 32 == b'x') {
                self.number(at, 16, b';');
            }
        }
        for (name, byte) in [("amp", b'&'), ("lt", b'<'), ("gt", b'>'), ("quot", b'"'), ("apos", b'\'')] {
            let mut ends = vec![at];
            for letter in name.bytes().chain([b';']) {
                ends = ends
                    .iter()
                    .flat_map(|at| self.signs(*at, |sign| sign == letter))
                    .map(|it| it.1)
                    .collect();
            }
            self.found.extend(ends.into_iter().map(|at| ReadBytes::byte(byte, at)));
        }
    }

    /// Reads a number of exactly this many digits: two make a byte or a character; more make a UTF-16 code unit of JSON.
    fn code(&mut self, at: usize, digits: usize) {
        for (code, at) in self.digits(at, 16, digits) {
            match (digits, code) {
                (2, code) => {
                    self.found.extend(u8::try_from(code).ok().map(|byte| ReadBytes::byte(byte, at)));
                    self.found.extend(ReadBytes::char(code, at).filter(|_| code >= 0x80));
                }
                (_, 0xd800..=0xdbff) => {
                    for (_, at) in self.signs(at, |sign| sign == b'\\' || sign == b'%') {
                        for (_, at) in self.signs(at, |sign| sign == b'u') {
                            self.second_half(code, at);
                        }
                    }
                }
                _ => self.found.extend(ReadBytes::char(code, at)),
            }
        }
    }

    /// The second half of the surrogate pair that began with this first half.
    fn second_half(&mut self, first: u32, at: usize) {
        for (low, at) in self.digits(at, 16, 4) {
            let low = low.checked_sub(0xdc00).filter(|low| *low < 0x400);
            let whole = low.map(|low| 0x10000 + ((first - 0xd800) << 10) + low);
            self.found.extend(whole.and_then(|code| ReadBytes::char(code, at)));
        }
    }

    /// Reads a number of any length, up to the character that ends it.
    fn number(&mut self, at: usize, base: u32, end: u8) {
        for count in 1..=DIGITS {
            let numbers = self.digits(at, base, count);
            if numbers.is_empty() {
                return;
            }
            for (code, at) in numbers {
                let ends = self.signs(at, |sign| sign == end);
                self.found.extend(ends.into_iter().filter_map(|(_, at)| ReadBytes::char(code, at)));
            }
        }
    }

    fn digits(&mut self, at: usize, base: u32, count: usize) -> Vec<(u32, usize)> {
        let mut numbers = vec![(0, at)];
        for _ in 0..count {
            let longer = numbers.into_iter().flat_map(|(number, at)| {
                let digits = self.signs(at, |sign| char::from(sign).is_digit(base));
                digits.into_iter().filter_map(move |(sign, at)| {
                    Some((number * base + char::from(sign).to_digit(base)?, at))
                })
            });
            numbers = longer.collect();
            numbers.dedup();
        }
        numbers
    }

    /// The readings of a position, as far as they are requested. At the end of the text, this is an escape whose end is
    /// missing.
    fn signs(&mut self, at: usize, wanted: impl Fn(u8) -> bool) -> Vec<(u8, usize)> {
        let end = self.all.text.len();
        if at == end || self.all.at(at).any(|reading| reading.len == 0) {
            self.found.push(ReadBytes { bytes: [0; 4], len: 0, next: end });
        }
        self.all.signs(at).filter(|(sign, _)| wanted(*sign)).collect()
    }
}
