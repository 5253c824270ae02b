//! Variables as the dictionary has them.

use std::collections::HashMap;

use super::missing::{self, Missing};
use super::names::ShortNames;
use crate::export::labelled::{Change, Changes, FileVariable, Kind, Measure, Seen, number};
use crate::meaning::ValueLabel;

/// The bytes of text in a segment of a very long text.
pub(super) const SEGMENT: usize = 255;
/// How many bytes of a very long text need one more segment.
const SEGMENT_STEP: usize = 252;
/// The longest text of a variable whose values and labels are where those of numbers are.
const SHORT: usize = 8;

/// How numbers are shown: the widest format, and the decimals of those that have some.
const WIDEST: u8 = 40;
const DECIMALS: u8 = 2;

/// A variable of the file.
#[derive(Debug)]
pub(super) struct SavVariable {
    pub(super) name: String,
    /// The names of eight bytes, one for each segment.
    pub(super) short: Vec<String>,
    pub(super) label: String,
    pub(super) kind: Kind,
    pub(super) measure: Measure,
    /// The digits before the decimal sign, and a minus.
    digits: u8,
    pub(super) values: Vec<ValueLabel>,
    pub(super) missing: Missing,
    /// The widths of its segments; 0 is a number.
    pub(super) segments: Vec<usize>,
    /// The width of a text.
    pub(super) width: usize,
    /// The number of its first slot, from 1.
    pub(super) slot: usize,
}

impl SavVariable {
    pub(super) fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    /// Whether its labels and missing codes have records of their own.
    pub(super) fn is_long(&self) -> bool {
        self.width > SHORT
    }

    /// Type, width and decimals of the format, for a segment.
    pub(super) fn format(&self, width: usize) -> [u8; 4] {
        const TEXT: u8 = 1;
        const NUMBER: u8 = 5;
        const DATE: u8 = 20;
        const DATE_AND_TIME: u8 = 22;
        match self.kind {
            Kind::Text => [0, u8::try_from(width).unwrap_or(u8::MAX), TEXT, 0],
            Kind::Number { whole: true } => [0, self.digits.clamp(8, WIDEST), NUMBER, 0],
            Kind::Number { whole: false } => {
                [DECIMALS, self.digits.saturating_add(1 + DECIMALS).clamp(8, WIDEST), NUMBER, 0]
            }
            Kind::Day => [0, 11, DATE, 0],
            Kind::Time => [0, 20, DATE_AND_TIME, 0],
        }
    }

    /// The level of measurement.
    pub(super) fn measure(&self) -> i32 {
        match self.measure {
            Measure::Nominal => 1,
            Measure::Ordinal => 2,
            Measure::Scale => 3,
        }
    }

    /// The value of a code, in eight bytes.
    pub(super) fn value(&self, code: &str) -> [u8; 8] {
        match self.kind {
            Kind::Text => padded(code),
            _ => number(code).unwrap_or_default().to_le_bytes(),
        }
    }
}

/// The variables of a file.
pub(super) fn of_file(variables: &[FileVariable], changes: &mut Changes) -> Vec<SavVariable> {
    let mut names = ShortNames::default();
    let mut short: Vec<String> = variables.iter().map(|variable| names.like(&variable.name)).collect();
    let mut slot = 1;
    let variable = |(place, variable): (usize, &FileVariable)| {
        let missing = missing::of(variable, changes);
        let width = if variable.kind == Kind::Text { width(variable, &missing) } else { 0 };
        let segments = segments(width);
        let first = std::mem::take(&mut short[place]);
        let others: Vec<String> = segments.iter().skip(1).map(|_| names.like(&first)).collect();
        // SPSS has this number for a missing value.
        if variable.seen.numbers.is_some_and(|(least, _)| least <= f64::MIN) {
            changes.note(Change::HugeNumber, &variable.column, 1);
        }
        let here = slot;
        slot += segments.iter().map(|width| slots(*width)).sum::<usize>();
        SavVariable {
            name: variable.name.clone(),
            short: std::iter::once(first).chain(others).collect(),
            label: variable.label.clone(),
            kind: variable.kind,
            measure: variable.measure,
            digits: digits(&variable.seen),
            values: variable.values.clone(),
            missing,
            segments,
            width,
            slot: here,
        }
    };
    variables.iter().enumerate().map(variable).collect()
}

/// The digits that all numbers of a variable need before the decimal sign, and a minus.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // at most 309
fn digits(seen: &Seen) -> u8 {
    let digits = |number: f64| number.abs().max(1.0).log10() as u16 + 1 + u16::from(number < 0.0);
    let most = seen.numbers.map_or(1, |(least, greatest)| digits(least).max(digits(greatest)));
    u8::try_from(most).unwrap_or(WIDEST)
}

/// The longest text that a variable has, also among those that have a label or are declared as missing.
fn width(variable: &FileVariable, missing: &Missing) -> usize {
    let labelled = variable.values.iter().map(|value| value.code.len());
    let declared = match missing {
        Missing::Texts(codes) => codes.iter().map(String::len).max(),
        _ => None,
    };
    labelled.chain(declared).chain([variable.seen.longest]).max().unwrap_or_default().max(1)
}

/// The widths of the segments: a very long text has several, of which all but the last are declared with their maximum.
fn segments(width: usize) -> Vec<usize> {
    if width <= SEGMENT {
        return vec![width];
    }
    let count = width.div_ceil(SEGMENT_STEP);
    let mut segments = vec![SEGMENT; count];
    segments[count - 1] = width - (count - 1) * SEGMENT_STEP;
    segments
}

/// The number of eight bytes that a segment takes.
pub(super) fn slots(width: usize) -> usize {
    width.div_ceil(8).max(1)
}

/// The first eight bytes of a text, filled up with blanks.
pub(super) fn padded(text: &str) -> [u8; 8] {
    let mut bytes = *b"        ";
    let length = text.len().min(bytes.len());
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    bytes
}

/// Variables with equal labels, whose list is written once: of numbers, or of texts of one width.
pub(super) fn by_labels(variables: &[SavVariable]) -> Vec<Vec<&SavVariable>> {
    let mut groups: Vec<Vec<&SavVariable>> = Vec::new();
    let mut places: HashMap<(usize, &[ValueLabel]), usize> = HashMap::new();
    for variable in variables.iter().filter(|variable| !variable.values.is_empty() && !variable.is_long()) {
        let place = *places.entry((variable.width, variable.values.as_slice())).or_insert(groups.len());
        match groups.get_mut(place) {
            Some(group) => group.push(variable),
            None => groups.push(vec![variable]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn very_long_texts_have_segments() {
        assert_eq!(segments(0), [0]);
        assert_eq!(segments(255), [255]);
        assert_eq!(segments(256), [255, 4]);
        assert_eq!(segments(600), [255, 255, 96]);
        assert_eq!(segments(32_766).len(), 131);
        assert_eq!([0, 1, 8, 9, 255].map(slots), [1, 1, 1, 2, 32]);
    }
}
