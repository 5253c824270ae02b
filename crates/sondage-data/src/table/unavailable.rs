//! Which of the missing answers of a file are choices that are not available: the columns have a null for each.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Metadata};
use serde::{Deserialize, Serialize};
use sondage::Result;

use super::declared::plain;
use super::labels::code_at;
use super::{BaseColumn, BeforeDeclaring, Table, metadata, not_available};
use crate::meaning::{ValueLabel, Variable};

/// The most text about the rows of a file, in bytes: readers load it together with the names of the columns.
const MOST_TEXT: usize = 8 << 20;

/// The rows of a batch in which a column has a null for a code.
pub(crate) struct UnavailableRows<'a> {
    /// The number of the column.
    pub(crate) column: usize,
    pub(crate) code: Cow<'a, str>,
    /// Whether a caller has declared the code as missing; otherwise it is missing by default.
    pub(crate) declared: bool,
    pub(crate) rows: Vec<usize>,
}

/// The rows in which a code was replaced by a null.
pub(super) fn replaced(codes: &ArrayRef, shown: &ArrayRef) -> Vec<usize> {
    if [codes, shown].iter().any(|array| *array.data_type() == DataType::Null) {
        return Vec::new();
    }
    (0..shown.len()).filter(|row| shown.is_null(*row) && codes.is_valid(*row)).collect()
}

impl Table {
    /// The rows of a batch, by their number in it, for each column of this view that stands for codes.
    pub(crate) fn unavailable_rows(&self, batch: usize) -> Vec<UnavailableRows<'_>> {
        let of_column = |(column, shown): (usize, &super::ShownColumn)| {
            let base = &self.base.columns[shown.base];
            let mut found = Vec::new();
            if shown.field.metadata().contains_key(metadata::LABELS_OF) {
                return found;
            }
            if let Some(undeclared) = base.undeclared.as_deref() {
                let rows = replaced(&undeclared.column.arrays[batch], &base.arrays[batch]);
                let code = undeclared.code.as_str().into();
                found.push(UnavailableRows { column, code, declared: false, rows });
            }
            if let Some(before) = base.declared.as_deref() {
                let mut by_code: BTreeMap<String, Vec<usize>> = BTreeMap::new();
                for row in replaced(&before.arrays[batch], &base.arrays[batch]) {
                    if let Some(code) = code_at(&before.arrays[batch], row) {
                        by_code.entry(plain(&code).into_owned()).or_default().push(row);
                    }
                }
                let rows = |(code, rows): (String, _)| UnavailableRows {
                    column,
                    code: code.into(),
                    declared: true,
                    rows,
                };
                found.extend(by_code.into_iter().map(rows));
            }
            found
        };
        self.shown.iter().enumerate().flat_map(of_column).collect()
    }
}

/// What becomes of the rows of all columns in a file.
#[derive(Debug)]
pub(crate) enum UnavailableText {
    /// There are no such rows.
    Nothing,
    Text(String),
    /// They are too many. The columns that have them.
    TooMuch(Vec<String>),
}

/// The rows of all columns, as the metadata of a file have them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct UnavailableOfFile {
    /// The number of all rows.
    rows: usize,
    /// By the name of the column.
    columns: BTreeMap<String, UnavailableOfColumn>,
    /// The codes that a caller has declared, by the name of the column and the code.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    declared: BTreeMap<String, BTreeMap<String, UnavailableOfColumn>>,
    /// The numbers for the nulls of the columns.
    #[serde(skip)]
    nulls: BTreeMap<String, u64>,
    #[serde(skip)]
    text: usize,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct UnavailableOfColumn {
    code: String,
    /// The first row, and the distance of each other one from the one before it.
    steps: String,
    /// A number for the rows in which the column has a null, whatever the reason is: it shows that they are still the same.
    nulls: u64,
    #[serde(skip)]
    last: usize,
}

