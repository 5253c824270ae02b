//! Timestamps converted to numbers when they arrive: an eighth of the work of keeping their texts and parsing them at the
//! end, and a third of the memory. Each keeps its spelling, so that the exact text can be restored.
#![allow(clippy::inline_always, reason = "called once per cell of a timestamp column: measured")]
#![allow(clippy::cast_possible_truncation, reason = "casts extract the bytes of a word")]

use super::days::{date_of_days, days};

/// Timestamps.
#[derive(Debug, Default)]
pub(crate) struct TimestampBuffer {
    /// Microseconds since 1970 in UTC; 0 for nulls.
    micros: Vec<i64>,
    spellings: Vec<Spelling>,
}

/// The spelling of a timestamp: `yyyy-mm-ddThh:mm:ss`, then up to six fractional digits, then `Z` or nothing. Any other
/// spelling (an offset, finer digits) stays text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    micros: i64,
    spelling: Spelling,
}

/// The number of fractional digits, and [`Spelling::UTC`] if a `Z` follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Spelling(u8);

impl Spelling {
    const UTC: u8 = 0x80;

    fn digits(self) -> usize {
        usize::from(self.0 & !Self::UTC)
    }
}

impl Moment {
    /// The length of the longest spelling, in bytes.
    pub(crate) const LONGEST: usize = "yyyy-mm-ddThh:mm:ss.ffffffZ".len();

    /// Parses the timestamp at the start of `text`, and returns its length.
    #[inline]
    pub(crate) fn read(text: &[u8]) -> Option<(Moment, usize)> {
        let word = |at: usize| Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?));
        // `yyyy-mm-`, `ddThh:mm` and `hh:mm:ss`.
        let first = numbers(word(0)?, *b"0000-00-")?;
        let second = numbers(word(8)?, *b"00T00:00")?;
        let third = numbers(word(11)?, *b"00:00:00")?;
        let (year, month, day) = (two(first, 0) * 100 + two(first, 2), two(first, 5), two(second, 0));
        let (hours, minutes, seconds) = (two(third, 0), two(third, 3), two(third, 6));
        if hours > 23 || minutes > 59 || seconds > 59 {
            return None;
        }
        let seconds =
            i64::from(days(year, month, day)?) * 86_400 + i64::from(hours * 3_600 + minutes * 60 + seconds);
        let (micros, digits, mut end) = fraction(text)?;
        let mut spelling = digits;
        if text.get(end) == Some(&b'Z') {
            (spelling, end) = (digits | Spelling::UTC, end + 1);
        }
        Some((Moment { micros: seconds * 1_000_000 + micros, spelling: Spelling(spelling) }, end))
    }

    /// Microseconds since 1970 in UTC.
    pub(crate) fn micros(self) -> i64 {
        self.micros
    }

    /// Parses `text` if all of it is one timestamp.
    pub(crate) fn whole(text: &str) -> Option<Moment> {
        let (moment, end) = Moment::read(text.as_bytes())?;
        (end == text.len()).then_some(moment)
    }

    /// Appends the original text.
    fn write(self, out: &mut Vec<u8>) {
        let (seconds, micros) = (self.micros.div_euclid(1_000_000), self.micros.rem_euclid(1_000_000));
        let (year, month, day) = date_of_days(seconds.div_euclid(86_400));
        let of_day = seconds.rem_euclid(86_400);
        let mut text = *b"0000-00-00T00:00:00.000000";
        let numbers = [year / 100, year % 100, month, day, of_day / 3_600, of_day / 60 % 60, of_day % 60];
        let fraction = [micros / 10_000, micros / 100 % 100, micros % 100];
        let offsets = [0, 2, 5, 8, 11, 14, 17, 20, 22, 24];
        for (at, number) in offsets.into_iter().zip(numbers.into_iter().chain(fraction)) {
            // None exceeds 99: the supported years have four digits.
            let number = u8::try_from(number).unwrap_or_default();
            text[at] += number / 10;
            text[at + 1] += number % 10;
        }
        let digits = self.spelling.digits();
        let end = if digits == 0 { SECONDS_END } else { SECONDS_END + 1 + digits };
        out.extend_from_slice(&text[..end]);
        if self.spelling.0 & Spelling::UTC != 0 {
            out.push(b'Z');
        }
    }
}

/// The position after the seconds of a timestamp.
const SECONDS_END: usize = 19;

/// The digits of eight bytes as numbers from 0 to 9, if there are digits where `pattern` has a 0, and the pattern's
/// characters elsewhere.
#[inline(always)]
fn numbers(word: u64, pattern: [u8; 8]) -> Option<u64> {
    let mut signs = [0; 8];
    let mut at = 0;
    while at < 8 {
        signs[at] = if pattern[at] == b'0' { 0 } else { 0xFF };
        at += 1;
    }
    let signs = u64::from_le_bytes(signs);
    let numbers = word ^ u64::from_le_bytes(pattern);
    // A non-digit is now above 9 in a digit position, and a wrong separator above 0 in the others.
    let above = numbers.wrapping_add(0x7676_7676_7676_7676 & !signs) | numbers;
    (above & 0x8080_8080_8080_8080 == 0 && numbers & signs == 0).then_some(numbers)
}

