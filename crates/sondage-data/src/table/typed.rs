//! Converts column builders to Arrow arrays of the declared type, or of a wider one if the data require it. Values that
//! do not fit the declared type keep the type of the data, ultimately text: no value is ever changed or omitted.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, NullArray, new_null_array};
use arrow_schema::{ArrowError, DataType, TimeUnit};

use super::times;
use crate::column::cell::{Cell, EXACT_IN_F64};
use crate::column::seen::{SeenKinds, StorageKind};
use crate::column::{Column, Values};
use crate::meaning::Wanted;

/// A finished column: one array for each batch, all of one type.
#[derive(Debug, Clone)]
pub(crate) struct TypedColumn {
    pub(crate) arrays: Vec<ArrayRef>,
    pub(crate) data_type: DataType,
    /// Some values are arrays or objects, kept as JSON.
    pub(crate) nested: bool,
    /// All values are arrays or objects.
    pub(crate) json: bool,
    /// Why the type is not the declared one, or not a narrower one.
    pub(crate) warning: Option<String>,
}

impl TypedColumn {
    /// A column without a single value.
    pub(crate) fn nulls(arrays: Vec<ArrayRef>, data_type: DataType) -> Self {
        TypedColumn { arrays, data_type, nested: false, json: false, warning: None }
    }
}

/// How the data fit the declared type.
pub(super) enum Fit {
    /// The type of the data is used.
    AsIs,
    /// The same values in the declared type.
    Arrays(Vec<ArrayRef>),
    /// Texts that turned out to be numbers, to be examined once more.
    Numbers(Vec<Column>),
    /// The first row that does not fit the declared type.
    Misfit(usize),
}

/// Converts the parts of a column, one per batch, to arrays.
pub(crate) fn typed(mut parts: Vec<Column>, wanted: Option<Wanted>) -> Result<TypedColumn, ArrowError> {
    let mut kinds = parts.iter().fold(SeenKinds::default(), |seen, part| seen.union(part.seen()));
    let (nested, json) = (kinds.nested(), kinds.only_nested());
    if kinds.kind() == StorageKind::Null {
        return Ok(nulls(&parts, wanted.map_or(DataType::Null, data_type)));
    }
    if wanted == Some(Wanted::Text) {
        kinds = kinds.union(SeenKinds::text());
    }
    for part in &mut parts {
        part.widen(kinds);
    }
    let fit = fit(&mut parts, kinds, wanted);
    let warning = match (&fit, wanted) {
        (Fit::Misfit(row), Some(wanted)) => Some(misfit(wanted, *row, kinds)),
        (Fit::AsIs, None | Some(Wanted::Integer | Wanted::Number | Wanted::Real)) => mixture(kinds),
        _ => None,
    };
    let arrays = match fit {
        Fit::Arrays(arrays) => arrays,
        Fit::Numbers(parts) => return typed(parts, wanted),
        Fit::AsIs | Fit::Misfit(_) => parts.into_iter().map(array).collect::<Result<_, _>>()?,
    };
    let data_type = arrays.first().map_or(DataType::Null, |array| array.data_type().clone());
    Ok(TypedColumn { arrays, data_type, nested, json, warning })
}

/// Converts the parts to the declared type if their values, of the kinds `seen`, fit into it.
pub(super) fn fit(parts: &mut [Column], seen: SeenKinds, wanted: Option<Wanted>) -> Fit {
    if wanted == Some(Wanted::Timestamp) && parts.iter().all(Column::only_moments) {
        return Fit::Arrays(parts.iter_mut().map(timestamps).collect());
    }
    parts.iter_mut().for_each(Column::spell_out);
    match wanted {
        None | Some(Wanted::Text) => Fit::AsIs,
        Some(Wanted::Integer | Wanted::Number | Wanted::Real) => numbers(parts, seen, wanted),
        Some(Wanted::Bool) => bools(parts, seen),
        Some(Wanted::Date | Wanted::Timestamp) => times::times(parts, seen, wanted),
    }
}

