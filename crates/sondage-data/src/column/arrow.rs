//! Columns rebuilt from the Arrow arrays in which they were stored.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;

use super::seen::SeenKinds;
use super::validity::Validity;
use super::{Column, StringBuffer, Values};

impl Column {
    /// The column with the values of an array. `None` for a type that no column has.
    pub(crate) fn of_array(array: &ArrayRef, seen: SeenKinds) -> Option<Column> {
        let len = array.len();
        let mut valid = Validity::default();
        match array.nulls() {
            _ if array.data_type() == &DataType::Null => valid.add_nulls(0, len),
            Some(nulls) => {
                for row in (0..len).filter(|&row| nulls.is_null(row)) {
                    valid.add_nulls(row, row + 1);
                }
            }
            None => {}
        }
        let values = match array.data_type() {
            DataType::Null => Values::Null,
            DataType::Boolean => Values::Bool(array.as_boolean().values().iter().collect()),
            DataType::Int64 => Values::Int(array.as_primitive::<Int64Type>().values().to_vec()),
            DataType::Float64 => Values::Float(array.as_primitive::<Float64Type>().values().to_vec()),
            DataType::Utf8 => Values::Text(StringBuffer::of_array(array.as_string::<i32>())),
            _ => return None,
        };
        Some(Column { len, values, valid, seen, ..Column::new() })
    }

    /// Whether every row is null.
    pub(crate) fn all_null(&self) -> bool {
        self.valid.all_null(self.len)
    }
}
