//! Decimal points and decimal commas in the texts of a file, where a field holds numbers.
//!
//! `1,5` can only be a decimal comma; `1,234` may also be one thousand two hundred and thirty-four. So each such number waits for
//! one that leaves no doubt, and a file that has both signs is not guessed at. In a file with semicolons or tabs, as spreadsheets of
//! countries with a decimal comma write it, the same holds of `1.234`. What is no number, such as `1.234.567`, proves no sign. Nor does a number of a workbook, which is one whatever its texts mean.

use super::format::{RowsFormat, named};
use super::source::RowValue;
use crate::update::fit;
use sondage::model::{FieldValue, VariableType};
use std::sync::Arc;

const COMMA: &str = "a number such as 1,5";

/// How the numbers of a file are written, as far as its rows were read.
#[derive(Default)]
pub(crate) struct Decimals {
    /// Whether the rows are from a file, whose numbers may be texts.
    is_file: bool,
    /// Whether it is a workbook, or semicolons or tabs separate its cells, so that its numbers may have a decimal comma.
    may_have_commas: bool,
    /// The sign that the caller has named.
    named: Option<Sign>,
    /// The first row with a number that has a decimal comma.
    comma: Option<u32>,
    /// Rows with a number that has a decimal point.
    points: Vec<u32>,
    /// Rows with a number whose comma may separate thousands.
    doubtful: Vec<u32>,
    /// Rows with a number whose point may separate thousands.
    doubtful_points: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Point,
    Comma,
}

impl Decimals {
    pub fn of(format: Option<&RowsFormat>) -> Self {
        let named = format.and_then(|format| format.decimal.as_deref());
        let named = named.map(|named| if named == "," { Sign::Comma } else { Sign::Point });
        let separator = format.and_then(|format| format.separator.as_deref());
        let is_workbook = format.is_some_and(|format| format.sheet.is_some());
        Self {
            is_file: separator.is_some() || is_workbook,
            may_have_commas: matches!(separator, Some(";" | "\t" | "tab")) || is_workbook,
            named,
            ..Self::default()
        }
    }

    /// The value of a text with a decimal comma in the type of its field, or what the field requires. `None`: it has none, and is
    /// read like any other.
    pub fn typed(
        &mut self,
        row: u32,
        value: RowValue<'_>,
        kind: &VariableType,
    ) -> Option<Result<FieldValue, &'static str>> {
        let is_number = matches!(kind, VariableType::Number | VariableType::Real);
        if let RowValue::Number(shown) = value {
            return is_number.then(|| fit::fit(&FieldValue::Text(plain(shown).to_owned()), kind));
        }
        let RowValue::Text(text) = value else { return None };
        if !self.is_file || !is_number {
            return None;
        }
        let (has_comma, has_point) = (text.contains(','), text.contains('.'));
        match self.named {
            Some(Sign::Comma) if has_point => return Some(Err(COMMA)),
            Some(Sign::Comma) if has_comma => {}
            Some(_) => return None,
            None if has_point && !has_comma => {
                match meaning_of(text, '.') {
                    Some(Meaning::Doubtful) if self.may_have_commas => note(&mut self.doubtful_points, row),
                    Some(_) => note(&mut self.points, row),
                    // With an exponent.
                    None if text.parse::<f64>().is_ok() => note(&mut self.points, row),
                    None => {}
                }
                return None;
            }
            None => match meaning_of(text, ',')? {
                Meaning::Decimal => drop(self.comma.get_or_insert(row)),
                Meaning::Doubtful if *kind == VariableType::Number => return None,
                Meaning::Doubtful => note(&mut self.doubtful, row),
            },
        }
        let point = FieldValue::Text(text.replacen(',', ".", 1));
        Some(fit::fit(&point, kind).map_err(|wants| if *kind == VariableType::Real { COMMA } else { wants }))
    }

    /// After the last row: those whose numbers may mean something else, with the reason.
    pub fn doubts(&self, format: Option<&RowsFormat>, first_row: u32) -> Vec<(u32, Arc<str>)> {
        let because = |rows: &[u32], reason: String| -> Vec<(u32, Arc<str>)> {
            let reason: Arc<str> = reason.into();
            rows.iter().map(|row| (*row, Arc::clone(&reason))).collect()
        };
        if let Some(comma) = self.comma {
            let comma = named(format, comma as usize, first_row);
            let reason = format!("a number has a decimal point, and one of {comma} a decimal comma");
            let mut rows = [self.points.as_slice(), &self.doubtful_points].concat();
            rows.sort_unstable();
            rows.dedup();
            return because(&rows, reason);
        }
        let reason = |sign: &str| {
            format!("the {sign} of a number may separate decimals or thousands: name the sign as `decimal`")
        };
        let mut doubts = because(&self.doubtful, reason("comma"));
        if self.points.is_empty() {
            doubts.extend(because(&self.doubtful_points, reason("point")));
        }
        doubts
    }

    /// What separates the decimals, if any number has them or the caller has named it.
    pub fn sign(&self) -> Option<&'static str> {
        match self.named {
            Some(Sign::Comma) => Some(","),
            Some(Sign::Point) => Some("."),
            None if self.comma.is_some() => Some(","),
            None => (!self.points.is_empty()).then_some("."),
        }
    }

    /// The format of the file with that sign.
    pub fn complete(&self, format: Option<RowsFormat>) -> Option<RowsFormat> {
        format.map(|format| RowsFormat { decimal: self.sign().map(ToOwned::to_owned), ..format })
    }
}