/// The warning about a value that does not fit the declared type, in a row counted from 0.
pub(super) fn misfit(wanted: Wanted, row: usize, seen: SeenKinds) -> String {
    format!(
        "declared as {}, but the value in row {} does not fit; kept as {}",
        wanted.word(),
        row + 1,
        kept_as(seen.kind())
    )
}

/// The Arrow type of a declared type, for columns without values.
pub(super) fn data_type(wanted: Wanted) -> DataType {
    match wanted {
        Wanted::Integer | Wanted::Number => DataType::Int64,
        Wanted::Real => DataType::Float64,
        Wanted::Text => DataType::Utf8,
        Wanted::Bool => DataType::Boolean,
        Wanted::Date => DataType::Date32,
        Wanted::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
    }
}

fn nulls(parts: &[Column], data_type: DataType) -> TypedColumn {
    let arrays = parts.iter().map(|part| new_null_array(&data_type, part.len())).collect();
    TypedColumn::nulls(arrays, data_type)
}

fn kept_as(kind: StorageKind) -> &'static str {
    match kind {
        StorageKind::Text => "text",
        StorageKind::Float => "floating point numbers",
        StorageKind::Int => "integers",
        StorageKind::Bool | StorageKind::Null => "true and false",
    }
}

/// The warning for a column that is text only because no narrower type can hold its values.
pub(super) fn mixture(seen: SeenKinds) -> Option<String> {
    let kind_names = seen.words();
    if seen.kind() != StorageKind::Text {
        None
    } else if kind_names.len() > 1 {
        Some(format!("holds {}; kept as text", kind_names.join(" and ")))
    } else if kind_names == ["numbers"] {
        Some("holds numbers with more digits than 64 bits can represent; kept as text".to_owned())
    } else {
        None
    }
}

/// The first row, over all parts, whose value is not null and fails the test.
pub(super) fn first_misfit(parts: &[Column], holds: impl Fn(&Column, usize) -> bool) -> Option<usize> {
    let mut before = 0;
    for part in parts {
        if let Some(row) = (0..part.len()).find(|&row| part.is_valid(row) && !holds(part, row)) {
            return Some(before + row);
        }
        before += part.len();
    }
    None
}

fn numbers(parts: &[Column], seen: SeenKinds, wanted: Option<Wanted>) -> Fit {
    match seen.kind() {
        StorageKind::Int if wanted == Some(Wanted::Real) && !seen.big() => {
            Fit::Arrays(parts.iter().map(as_floats).collect())
        }
        StorageKind::Float if wanted == Some(Wanted::Integer) => {
            match first_misfit(parts, |part, row| part.float(row).is_some_and(is_whole)) {
                None => Fit::Arrays(parts.iter().map(as_integers).collect()),
                Some(row) => Fit::Misfit(row),
            }
        }
        StorageKind::Int | StorageKind::Float => Fit::AsIs,
        _ if seen.only_text() => match first_misfit(parts, |part, row| json_number(part.text(row)).is_some())
        {
            None => reread_all(parts),
            Some(row) => Fit::Misfit(row),
        },
        _ if seen.words() == ["numbers"] => Fit::AsIs,
        _ => Fit::Misfit(first_misfit(parts, |part, row| json_number(part.text(row)).is_some()).unwrap_or(0)),
    }
}

fn is_whole(value: f64) -> bool {
    #[allow(clippy::cast_precision_loss)]
    let exact = value.abs() <= EXACT_IN_F64 as f64;
    exact && value.fract() == 0.0 && (value != 0.0 || value.is_sign_positive())
}

/// A text that is a number as JSON writes them: `007` and `+41` are texts, and so is a number too long for 64 bits.
fn json_number(text: &str) -> Option<Cell<'_>> {
    let number = text.starts_with(|c: char| c == '-' || c.is_ascii_digit());
    if !number || serde_json::from_str::<serde_json::Number>(text).is_err() {
        return None;
    }
    Cell::read(text).ok().filter(|cell| matches!(cell, Cell::Int(_) | Cell::Float(_)))
}

