//! The codes of a column with their labels.

use std::borrow::Cow;

use arrow_schema::DataType;
use indexmap::IndexMap;
use serde::{Serialize, Serializer};
use sondage::reports::ColumnCode;

use super::labels::offered;
use super::{BaseColumn, NoSuchColumn, Table, metadata};
use crate::column::cell::float_text;
use crate::meaning::ValueLabel;

/// A code as a column of this type has it.
pub(super) fn code_of(data_type: &DataType, code: &str) -> ColumnCode {
    let number = match data_type {
        DataType::Int64 | DataType::Boolean => code.parse().ok().map(ColumnCode::Integer),
        DataType::Float64 => code.parse().ok().map(ColumnCode::Real),
        _ => None,
    };
    number.unwrap_or_else(|| ColumnCode::Text(code.to_owned()))
}

/// The text of a code.
pub(super) fn text_of(code: &ColumnCode) -> Cow<'_, str> {
    match code {
        ColumnCode::Integer(code) => code.to_string().into(),
        ColumnCode::Real(code) => float_text(*code).into(),
        ColumnCode::Text(code) => code.into(),
        // The enumeration grows only together with this crate.
        _ => "".into(),
    }
}

/// The text of a code.
pub(crate) fn code_text(code: &ColumnCode) -> String {
    text_of(code).into_owned()
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
        let data_type = column.field.data_type();
        let pair = |(value, label): (&ValueLabel, String)| (code_of(data_type, &value.code), label);
        Self(variable.values.iter().zip(offered(variable)).map(pair).collect())
    }
}

impl Serialize for ValueLabels {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.0)
    }
}

/// The texts and labels of all columns.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ColumnMeanings {
    /// The texts of the questions, by column.
    labels: IndexMap<String, String>,
    /// The codes with their labels, by column, in the questionnaire's order.
    values: IndexMap<String, ValueLabels>,
}

impl Table {
    /// The text of the question and the codes with their labels of each column that has them.
    pub fn meanings(&self) -> ColumnMeanings {
        let mut meanings = ColumnMeanings::default();
        for column in &self.shown {
            let name = column.field.name();
            if let Some(label) = column.field.metadata().get(metadata::LABEL) {
                meanings.labels.insert(name.clone(), label.clone());
            }
            let values = ValueLabels::of(&self.base.columns[column.base]);
            if !values.0.is_empty() {
                meanings.values.insert(name.clone(), values);
            }
        }
        meanings
    }

    /// The codes of a column with their labels, in the questionnaire's order; empty if the code plan has none. The column may
    /// show codes or labels.
    pub fn values(&self, name: &str) -> Result<ValueLabels, NoSuchColumn> {
        let matching = self.shown.iter().find(|column| column.field.name() == name);
        let matching = matching.ok_or_else(|| NoSuchColumn { name: name.to_owned() })?;
        Ok(ValueLabels::of(&self.base.columns[matching.base]))
    }
}
