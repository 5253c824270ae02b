//! Where a day begins.

use std::fmt;
use std::str::FromStr;

/// The time of day at which the service's day begins, in UTC. As text it has hours and minutes, and an optional offset:
/// `00:00`, `00:00Z`, `00:00+01:00`. Daylight saving time is ignored: the day begins at the same time all year.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayStart {
    /// Minutes after midnight in UTC.
    minutes: u16,
}

const MINUTE: u64 = 60_000;
/// Minutes of a day.
const MINUTES: u16 = 24 * 60;

impl DayStart {
    /// When the day that contains a time began. Both are milliseconds since 1970.
    pub(super) fn of(self, now: u64) -> u64 {
        let offset = u64::from(self.minutes) * MINUTE;
        let since = now.saturating_sub(offset);
        since - since % super::record::DAY + offset
    }
}

impl fmt::Display for DayStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}Z", self.minutes / 60, self.minutes % 60)
    }
}

impl FromStr for DayStart {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let text = text.trim();
        let (time, offset) = match text.find(['Z', 'z', '+', '-']) {
            Some(at) => text.split_at(at),
            None => (text, "Z"),
        };
        let time = clock(time.trim_end()).ok_or(())?;
        let later = match offset.split_at(1) {
            ("Z" | "z", "") => 0,
            ("+", offset) => MINUTES - clock(offset).ok_or(())?,
            ("-", offset) => clock(offset).ok_or(())?,
            _ => return Err(()),
        };
        Ok(Self { minutes: (time + later) % MINUTES })
    }
}

/// Parses `hh:mm` as minutes.
fn clock(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once(':')?;
    let number = |text: &str, most: u16| {
        let number: u16 = text.parse().ok().filter(|number| *number < most)?;
        (text.len() == 2 && text.bytes().all(|b| b.is_ascii_digit())).then_some(number)
    };
    Some(number(hours, 24)? * 60 + number(minutes, 60)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_where_the_setting_says() {
        for (text, shown) in [
            ("00:00", "00:00Z"),
            (" 06:30Z", "06:30Z"),
            ("00:00+01:00", "23:00Z"),
            ("00:00 -05:00", "05:00Z"),
            ("00:00+00:00", "00:00Z"),
            ("23:59+00:01", "23:58Z"),
        ] {
            let start: DayStart = text.parse().unwrap();
            assert_eq!(start.to_string(), shown, "{text}");
            assert_eq!(shown.parse(), Ok(start));
        }
        for text in
            ["", "0", "24:00", "00:60", "0:00", "00:00+1", "00:00X", "00:00Z1", "midnight", "-01:00", "+1:00"]
        {
            assert_eq!(text.parse::<DayStart>(), Err(()), "{text}");
        }
    }

    #[test]
    fn each_moment_lies_in_the_day_that_began_last() {
        const HOUR: u64 = 3_600_000;
        let start: DayStart = "23:00".parse().unwrap();
        let ten_days = 240 * HOUR;
        assert_eq!(start.of(ten_days), ten_days - HOUR);
        assert_eq!(start.of(ten_days + 23 * HOUR - 1), ten_days - HOUR);
        assert_eq!(start.of(ten_days + 23 * HOUR), ten_days + 23 * HOUR);
        assert_eq!(DayStart::default().of(ten_days + 5), ten_days);
    }
}
