//! Variables as the dictionary has them.

use std::collections::{BTreeMap, HashMap};

use crate::export::labelled::{Change, Changes, FileVariable, Kind, number};

/// The longest text of a variable of fixed length.
const FIXED: usize = 2_045;
/// A text of at most this length is of fixed length, whatever that costs.
const SHORT: usize = 244;
/// What a text costs in the table of long texts, beside its bytes.
const LONG: u64 = 29;
/// The letter for the service's "not available".
const NOT_AVAILABLE: (f64, u8) = (9_999_999.0, b'n' - b'a' + 1);
const LETTERS: u8 = 26;
/// The greatest number.
const GREATEST: f64 = f64::from_bits(0x7fdf_ffff_ffff_ffff);
/// A missing value without a letter, as a label's value.
const MISSING: i32 = 0x7fff_ffe5;

/// The type of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Byte,
    Int,
    Long,
    Double,
    /// Texts of at most this many bytes.
    Text(u16),
    /// Texts in a table of their own.
    LongText,
}

impl Type {
    /// Its number in the file.
    pub(super) fn code(self) -> u16 {
        match self {
            Type::Byte => 65_530,
            Type::Int => 65_529,
            Type::Long => 65_528,
            Type::Double => 65_526,
            Type::Text(width) => width,
            Type::LongText => 32_768,
        }
    }
}

/// A variable of the file.
#[derive(Debug)]
pub(super) struct DtaVariable {
    pub(super) name: String,
    pub(super) label: String,
    pub(super) kind: Kind,
    pub(super) data_type: Type,
    /// The letters of missing codes, 1 for `.a`.
    pub(super) letters: Vec<(f64, u8)>,
    /// Labels by value, those of missing values behind the others.
    pub(super) values: BTreeMap<i32, String>,
    /// The whole text of the question.
    pub(super) question: Option<String>,
    /// The name of the list of its labels; the empty text if it has none.
    pub(super) list: String,
}

impl DtaVariable {
    /// How it is shown.
    pub(super) fn format(&self) -> &'static str {
        match (self.kind, self.data_type) {
            (Kind::Day, _) => "%td",
            (Kind::Time, _) => "%tc",
            (Kind::Text, _) => "%9s",
            (Kind::Number { whole: true }, Type::Double) => "%16.0f",
            (_, Type::Byte | Type::Int) => "%8.0g",
            (_, Type::Long) => "%12.0g",
            _ => "%10.0g",
        }
    }
}

/// The variables of a file.
pub(super) fn of_file(variables: &[FileVariable], changes: &mut Changes) -> Vec<DtaVariable> {
    let mut lists: HashMap<BTreeMap<i32, String>, String> = HashMap::new();
    let variable = |variable: &FileVariable| {
        let letters = letters(variable, changes);
        let values = values(variable, &letters);
        let list = match &values {
            values if values.is_empty() => String::new(),
            values => lists.entry(values.clone()).or_insert_with(|| variable.name.clone()).clone(),
        };
        if variable.seen.numbers.is_some_and(|(_, greatest)| greatest > GREATEST) {
            changes.note(Change::HugeNumber, &variable.column, 1);
        }
        DtaVariable {
            name: variable.name.clone(),
            label: variable.label.clone(),
            kind: variable.kind,
            data_type: data_type(variable, &letters),
            letters,
            values,
            question: variable.question.clone(),
            list,
        }
    };
    variables.iter().map(variable).collect()
}

/// A letter for each missing code of numbers.
fn letters(variable: &FileVariable, changes: &mut Changes) -> Vec<(f64, u8)> {
    let mut letters: Vec<(f64, u8)> = Vec::new();
    if matches!(variable.kind, Kind::Number { .. }) {
        let mut codes: Vec<f64> = variable.missing.iter().filter_map(|value| number(&value.code)).collect();
        codes.dedup();
        let (common, own) = NOT_AVAILABLE;
        letters.extend(codes.iter().any(|code| is_same(*code, common)).then_some(NOT_AVAILABLE));
        let is_free = |letter: &u8| letters.is_empty() || *letter != own;
        let free: Vec<u8> = (1..=LETTERS).filter(is_free).collect();
        codes.retain(|code| !is_same(*code, common));
        if codes.len() > free.len() {
            // Those that rows have come first.
            codes.sort_by_key(|code| !variable.seen.has_missing(*code));
        }
        letters.extend(codes.into_iter().zip(free));
    }
    let change = if variable.kind == Kind::Text { Change::MissingText } else { Change::Missing };
    changes.note(change, &variable.column, variable.missing.len().saturating_sub(letters.len()));
    letters
}

/// Whether two codes are one.
pub(super) fn is_same(one: f64, other: f64) -> bool {
    one.total_cmp(&other).is_eq()
}

/// The labels by value.
#[allow(clippy::cast_possible_truncation)] // only such codes have labels
fn values(variable: &FileVariable, letters: &[(f64, u8)]) -> BTreeMap<i32, String> {
    let key = |code: f64| match letters.iter().find(|(known, _)| is_same(*known, code)) {
        Some((_, letter)) => MISSING + i32::from(*letter),
        None => code as i32,
    };
    let labelled = variable.values.iter().filter_map(|value| Some((number(&value.code)?, &value.label)));
    let mut values: BTreeMap<i32, String> = BTreeMap::new();
    for (code, label) in labelled {
        values.entry(key(code)).or_insert_with(|| label.clone());
    }
    for value in &variable.missing {
        let code = number(&value.code).filter(|code| letters.iter().any(|(known, _)| is_same(*known, *code)));
        if let Some(code) = code {
            values.entry(key(code)).or_insert_with(|| value.label.clone());
        }
    }
    values
}

/// The smallest type for all values, of which missing codes without a letter are some.
fn data_type(variable: &FileVariable, letters: &[(f64, u8)]) -> Type {
    match variable.kind {
        Kind::Number { whole: true } => {
            let (mut least, mut greatest) = variable.seen.numbers.unwrap_or_default();
            let codes = variable.missing.iter().filter_map(|value| number(&value.code));
            for code in codes.filter(|code| !letters.iter().any(|(known, _)| is_same(*known, *code))) {
                if code.fract() != 0.0 {
                    return Type::Double;
                }
                (least, greatest) = (least.min(code), greatest.max(code));
            }
            let fits = |low: f64, high: f64| low <= least && greatest <= high;
            match () {
                () if fits(-127.0, 100.0) => Type::Byte,
                () if fits(-32_767.0, 32_740.0) => Type::Int,
                () if fits(-2_147_483_647.0, 2_147_483_620.0) => Type::Long,
                () => Type::Double,
            }
        }
        Kind::Number { whole: false } | Kind::Time => Type::Double,
        Kind::Day => Type::Long,
        Kind::Text => {
            let seen = &variable.seen;
            let long = seen.bytes + LONG * seen.texts + 8 * seen.rows;
            let is_dear = seen.longest > SHORT && seen.longest as u64 * seen.rows > 2 * long;
            match u16::try_from(seen.longest) {
                Ok(width) if seen.longest <= FIXED && !is_dear => Type::Text(width.max(1)),
                _ => Type::LongText,
            }
        }
    }
}
