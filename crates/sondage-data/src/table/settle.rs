//! Resolves the type of a column whose parts are read one after the other, and are never in memory together.
//!
//! The rules are those of [`typed`]: given the kinds of values in all parts (`seen`), each part can be examined alone. So
//! the result is the same as for a table in memory.

use std::slice::from_mut;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::TimestampMicrosecondType;
use arrow_array::{Array, ArrayRef, TimestampNanosecondArray, new_null_array};
use arrow_schema::{ArrowError, DataType, TimeUnit};

use super::typed::{self, Fit, fit};
use crate::column::Column;
use crate::column::seen::{SeenKinds, StorageKind};
use crate::meaning::Wanted;

const NANOS: i64 = 1_000;

/// Resolves the type of a column. Each part is passed to [`TypeResolver::look`]; all of them again while
/// [`TypeResolver::turn`] returns `true`.
#[derive(Debug)]
pub(super) struct TypeResolver {
    wanted: Option<Wanted>,
    /// The kinds of values in all parts.
    seen: SeenKinds,
    /// For texts that are numbers: the kinds of these numbers.
    reread: Option<SeenKinds>,
    pass: ResolverPass,
    outcome: Option<Resolution>,
    /// The type that the column has elsewhere, which it keeps if its values fit.
    kept: Option<DataType>,
}

/// The findings of one pass over the parts.
#[derive(Debug, Default)]
struct ResolverPass {
    rows: usize,
    misfit: Option<usize>,
    types: Vec<DataType>,
    numbers: Option<SeenKinds>,
    /// A timestamp outside the range of nanoseconds.
    far: Option<usize>,
}

#[derive(Debug)]
enum Resolution {
    /// The column has no value.
    Null(DataType),
    /// The type of the data.
    Data { misfit: Option<usize> },
    /// The declared type.
    Promised(DataType),
}

impl TypeResolver {
    /// A resolver for a column whose parts contain the kinds `seen` in total.
    pub(super) fn new(seen: SeenKinds, wanted: Option<Wanted>) -> Self {
        let (seen, outcome) = match wanted {
            _ if seen.kind() == StorageKind::Null => {
                (seen, Some(Resolution::Null(wanted.map_or(DataType::Null, typed::data_type))))
            }
            None => (seen, Some(Resolution::Data { misfit: None })),
            Some(Wanted::Text) => (seen.union(SeenKinds::text()), Some(Resolution::Data { misfit: None })),
            Some(_) => (seen, None),
        };
        TypeResolver { wanted, seen, reread: None, pass: ResolverPass::default(), outcome, kept: None }
    }

    /// The same for a column that has a type in a store already: values that fit into it get that type, from their original
    /// text.
    pub(super) fn keeping(seen: SeenKinds, wanted: Option<Wanted>, kept: &DataType) -> Self {
        let (seen, wanted) = match kept {
            _ if seen.kind() == StorageKind::Null => (seen, wanted),
            _ if wanted.is_some_and(|wanted| typed::data_type(wanted) == *kept) => (seen, wanted),
            DataType::Utf8 => (seen, Some(Wanted::Text)),
            DataType::Float64 => (seen.union(SeenKinds::float()), None),
            DataType::Int64 => (seen, None),
            _ => (seen, wanted),
        };
        let mut resolver = Self::new(seen, wanted);
        if let Some(Resolution::Null(kind)) = &mut resolver.outcome {
            *kind = kept.clone();
        }
        resolver.kept = Some(kept.clone());
        resolver
    }

    pub(super) fn undecided(&self) -> bool {
        self.outcome.is_none()
    }

    /// Examines a part, in the order of the rows.
    pub(super) fn look(&mut self, part: Column) {
        let (before, rows) = (self.pass.rows, part.len());
        self.pass.rows += rows;
        if part.all_null() {
            return;
        }
        let mut part = self.prepared(part);
        match fit(from_mut(&mut part), self.effective(), self.wanted) {
            Fit::AsIs => {}
            Fit::Misfit(row) => {
                self.pass.misfit.get_or_insert(before + row);
            }
            Fit::Numbers(parts) => {
                let kinds = parts.iter().fold(SeenKinds::default(), |seen, part| seen.union(part.seen()));
                self.pass.numbers = Some(self.pass.numbers.unwrap_or_default().union(kinds));
            }
            Fit::Arrays(arrays) => {
                for array in arrays {
                    if let Some(row) = beyond_nanos(&array) {
                        self.pass.far.get_or_insert(before + row);
                    }
                    if !self.pass.types.contains(array.data_type()) {
                        self.pass.types.push(array.data_type().clone());
                    }
                }
            }
        }
    }