fn reread_all(parts: &[Column]) -> Fit {
    let numbers: Vec<Column> = parts.iter().map(reread).collect();
    let kinds = numbers.iter().fold(SeenKinds::default(), |seen, part| seen.union(part.seen()));
    if kinds.kind() != StorageKind::Text {
        return Fit::Numbers(numbers);
    }
    // Fractions together with integers beyond 2^53: no numeric type holds both.
    let exact = |value: i64| value.unsigned_abs() <= EXACT_IN_F64;
    let fits = |part: &Column, row: usize| !matches!(json_number(part.text(row)), Some(Cell::Int(value)) if !exact(value));
    Fit::Misfit(first_misfit(parts, fits).unwrap_or(0))
}

pub(super) fn reread(part: &Column) -> Column {
    let mut numbers = Column::new();
    for row in 0..part.len() {
        numbers.push(part.is_valid(row).then(|| json_number(part.text(row))).flatten().unwrap_or(Cell::Null));
    }
    numbers
}

fn bools(parts: &[Column], seen: SeenKinds) -> Fit {
    let truth = |part: &Column, row: usize| match part.values() {
        Values::Int(values) => match values[row] {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        },
        Values::Text(texts) if texts.get(row).eq_ignore_ascii_case("true") => Some(true),
        Values::Text(texts) if texts.get(row).eq_ignore_ascii_case("false") => Some(false),
        _ => None,
    };
    if seen.kind() == StorageKind::Bool {
        return Fit::AsIs;
    }
    match first_misfit(parts, |part, row| truth(part, row).is_some()) {
        Some(row) => Fit::Misfit(row),
        None => Fit::Arrays(
            parts
                .iter()
                .map(|part| {
                    let bools =
                        (0..part.len()).map(|row| part.is_valid(row).then(|| truth(part, row)).flatten());
                    Arc::new(bools.collect::<BooleanArray>()) as ArrayRef
                })
                .collect(),
        ),
    }
}

#[allow(clippy::cast_precision_loss)]
fn as_floats(part: &Column) -> ArrayRef {
    let values = (0..part.len()).map(|row| part.int(row).map(|value| value as f64));
    Arc::new(values.collect::<Float64Array>())
}

#[allow(clippy::cast_possible_truncation)]
fn as_integers(part: &Column) -> ArrayRef {
    let values = (0..part.len()).map(|row| part.float(row).map(|value| value as i64));
    Arc::new(values.collect::<Int64Array>())
}

/// Timestamps that are already stored as numbers.
fn timestamps(part: &mut Column) -> ArrayRef {
    let (values, nulls, len) = std::mem::replace(part, Column::new()).into_parts();
    match values {
        Values::Timestamps(timestamps) => Arc::new(times::in_utc(timestamps.into_micros(), nulls)),
        _ => new_null_array(&data_type(Wanted::Timestamp), len),
    }
}

/// The values of a column as they are stored, without a copy; timestamps as texts.
pub(crate) fn array(mut part: Column) -> Result<ArrayRef, ArrowError> {
    part.spell_out();
    let (values, nulls, len) = part.into_parts();
    Ok(match values {
        Values::Null => Arc::new(NullArray::new(len)),
        Values::Bool(values) => Arc::new(BooleanArray::new(values.into(), nulls)),
        Values::Int(values) => Arc::new(Int64Array::new(values.into(), nulls)),
        Values::Float(values) => Arc::new(Float64Array::new(values.into(), nulls)),
        Values::Text(texts) => Arc::new(texts.into_array(nulls)?),
        Values::Timestamps(timestamps) => Arc::new(times::in_utc(timestamps.into_micros(), nulls)),
    })
}