/// The two-digit number at a position.
#[inline(always)]
fn two(numbers: u64, at: u32) -> u32 {
    let digit = |at: u32| (numbers >> (8 * at)) as u8;
    u32::from(digit(at)) * 10 + u32::from(digit(at + 1))
}

/// The fractional seconds of a timestamp in microseconds, the number of their digits, and where they end.
#[inline(always)]
fn fraction(text: &[u8]) -> Option<(i64, u8, usize)> {
    if text.get(SECONDS_END) != Some(&b'.') {
        return Some((0, 0, SECONDS_END));
    }
    let (mut micros, mut scale, mut digits) = (0, 1_000_000, 0);
    for byte in &text[SECONDS_END + 1..] {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        if digits == 6 {
            return None;
        }
        scale /= 10;
        micros += i64::from(digit) * scale;
        digits += 1;
    }
    (digits > 0).then_some((micros, digits, SECONDS_END + 1 + usize::from(digits)))
}

impl TimestampBuffer {
    pub(crate) fn with_empty(len: usize, rows: usize) -> Self {
        let room = rows.max(len);
        let (mut micros, mut spellings) = (Vec::with_capacity(room), Vec::with_capacity(room));
        micros.resize(len, 0);
        spellings.resize(len, Spelling::default());
        TimestampBuffer { micros, spellings }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, moment: Moment) {
        self.micros.push(moment.micros);
        self.spellings.push(moment.spelling);
    }

    /// Appends nulls until there are `len` entries.
    pub(crate) fn pad_nulls(&mut self, len: usize) {
        self.micros.resize(len, 0);
        self.spellings.resize(len, Spelling::default());
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.micros.truncate(len);
        self.spellings.truncate(len);
    }

    pub(crate) fn append(&mut self, mut other: TimestampBuffer) {
        self.micros.append(&mut other.micros);
        self.spellings.append(&mut other.spellings);
    }

    pub(crate) fn get(&self, row: usize) -> Moment {
        Moment { micros: self.micros[row], spelling: self.spellings[row] }
    }

    /// Appends the text of a row that is not null.
    pub(crate) fn write(&self, row: usize, out: &mut Vec<u8>) {
        self.get(row).write(out);
    }

    /// The text of a row that is not null.
    pub(crate) fn text(&self, row: usize) -> String {
        let mut out = Vec::new();
        self.write(row, &mut out);
        String::from_utf8(out).unwrap_or_default()
    }

    /// Shrinks the buffers to what is needed.
    pub(crate) fn close(&mut self) {
        super::give_back(&mut self.micros);
        super::give_back(&mut self.spellings);
    }

    pub(crate) fn into_micros(self) -> Vec<i64> {
        self.micros
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::time::any;

    fn written(moment: Moment) -> String {
        let mut out = Vec::new();
        moment.write(&mut out);
        String::from_utf8(out).expect("digits")
    }

    #[test]
    fn what_is_read_is_the_moment_and_is_written_as_it_was() {
        let days = [
            "2024-02-29",
            "1970-01-01",
            "1969-12-31",
            "0000-01-01",
            "0001-03-01",
            "9999-12-31",
            "1900-02-28",
        ];
        let times = [
            "00:00:00",
            "23:59:59",
            "12:34:56",
            "12:34:56.1",
            "23:59:59.990",
            "00:00:00.000001",
            "01:02:03.000",
        ];
        for (day, time) in days.iter().flat_map(|day| times.map(|time| (day, time))) {
            for end in ["", "Z"] {
                let text = format!("{day}T{time}{end}");
                let moment = Moment::whole(&text).expect("a moment");
                assert_eq!(written(moment), text);
                let other = any(&text).expect("a moment");
                assert_eq!(
                    moment.micros,
                    other.seconds * 1_000_000 + i64::from(other.nanos / 1_000),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn one_byte_more_or_less_or_other_is_no_other_moment() {
        let signs = ['0', '1', '3', '6', '9', '/', ':', '-', 'T', 't', ' ', '.', 'Z', '"', '\u{b0}'];
        for text in ["2024-02-29T12:00:00.123Z", "2024-12-31T23:59:59"] {
            for at in 0..=text.len() {
                let (start, rest) = text.split_at(at);
                let shorter = format!("{start}{}", rest.get(1..).unwrap_or_default());
                let changed = signs.iter().flat_map(|sign| {
                    [
                        format!("{start}{sign}{}", rest.get(1..).unwrap_or_default()),
                        format!("{start}{sign}{rest}"),
                    ]
                });
                for text in changed.chain([shorter]) {
                    if let Some(moment) = Moment::whole(&text) {
                        assert_eq!(written(moment), text);
                        assert!(any(&text).is_some(), "{text}");
                    }
                }
            }
        }
        for text in [
            "",
            "2023-02-29T00:00:00Z",
            "2024-02-29T24:00:00Z",
            "2024-02-29T12:00:00.Z",
            "2024-02-29T12:00:00.1234567Z",
        ] {
            assert_eq!(Moment::whole(text), None, "{text}");
        }
    }
}