impl UnavailableOfFile {
    /// Notes rows of the batch that begins behind the ones that are counted.
    pub(crate) fn note<'a>(&mut self, names: impl Fn(usize) -> &'a str, unavailable: &[UnavailableRows<'_>]) {
        for part in unavailable.iter().filter(|part| !part.rows.is_empty()) {
            let (name, code, rows) = (names(part.column).to_owned(), &part.code, &part.rows);
            let known = if part.declared {
                self.declared.entry(name).or_default().entry(code.to_string()).or_default()
            } else {
                self.columns.entry(name).or_default()
            };
            if known.code.is_empty() {
                code.as_ref().clone_into(&mut known.code);
            }
            if self.text > MOST_TEXT {
                // The column is named, although its rows are not.
                known.steps.push(' ');
                continue;
            }
            let before = known.steps.len();
            for row in rows {
                let row = self.rows + row;
                let gap = if known.steps.is_empty() { "" } else { " " };
                // Writing to memory does not fail.
                let _ = write!(known.steps, "{gap}{}", row - known.last);
                known.last = row;
            }
            self.text += known.steps.len() - before;
        }
    }

    /// Counts the rows of a batch, behind those of the batches before it.
    pub(crate) fn count(&mut self, batch: &RecordBatch) {
        for (field, array) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            if field.metadata().contains_key(metadata::MISSING) {
                let nulls = self.nulls.entry(field.name().clone()).or_default();
                *nulls = with_nulls(*nulls, array, self.rows);
            }
        }
        self.rows += batch.num_rows();
    }

    /// The text of the metadata.
    pub(crate) fn into_text(mut self) -> UnavailableText {
        if self.text > MOST_TEXT {
            let mut names: BTreeSet<String> = self.columns.into_keys().collect();
            names.extend(self.declared.into_keys());
            return UnavailableText::TooMuch(names.into_iter().collect());
        }
        let nulls = |name: &String| self.nulls.get(name).copied().unwrap_or_default();
        for (name, column) in &mut self.columns {
            column.nulls = nulls(name);
        }
        for (name, codes) in &mut self.declared {
            for code in codes.values_mut() {
                code.nulls = nulls(name);
            }
        }
        let is_empty = self.columns.is_empty() && self.declared.is_empty();
        let text = serde_json::to_string(&self).ok().filter(|_| !is_empty);
        text.map_or(UnavailableText::Nothing, UnavailableText::Text)
    }

    /// What the metadata of a file say.
    pub(super) fn of(metadata: &Metadata) -> Self {
        let text = metadata.get(metadata::UNAVAILABLE);
        text.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
    }

    /// Puts the codes of a column back, and declares them again. Somebody may have changed the rows of the file: unless the same answers
    /// are missing, nothing is known.
    pub(super) fn restore(&self, column: &mut BaseColumn, lengths: &[usize]) -> Result<()> {
        let before = self.before_declaring(column, lengths);
        self.restore_default(column, lengths)?;
        column.declared = before.map(Arc::new);
        Ok(())
    }

    fn restore_default(&self, column: &mut BaseColumn, lengths: &[usize]) -> Result<()> {
        let Some(known) = self.columns.get(column.field.name()) else { return Ok(()) };
        let Ok(code) = known.code.parse::<i64>() else { return Ok(()) };
        let Some(rows) = self.rows_of(known, column, lengths) else { return Ok(()) };
        let arrays = column.arrays.iter().zip(&rows).map(|(array, rows)| with_code(array, rows, code));
        let Some(arrays) = arrays.collect::<Option<Vec<_>>>() else { return Ok(()) };
        let mut undeclared = column.clone();
        undeclared.arrays = arrays;
        undeclared.variable = column.variable.as_deref().map(|variable| {
            let declared = metadata::missing(&column.field);
            Arc::new(with_value(
                variable.clone(),
                declared.into_iter().find(|value| value.code == known.code),
            ))
        });
        not_available::declare(&mut undeclared, code)?;
        *column = undeclared;
        Ok(())
    }

    /// The codes that were declared as missing; `None` if they are not known.
    fn before_declaring(&self, column: &BaseColumn, lengths: &[usize]) -> Option<BeforeDeclaring> {
        let codes = self.declared.get(column.field.name())?;
        let mut parts: Vec<Vec<Option<&str>>> = lengths.iter().map(|length| vec![None; *length]).collect();
        for known in codes.values() {
            for (part, rows) in parts.iter_mut().zip(self.rows_of(known, column, lengths)?) {
                for row in rows {
                    *part.get_mut(row)? = Some(known.code.as_str());
                }
            }
        }
        let array = |part| Arc::new(StringArray::from(part)) as ArrayRef;
        Some(BeforeDeclaring { arrays: parts.into_iter().map(array).collect(), variable: None })
    }

    /// The rows of each array; `None` if other answers are missing than those of the file that was written.
    fn rows_of(
        &self,
        known: &UnavailableOfColumn,
        column: &BaseColumn,
        lengths: &[usize],
    ) -> Option<Vec<Vec<usize>>> {
        let mut at = 0;
        let step = |step: &str| {
            at += step.parse::<usize>().ok()?;
            Some(at)
        };
        let rows: Option<Vec<usize>> = known.steps.split(' ').map(step).collect();
        let rows = rows.filter(|_| self.rows == lengths.iter().sum::<usize>())?;
        let (mut rows, mut start, mut nulls, mut parts) = (rows.into_iter().peekable(), 0, 0, Vec::new());
        for array in &column.arrays {
            let end = start + array.len();
            let mut here = Vec::new();
            while let Some(row) = rows.next_if(|row| *row < end) {
                here.push(row - start);
            }
            parts.push(here);
            nulls = with_nulls(nulls, array, start);
            start = end;
        }
        (nulls == known.nulls).then_some(parts)
    }
}