    /// After all parts: `true` if they have to be examined once more.
    pub(super) fn turn(&mut self) -> bool {
        if self.outcome.is_some() {
            return false;
        }
        let pass = std::mem::take(&mut self.pass);
        let data = |misfit| Some(Resolution::Data { misfit });
        self.outcome = match (pass.misfit, pass.numbers, &*pass.types) {
            (Some(row), ..) => data(Some(row)),
            (None, Some(numbers), _) if numbers.kind() != StorageKind::Text => {
                self.reread = Some(numbers);
                return true;
            }
            (None, Some(_), _) => data(Some(0)),
            (None, None, []) => data(None),
            (None, None, [one]) => Some(Resolution::Promised(match &self.kept {
                // Both are timestamps, and these fit into nanoseconds.
                Some(kept) if pass.far.is_none() && is_finer(kept, one) => kept.clone(),
                _ => one.clone(),
            })),
            (None, None, several) => {
                let finest =
                    several.iter().find(|one| matches!(one, DataType::Timestamp(TimeUnit::Nanosecond, _)));
                let times = several.iter().all(|one| matches!(one, DataType::Timestamp(..)));
                match (finest, pass.far) {
                    (Some(finest), None) if times => Some(Resolution::Promised(finest.clone())),
                    (_, far) => data(Some(far.unwrap_or(0))),
                }
            }
        };
        false
    }

    fn effective(&self) -> SeenKinds {
        self.reread.unwrap_or(self.seen)
    }

    fn prepared(&self, mut part: Column) -> Column {
        part.widen(self.seen);
        if let Some(numbers) = self.reread {
            part = typed::reread(&part);
            part.widen(numbers);
        }
        part
    }

    pub(super) fn data_type(&self) -> DataType {
        match &self.outcome {
            Some(Resolution::Null(kind) | Resolution::Promised(kind)) => kind.clone(),
            Some(Resolution::Data { .. }) | None => match self.effective().kind() {
                StorageKind::Null => DataType::Null,
                StorageKind::Bool => DataType::Boolean,
                StorageKind::Int => DataType::Int64,
                StorageKind::Float => DataType::Float64,
                StorageKind::Text => DataType::Utf8,
            },
        }
    }

    /// Some values are arrays or objects, kept as JSON.
    pub(super) fn nested(&self) -> bool {
        self.seen.nested()
    }

    /// All values are arrays or objects.
    pub(super) fn only_nested(&self) -> bool {
        self.seen.only_nested()
    }

    pub(super) fn warning(&self) -> Option<String> {
        match (&self.outcome, self.wanted) {
            (Some(Resolution::Data { misfit: Some(row) }), Some(wanted)) => {
                Some(typed::misfit(wanted, *row, self.effective()))
            }
            (
                Some(Resolution::Data { misfit: None }),
                None | Some(Wanted::Integer | Wanted::Number | Wanted::Real),
            ) => typed::mixture(self.effective()),
            _ => None,
        }
    }

    /// The array of a part.
    pub(super) fn array(&self, part: Column) -> Result<ArrayRef, ArrowError> {
        let rows = part.len();
        match &self.outcome {
            Some(Resolution::Null(kind)) => Ok(new_null_array(kind, rows)),
            Some(Resolution::Promised(kind)) if part.all_null() => Ok(new_null_array(kind, rows)),
            Some(Resolution::Promised(kind)) => {
                let mut part = self.prepared(part);
                match fit(from_mut(&mut part), self.effective(), self.wanted) {
                    Fit::Arrays(mut arrays) if arrays.len() == 1 => Ok(in_unit(arrays.remove(0), kind)),
                    _ => Err(ArrowError::InvalidArgumentError("a page on disk has changed".to_owned())),
                }
            }
            Some(Resolution::Data { .. }) | None => typed::array(self.prepared(part)),
        }
    }
}

/// Whether one is a timestamp in nanoseconds, and the other in microseconds.
fn is_finer(one: &DataType, other: &DataType) -> bool {
    matches!(
        (one, other),
        (DataType::Timestamp(TimeUnit::Nanosecond, _), DataType::Timestamp(TimeUnit::Microsecond, _))
    )
}

/// The first row of an array of microseconds that is outside the range of nanoseconds.
fn beyond_nanos(array: &ArrayRef) -> Option<usize> {
    let times = array.as_primitive_opt::<TimestampMicrosecondType>()?;
    (0..times.len()).find(|&row| times.is_valid(row) && times.value(row).checked_mul(NANOS).is_none())
}

/// Converts microseconds to nanoseconds, if other parts of the column have those.
fn in_unit(array: ArrayRef, kind: &DataType) -> ArrayRef {
    match (array.as_primitive_opt::<TimestampMicrosecondType>(), kind) {
        (Some(times), DataType::Timestamp(TimeUnit::Nanosecond, _)) => {
            let nanos = times.iter().map(|time| time.and_then(|time| time.checked_mul(NANOS)));
            Arc::new(nanos.collect::<TimestampNanosecondArray>().with_timezone("UTC"))
        }
        _ => array,
    }
}
