//! What the dictionary of a file must know of a column before the first row.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use indexmap::IndexSet;

use super::changes::{Change, Changes};
use super::limits::{Limits, cut, without_nul};
use super::values::{EXACT, of_labels};

/// The values of a column.
#[derive(Debug, Clone)]
pub(in crate::export) struct Seen {
    /// The longest text in bytes, after what the format requires.
    pub(in crate::export) longest: usize,
    /// All texts in bytes.
    pub(in crate::export) bytes: u64,
    /// The number of rows.
    pub(in crate::export) rows: u64,
    /// The number of texts that are not empty.
    pub(in crate::export) texts: u64,
    /// The least and the greatest number that is an answer.
    pub(in crate::export) numbers: Option<(f64, f64)>,
    /// How many answers are numbers above 0.
    pub(in crate::export) positive: u64,
    /// For each pair of neighbours among the declared codes: whether an answer is between them.
    pub(in crate::export) is_between: Vec<bool>,
    /// For each of the declared codes: whether a row has it.
    occurs: Vec<bool>,
    /// Whether an integer equals no floating-point number.
    pub(super) is_wide: bool,
    /// The codes in lists.
    pub(super) codes: IndexSet<String>,
    /// Whether an answer has no label, although others have one.
    pub(super) has_unlabelled: bool,
    /// The codes that are declared as missing, in order.
    declared: Vec<f64>,
    /// The codes that have a label, in order.
    labelled: Vec<f64>,
    cut: usize,
    with_nul: usize,
}

impl Seen {
    /// Nothing yet. The codes are those that mean a missing answer, and those that have a label, each in order.
    pub(super) fn new(declared: Vec<f64>, labelled: Vec<f64>) -> Self {
        Seen {
            longest: 0,
            bytes: 0,
            rows: 0,
            texts: 0,
            numbers: None,
            positive: 0,
            is_between: vec![false; declared.len().saturating_sub(1)],
            occurs: vec![false; declared.len()],
            is_wide: false,
            codes: IndexSet::new(),
            has_unlabelled: false,
            declared,
            labelled,
            cut: 0,
            with_nul: 0,
        }
    }

    /// What is seen of the text of a list.
    pub(super) fn of_text(&self) -> Self {
        let Seen { longest, bytes, texts, rows, .. } = *self;
        Seen { longest, bytes, rows, texts, ..Seen::new(Vec::new(), Vec::new()) }
    }

    /// What is seen of the column of a choice.
    pub(super) fn of_choice() -> Self {
        Seen { numbers: Some((0.0, 1.0)), ..Seen::new(Vec::new(), Vec::new()) }
    }

    /// Takes values into account.
    pub(super) fn look(&mut self, array: &ArrayRef, limits: &Limits) {
        self.rows += array.len() as u64;
        match array.data_type() {
            DataType::Int64 => {
                for value in array.as_primitive::<Int64Type>().iter().flatten() {
                    self.is_wide |= value.unsigned_abs() > EXACT;
                    self.longest = self.longest.max(length(value));
                    #[allow(clippy::cast_precision_loss)] // wide ones become text
                    self.number(value as f64);
                }
            }
            DataType::Float64 => {
                array.as_primitive::<Float64Type>().iter().flatten().for_each(|value| self.number(value));
            }
            DataType::Boolean => {
                let truths = array.as_boolean().iter().flatten();
                truths.for_each(|truth| self.number(f64::from(u8::from(truth))));
            }
            DataType::Utf8 => self.texts(array, limits.text),
            DataType::Dictionary(..) => self.texts(&of_labels(array), limits.text),
            DataType::List(_) => self.lists(array),
            _ => {}
        }
    }

    fn number(&mut self, value: f64) {
        let place = match self.declared.binary_search_by(|code| code.total_cmp(&value)) {
            Ok(place) => {
                self.occurs[place] = true;
                return;
            }
            Err(place) => place,
        };
        if let Some(between) = place.checked_sub(1).and_then(|place| self.is_between.get_mut(place)) {
            *between = true;
        }
        if !self.has_unlabelled && !self.labelled.is_empty() {
            self.has_unlabelled = self.labelled.binary_search_by(|code| code.total_cmp(&value)).is_err();
        }
        self.positive += u64::from(value > 0.0);
        let (least, greatest) = self.numbers.unwrap_or((value, value));
        self.numbers = Some((least.min(value), greatest.max(value)));
    }

    /// Whether a row has this code, which is declared as missing.
    pub(in crate::export) fn has_missing(&self, code: f64) -> bool {
        self.declared
            .binary_search_by(|declared| declared.total_cmp(&code))
            .is_ok_and(|place| self.occurs[place])
    }

    fn texts(&mut self, array: &ArrayRef, most: usize) {
        let texts = array.as_string::<i32>();
        let has_nul = texts.value_data().contains(&0);
        for text in texts.iter().flatten() {
            let mut length = text.len();
            if has_nul && text.contains('\0') {
                self.with_nul += 1;
                length = cut(&without_nul(text), most).len();
            }
            self.cut += usize::from(text.len() > most);
            self.text(length.min(most));
        }
    }

    fn text(&mut self, length: usize) {
        self.longest = self.longest.max(length);
        self.bytes += length as u64;
        self.texts += u64::from(length > 0);
    }

    fn lists(&mut self, array: &ArrayRef) {
        let lists = array.as_list::<i32>();
        for list in lists.iter().flatten() {
            let mut length = 0;
            for code in list.as_string::<i32>().iter().flatten() {
                length += code.len() + usize::from(length > 0);
                if !self.codes.contains(code) {
                    self.codes.insert(code.to_owned());
                }
            }
            self.text(length);
        }
    }

    /// Whether no text has to be changed.
    pub(super) fn fits(&self) -> bool {
        self.cut == 0 && self.with_nul == 0
    }

    /// Notes what the format requires of the values.
    pub(super) fn note(&self, column: &str, changes: &mut Changes) {
        changes.note(Change::Text, column, self.cut);
        changes.note(Change::Nul, column, self.with_nul);
        changes.note(Change::WideInteger, column, usize::from(self.is_wide));
    }
}

/// The length of an integer as text.
fn length(value: i64) -> usize {
    let digits = value.unsigned_abs().checked_ilog10().unwrap_or_default() as usize + 1;
    digits + usize::from(value < 0)
}
