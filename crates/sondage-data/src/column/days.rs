//! Dates of the Gregorian calendar as numbers of days, and back.

/// The number of days since 1970 of a Gregorian date; `None` if there is no such date.
pub(crate) fn days(year: u32, month: u32, day: u32) -> Option<i32> {
    const DAYS: [u8; 13] = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let most = u32::from(*DAYS.get(month as usize)?) + u32::from(leap && month == 2);
    if day == 0 || day > most {
        return None;
    }
    // If a year begins in March, the leap day is at its end, and the months repeat a pattern of 153 days per five months.
    let (year, month) = if month > 2 { (year + 400, month - 3) } else { (year + 399, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1;
    i32::try_from(days).ok().map(|days| days - DAYS_TO_1970)
}

/// From March of the year -400 to 1970.
const DAYS_TO_1970: i32 = 719_468 + 146_097;

/// The year, month and day for a number of [`days`].
pub(crate) fn date_of_days(days: i64) -> (i64, i64, i64) {
    let days = days + i64::from(DAYS_TO_1970);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let year = era * 400 + year - 400;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::NaiveDate;

    #[test]
    fn days_are_those_of_the_calendar() {
        for year in (0..=9_999).step_by(7).chain([1600, 1900, 2000, 2100, 2400]) {
            for (month, day) in (0..=13).flat_map(|month| (0..=32).map(move |day| (month, day))) {
                let expected = NaiveDate::from_ymd_opt(year, month, day).map(|date| date.to_epoch_days());
                let days = days(u32::try_from(year).expect("positive"), month, day);
                assert_eq!(days, expected, "{year}-{month}-{day}");
                if let Some(days) = days {
                    let date = (i64::from(year), i64::from(month), i64::from(day));
                    assert_eq!(date_of_days(i64::from(days)), date);
                }
            }
        }
    }
}