/// The number of a cell without the zeros before it.
pub(crate) fn plain(shown: &str) -> &str {
    let is_whole = shown.bytes().all(|byte| byte.is_ascii_digit());
    match shown.trim_start_matches('0') {
        "" => "0",
        rest if is_whole => rest,
        _ => shown,
    }
}

/// Adds a row once.
fn note(rows: &mut Vec<u32>, row: u32) {
    if rows.last() != Some(&row) {
        rows.push(row);
    }
}

enum Meaning {
    Decimal,
    Doubtful,
}

/// What the only comma or point of a number separates.
fn meaning_of(text: &str, sign: char) -> Option<Meaning> {
    let (whole, decimals) = text.trim().split_once(sign)?;
    let whole = whole.strip_prefix(['-', '+']).unwrap_or(whole);
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if decimals.is_empty() || !are_digits(whole) || !are_digits(decimals) {
        return None;
    }
    let may_be_thousands = decimals.len() == 3 && (1..=3).contains(&whole.len()) && whole != "0";
    Some(if may_be_thousands { Meaning::Doubtful } else { Meaning::Decimal })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(decimal: Option<&str>, texts: &[&str]) -> (Vec<Option<String>>, Vec<u32>, Option<&'static str>) {
        let format = RowsFormat::csv(";", "utf-8", decimal).expect("a format");
        let mut decimals = Decimals::of(Some(&format));
        let values = texts.iter().zip(0..).map(|(text, row)| {
            let value = RowValue::Text(text);
            let read = decimals
                .typed(row, value, &VariableType::Real)
                .unwrap_or_else(|| fit::fit(&value.into(), &VariableType::Real));
            read.ok().map(|value| serde_json::to_string(&value).expect("JSON"))
        });
        let values = values.collect();
        let doubts = decimals.doubts(None, 0).into_iter().map(|(row, _)| row).collect();
        (values, doubts, decimals.sign())
    }

    fn some(values: &[&str]) -> Vec<Option<String>> {
        values.iter().map(|value| (!value.is_empty()).then(|| (*value).to_owned())).collect()
    }

    #[test]
    fn a_comma_is_read_where_it_can_only_separate_decimals() {
        assert_eq!(read(None, &["1,5", "-0,125", "7"]), (some(&["1.5", "-0.125", "7.0"]), vec![], Some(",")));
        assert_eq!(read(None, &["1,234", "1,5"]), (some(&["1.234", "1.5"]), vec![], Some(",")));
        assert_eq!(read(None, &["1,234", "2"]).1, [0], "it may be a thousand");
        assert_eq!(read(None, &["1,234", "2.5"]).1, [0]);
        assert_eq!(read(None, &["2.5", "1,25", "3,1"]).1, [0], "one of both signs separates thousands");
        assert_eq!(read(None, &["2.5", "1.125"]), (some(&["2.5", "1.125"]), vec![], Some(".")));
        assert_eq!(read(None, &["1.234,5", "1,2,3", "1,", ",", "1,5x"]).0, some(&["", "", "", "", ""]));
        assert_eq!(read(None, &["3"]), (some(&["3.0"]), vec![], None));
    }

    #[test]
    fn a_point_in_a_file_with_semicolons_or_tabs_may_separate_thousands() {
        assert_eq!(read(None, &["1.234", "12.500"]).1, [0, 1]);
        assert_eq!(read(None, &["1.234", "2.5"]), (some(&["1.234", "2.5"]), vec![], Some(".")));
        assert_eq!(read(None, &["1.234", "1,5"]).1, [0]);
        for wrong in ["1.234.567", "1.234 €", "1'234.50"] {
            assert_eq!(read(None, &["1.234", wrong]).1, [0], "{wrong} proves no decimal point");
        }
        assert!(read(None, &["1.234", "1.5e3"]).1.is_empty());
        assert_eq!(read(Some("."), &["1.234"]), (some(&["1.234"]), vec![], Some(".")));
        let tabs = RowsFormat::csv("\t", "utf-16", None).expect("a format");
        let mut decimals = Decimals::of(Some(&tabs));
        assert!(decimals.typed(0, RowValue::Text("1.234"), &VariableType::Real).is_none());
        assert_eq!(decimals.doubts(None, 0).len(), 1, "a spreadsheet's text with tabs");
        let mut decimals = Decimals::of(Some(&RowsFormat::csv(",", "utf-8", None).expect("a format")));
        assert!(decimals.typed(0, RowValue::Text("1.234"), &VariableType::Real).is_none());
        assert!(decimals.doubts(None, 0).is_empty(), "with commas between the cells it is a decimal point");
    }

    #[test]
    fn a_sign_that_was_named_is_the_only_one() {
        assert_eq!(
            read(Some(","), &["1,234", "5", "2.5", "1.234,5", "1,2,3"]),
            (some(&["1.234", "5.0", "", "", ""]), vec![], Some(","))
        );
        assert_eq!(read(Some("."), &["1,5", "2.5"]), (some(&["", "2.5"]), vec![], Some(".")));
        assert!(RowsFormat::csv(";", "utf-8", Some("'")).is_err());
    }

    #[test]
    fn a_number_of_a_workbook_is_one_and_its_texts_are_those_of_a_file() {
        let format = RowsFormat::workbook("People", None).expect("a format");
        let mut decimals = Decimals::of(Some(&format));
        let mut read = |value, kind| {
            decimals
                .typed(0, value, &kind)
                .map(|read| read.map(|value| serde_json::to_string(&value).expect("JSON")))
        };
        assert_eq!(read(RowValue::Number("1.234"), VariableType::Real), Some(Ok("1.234".to_owned())));
        assert_eq!(read(RowValue::Number("000901"), VariableType::Number), Some(Ok("901".to_owned())));
        assert_eq!(read(RowValue::Number("000"), VariableType::Number), Some(Ok("0".to_owned())));
        assert_eq!(read(RowValue::Number("000901"), VariableType::String), None);
        assert_eq!(read(RowValue::Text("1.234"), VariableType::Real), None);
        assert_eq!((decimals.doubts(None, 0).len(), decimals.sign()), (1, None));
    }

    #[test]
    fn the_texts_of_a_program_are_not_guessed_at() {
        let mut decimals = Decimals::of(None);
        assert!(decimals.typed(0, RowValue::Text("1,5"), &VariableType::Real).is_none());
    }
}
