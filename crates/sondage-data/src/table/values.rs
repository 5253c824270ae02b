//! The codes of a column with their labels.

use arrow_schema::DataType;
use serde::{Serialize, Serializer};

use super::labels::offered;
use super::{BaseColumn, NoSuchColumn, Table};
use crate::meaning::ValueLabel;

/// A code, in the type of its column.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ColumnCode {
    /// Of a column of integers.
    Integer(i64),
    /// Of a column of other numbers.
    Real(f64),
    /// A code of a column of texts, or one that is no number although its column is one of numbers.
    Text(String),
}

/// The codes of a column with their labels, in the questionnaire's order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ValueLabels(Vec<(ColumnCode, String)>);

impl ValueLabels {
    /// The pairs of code and label.
    pub fn pairs(&self) -> &[(ColumnCode, String)] {
        &self.0
    }

    fn of(column: &BaseColumn) -> Self {
        let Some(variable) = column.variable.as_deref() else { return Self::default() };
        let code = |code: &str| match column.field.data_type() {
            DataType::Int64 | DataType::Boolean => code.parse().ok().map(ColumnCode::Integer),
            DataType::Float64 => code.parse().ok().map(ColumnCode::Real),
            _ => None,
        };
        let pair = |(value, label): (&ValueLabel, String)| {
            (code(&value.code).unwrap_or_else(|| ColumnCode::Text(value.code.clone())), label)
        };
        Self(variable.values.iter().zip(offered(variable)).map(pair).collect())
    }
}

impl Serialize for ValueLabels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

impl Table {
    /// The codes of a column with their labels, in the questionnaire's order; empty if the code plan has none. The column may
    /// show codes or labels.
    pub fn values(&self, name: &str) -> Result<ValueLabels, NoSuchColumn> {
        let matching = self.shown.iter().find(|column| column.field.name() == name);
        let matching = matching.ok_or_else(|| NoSuchColumn { name: name.to_owned() })?;
        Ok(ValueLabels::of(&self.base.columns[matching.base]))
    }
}
