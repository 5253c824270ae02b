//! Timestamps and dates in the service's formats.

use crate::column::timestamps::Moment;
use chrono::NaiveDate;

/// Seconds since 1970 in UTC, plus nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Instant {
    pub(crate) seconds: i64,
    pub(crate) nanos: u32,
}

/// Reads ISO 8601 with or without fraction and offset, and `yyyy-mm-dd hh:mm:ss.fff` with seconds and fraction optional.
/// A time without offset is UTC, as everywhere in the API. `None` for anything else, and for more than nine significant
/// fractional digits.
pub(crate) fn instant(text: &str) -> Option<Instant> {
    usual(text).or_else(|| any(text))
}

/// The format of nearly all timestamps.
fn usual(text: &str) -> Option<Instant> {
    let micros = Moment::whole(text)?.micros();
    let nanos = u32::try_from(micros.rem_euclid(1_000_000) * 1_000).ok()?;
    Some(Instant { seconds: micros.div_euclid(1_000_000), nanos })
}

/// All supported formats, including the usual one.
pub(crate) fn any(text: &str) -> Option<Instant> {
    let (day, rest) = text.split_at_checked(10)?;
    let days = i64::from(date(day)?);
    let mut rest = Cursor(rest.strip_prefix(['T', 't', ' '])?);
    let hours = rest.two_digits(23)?;
    rest.skip(':')?;
    let minutes = rest.two_digits(59)?;
    let (mut seconds, mut nanos) = (0, 0);
    if rest.skip(':').is_some() {
        seconds = rest.two_digits(59)?;
        if rest.skip('.').is_some() {
            nanos = rest.fraction()?;
        }
    }
    let offset = rest.offset()?;
    let seconds =
        days * 86_400 + i64::from(hours) * 3_600 + i64::from(minutes) * 60 + i64::from(seconds) - offset;
    Some(Instant { seconds, nanos })
}

/// Reads `yyyy-mm-dd` as days since 1970.
pub(crate) fn date(text: &str) -> Option<i32> {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let number = |range: std::ops::Range<usize>| {
        bytes[range]
            .iter()
            .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))
    };
    let year = i32::try_from(number(0..4)?).ok()?;
    let day = NaiveDate::from_ymd_opt(year, number(5..7)?, number(8..10)?)?;
    Some(day.to_epoch_days())
}

struct Cursor<'a>(&'a str);

impl Cursor<'_> {
    fn skip(&mut self, wanted: char) -> Option<()> {
        self.0 = self.0.strip_prefix(wanted)?;
        Some(())
    }

    fn two_digits(&mut self, most: u32) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(2)?;
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.0 = rest;
        digits.parse().ok().filter(|&number| number <= most)
    }

    fn fraction(&mut self) -> Option<u32> {
        let end = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at(end);
        self.0 = rest;
        let (kept, beyond) = digits.split_at(digits.len().min(9));
        if kept.is_empty() || beyond.bytes().any(|byte| byte != b'0') {
            return None;
        }
        kept.bytes()
            .chain(std::iter::repeat(b'0'))
            .take(9)
            .try_fold(0, |sum, byte| Some(sum * 10 + u32::from(byte - b'0')))
    }

    /// Seconds east of UTC, from an offset at the end of the text.
    fn offset(&mut self) -> Option<i64> {
        if matches!(self.0, "" | "Z" | "z") {
            return Some(0);
        }
        let sign = if self.skip('+').is_some() {
            1
        } else {
            self.skip('-')?;
            -1
        };
        let hours = self.two_digits(23)?;
        let _ = self.skip(':');
        let minutes = self.two_digits(59)?;
        self.0.is_empty().then(|| sign * i64::from(hours * 3_600 + minutes * 60))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_writing_a_moment() {
        let noon = Instant { seconds: 1_709_208_000, nanos: 0 };
        let spellings = [
            "2024-02-29T12:00:00Z",
            "2024-02-29T12:00:00",
            "2024-02-29 12:00:00.000",
            "2024-02-29 12:00",
            "2024-02-29T13:30:00.0000000+01:30",
            "2024-02-29T04:00:00-0800",
        ];
        for text in spellings {
            assert_eq!(instant(text), Some(noon), "{text}");
        }
        assert_eq!(instant("2024-02-29T12:00:00.1234567Z"), Some(Instant { nanos: 123_456_700, ..noon }));
        assert_eq!(instant("1969-12-31T23:59:59.5Z"), Some(Instant { seconds: -1, nanos: 500_000_000 }));
    }

    #[test]
    fn the_usual_way_is_only_quicker() {
        let usual_ones = ["2024-02-29T12:00:00Z", "1969-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z"];
        for text in usual_ones {
            assert!(usual(text).is_some(), "{text}");
            assert_eq!(usual(text), any(text), "{text}");
            for at in 0..text.len() {
                for other in ['0', '9', '5', ':', '-', 'Z', ' ', '.', 'T'] {
                    let changed: String =
                        text.chars().enumerate().map(|(i, c)| if i == at { other } else { c }).collect();
                    if let Some(instant) = usual(&changed) {
                        assert_eq!(Some(instant), any(&changed), "{changed}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_no_moment() {
        let wrong = [
            "",
            "yesterday",
            "2024-02-30T12:00:00Z",
            "2023-02-29T12:00:00Z",
            "2024-13-01T12:00:00Z",
            "2024-02-29",
            "2024-02-29T24:00:00Z",
            "2024-02-29T12:00:00.Z",
            "2024-02-29T12:00:00.1234567891Z",
            "2024-02-29T12:00:00 UTC",
            "2024-02-29T12:00:00+1",
            "2024-02-29T12:00:00Zz",
            "2024-02-2ü12:00:00",
            "+024-02-29T12:00:00Z",
        ];
        for text in wrong {
            assert_eq!(instant(text), None, "{text}");
        }
    }
}
