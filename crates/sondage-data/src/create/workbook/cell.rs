//! The text of a cell.

use calamine::{DataRef, ExcelDateTime};

use super::code_format::CodeFormat;

/// The text of a cell; nothing if it is empty. `format`: that of a code, if it is shown as one.
pub(super) fn text(value: &DataRef<'_>, format: Option<&CodeFormat>) -> Option<String> {
    Some(match value {
        DataRef::Empty => return None,
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) => {
            format.and_then(|format| format.shown(*number)).unwrap_or_else(|| self::number(*number))
        }
        DataRef::String(text) | DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(truth) => truth.to_string(),
        DataRef::DateTime(time) => self::time(time),
        DataRef::Error(error) => error.to_string(),
    })
}

/// Whether a cell is a number whose text could be read otherwise: `1.234`, or `01234`.
pub(super) fn is_ambiguous(value: &DataRef<'_>, format: Option<&CodeFormat>) -> bool {
    matches!(value, DataRef::Float(number) if number.fract() != 0.0 || format.is_some() && *number >= 0.0)
}

/// Whether a number has more than the 15 digits that spreadsheets keep: the others are zeros, or were lost.
pub(super) fn is_rounded(value: &DataRef<'_>) -> bool {
    const MOST: f64 = 1e15;
    match value {
        #[allow(clippy::cast_precision_loss)] // only its size counts
        DataRef::Int(number) => (*number as f64).abs() >= MOST,
        DataRef::Float(number) => number.abs() >= MOST,
        _ => false,
    }
}

/// `123`, `1.5`: never `123.0`.
fn number(number: f64) -> String {
    // Not "-0".
    if number == 0.0 { "0".to_owned() } else { number.to_string() }
}

/// A date, a time, or both. The day 0 is for times alone.
fn time(time: &ExcelDateTime) -> String {
    let days = time.as_f64();
    if time.is_duration() {
        return duration(days);
    }
    if !(0.0..2_958_466.0).contains(&days) {
        return number(days);
    }
    let (year, month, day, hour, minute, second, milli) = time.to_ymd_hms_milli();
    let date = format!("{year:04}-{month:02}-{day:02}");
    let milli = if milli == 0 { String::new() } else { format!(".{milli:03}") };
    let clock = format!("{hour:02}:{minute:02}:{second:02}{milli}");
    if days < 1.0 {
        clock
    } else if clock == "00:00:00" {
        date
    } else {
        format!("{date} {clock}")
    }
}

/// `26:30:00`
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // whole seconds, without their sign
fn duration(days: f64) -> String {
    let seconds = (days.abs() * 86_400.0).round() as u64;
    let sign = if days < 0.0 { "-" } else { "" };
    format!("{sign}{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// The name of a cell in errors: `B7`.
pub(super) fn name((row, column): (u32, u32)) -> String {
    let (mut letters, mut rest) = (Vec::new(), column + 1);
    while rest > 0 {
        let digit = u8::try_from((rest - 1) % 26).unwrap_or_default();
        letters.push(char::from(b'A' + digit));
        rest = (rest - 1) / 26;
    }
    format!("{}{}", letters.iter().rev().collect::<String>(), row + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use calamine::ExcelDateTimeType;

    #[test]
    fn numbers_and_times_are_written_as_people_see_them() {
        let float = |number| text(&DataRef::Float(number), None).expect("a text");
        assert_eq!(
            [123.0, 1.5, -0.0, 41_791_234_567.0, 0.1].map(float),
            ["123", "1.5", "0", "41791234567", "0.1"]
        );
        let zeros = CodeFormat::of_code("00000");
        assert_eq!(text(&DataRef::Float(1234.0), zeros.as_ref()).as_deref(), Some("01234"));
        assert_eq!(text(&DataRef::Float(1.5), zeros.as_ref()).as_deref(), Some("1.5"));
        let time = |days, is_1904| {
            let time = ExcelDateTime::new(days, ExcelDateTimeType::DateTime, is_1904);
            text(&DataRef::DateTime(time), None).expect("a text")
        };
        assert_eq!(time(45_413.0, false), "2024-05-01");
        assert_eq!(time(45_413.0 - 1_462.0, true), "2024-05-01");
        assert_eq!(time(45_413.604_166_666_664, false), "2024-05-01 14:30:00");
        assert_eq!(time(0.604_166_666_666_667, false), "14:30:00");
        assert_eq!(time(-1.0, false), "-1");
        let long = ExcelDateTime::new(1.104_166_666_7, ExcelDateTimeType::TimeDelta, false);
        assert_eq!(text(&DataRef::DateTime(long), None).as_deref(), Some("26:30:00"));
    }

    #[test]
    fn cells_are_named_like_in_spreadsheets() {
        assert_eq!([(0, 0), (6, 25), (9, 26), (0, 16_383)].map(name), ["A1", "Z7", "AA10", "XFD1"]);
    }
}
