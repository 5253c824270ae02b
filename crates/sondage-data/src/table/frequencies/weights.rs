//! The weights of rows.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use sondage::{Error, Result};

use super::super::BaseColumn;
use super::no_such_column;

/// The weights whose sums, squares and shares are numbers. Those beyond would give results that are none.
const RANGE: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// The weight of each row, batch by batch; `None` where the row is left out.
pub(in super::super) enum Weights {
    /// Every row counts once.
    Equal {
        rows: u64,
    },
    Column(Vec<Vec<Option<f64>>>),
}

/// How many rows, and their weights.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) count: u64,
    pub(super) weight: f64,
}

impl Tally {
    pub(super) fn add(&mut self, weight: f64) {
        self.count += 1;
        self.weight += weight;
    }
}

impl Weights {
    pub(in super::super) fn of(columns: &[&BaseColumn], name: Option<&str>, rows: &[usize]) -> Result<Self> {
        let Some(name) = name else {
            return Ok(Self::Equal { rows: rows.iter().map(|rows| *rows as u64).sum() });
        };
        let column = columns.iter().find(|column| column.field.name() == name);
        let column = column.ok_or_else(|| no_such_column("weight", name))?;
        let numbers: Option<Vec<_>> = column.arrays.iter().map(numbers).collect();
        let wrong = |what: String| {
            Error::invalid_argument(format!("weight: the column {name:?} {what}")).with_hint(
                "Weights are 0, or numbers from 1e-30 to 1e30. Scaled by one factor, they weight the same.",
            )
        };
        let numbers = numbers.ok_or_else(|| wrong("is no column of numbers".to_owned()))?;
        let is_wrong = |number: &f64| *number < 0.0 || !number.is_finite();
        let count = |is_counted: &dyn Fn(&f64) -> bool| {
            numbers.iter().flatten().flatten().filter(|number| is_counted(number)).count()
        };
        let wrong_rows = count(&is_wrong);
        if wrong_rows > 0 {
            return Err(wrong(format!("has {wrong_rows} values that are negative or not finite")));
        }
        let far_rows = count(&|number| *number > 0.0 && !RANGE.contains(number));
        if far_rows > 0 {
            return Err(wrong(format!("has {far_rows} values that are not between 1e-30 and 1e30")));
        }
        let counted = |number: Option<f64>| number.filter(|number| *number > 0.0);
        let batch = |batch: Vec<Option<f64>>| batch.into_iter().map(counted).collect();
        Ok(Self::Column(numbers.into_iter().map(batch).collect()))
    }

    /// The weight of a row, unless it is left out.
    pub(in super::super) fn at(&self, batch: usize, row: usize) -> Option<f64> {
        match self {
            Self::Equal { .. } => Some(1.0),
            Self::Column(batches) => batches.get(batch)?.get(row).copied().flatten(),
        }
    }

    pub(super) fn rows(&self) -> u64 {
        match self {
            Self::Equal { rows } => *rows,
            Self::Column(batches) => batches.iter().flatten().flatten().count() as u64,
        }
    }

    pub(super) fn left_out(&self) -> u64 {
        match self {
            Self::Equal { .. } => 0,
            Self::Column(batches) => {
                batches.iter().flatten().filter(|weight| weight.is_none()).count() as u64
            }
        }
    }

    /// The sum, if there are weights.
    pub(super) fn total(&self) -> Option<f64> {
        match self {
            Self::Equal { .. } => None,
            Self::Column(batches) => Some(batches.iter().flatten().flatten().sum()),
        }
    }

    /// A sum of weights, if there are weights.
    pub(super) fn shown(&self, tally: Tally) -> Option<f64> {
        matches!(self, Self::Column(_)).then_some(tally.weight)
    }
}

/// The numbers of an array; `None` if it has others.
pub(in super::super) fn numbers(array: &ArrayRef) -> Option<Vec<Option<f64>>> {
    #[allow(clippy::cast_precision_loss)] // A weight or an answer beyond 2^53 is none.
    Some(match array.data_type() {
        DataType::Int64 => {
            array.as_primitive::<Int64Type>().iter().map(|value| Some(value? as f64)).collect()
        }
        DataType::Float64 => array.as_primitive::<Float64Type>().iter().collect(),
        DataType::Null => vec![None; array.len()],
        _ => return None,
    })
}