/// The number for the nulls before this array and those in it, whose first row has this number.
fn with_nulls(before: u64, array: &ArrayRef, start: usize) -> u64 {
    // FNV-1a, which is the same in every version.
    let mix = |known: u64, row: usize| (known ^ (start + row) as u64).wrapping_mul(0x0100_0000_01b3);
    (0..array.len()).filter(|row| array.is_null(*row)).fold(before, mix)
}

/// The array with a code in these rows; `None` if one of them has an answer, or the column cannot have the code.
fn with_code(array: &ArrayRef, rows: &[usize], code: i64) -> Option<ArrayRef> {
    if rows.iter().any(|row| array.is_valid(*row)) {
        return None;
    }
    let mut rows = rows.iter().copied().peekable();
    let mut is_here = |row: usize| rows.next_if_eq(&row).is_some();
    macro_rules! filled {
        ($kind:ty, $code:expr) => {{
            let values = array.as_any().downcast_ref::<$kind>()?;
            let value = |(row, value)| if is_here(row) { Some($code) } else { value };
            Arc::new(values.iter().enumerate().map(value).collect::<$kind>())
        }};
    }
    let text = code.to_string();
    Some(match array.data_type() {
        DataType::Int64 => filled!(Int64Array, code),
        #[allow(clippy::cast_precision_loss)] // a code beyond 2^53 is no code of a float
        DataType::Float64 => filled!(Float64Array, code as f64),
        DataType::Utf8 => filled!(StringArray, text.as_str()),
        DataType::List(item) => {
            let lists = array.as_list_opt::<i32>()?;
            let values = lists.values().as_string_opt::<i32>()?;
            let mut filled = ListBuilder::new(StringBuilder::new()).with_field(Arc::clone(item));
            for row in 0..lists.len() {
                let is_filled = is_here(row);
                let [start, end] = [row, row + 1].map(|at| lists.value_offsets()[at]);
                for item in start..end {
                    filled.values().append_value(values.value(usize::try_from(item).ok()?));
                }
                if is_filled {
                    filled.values().append_value(&text);
                }
                filled.append(is_filled || lists.is_valid(row));
            }
            Arc::new(filled.finish())
        }
        _ => return None,
    })
}

/// The variable with a code that was declared as missing, behind its other ones.
fn with_value(mut variable: Variable, value: Option<ValueLabel>) -> Variable {
    if let Some(value) = value {
        if let Some(original) = variable.original.as_deref_mut() {
            original.labels.push(value.label.clone());
        }
        variable.values.push(value);
    }
    variable
}
