//! Replaces the codes of a column.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, Float64Array, Int64Array, StringArray};
use arrow_schema::DataType;

use crate::column::cell::float_text;

/// The array with other codes. `foreign`: codes that mean something in another wave and nothing in this one, so they must not occur.
pub(super) fn array(
    array: &ArrayRef,
    codes: &HashMap<String, String>,
    foreign: &HashSet<String>,
) -> Result<ArrayRef, String> {
    if codes.is_empty() && foreign.is_empty() {
        return Ok(Arc::clone(array));
    }
    match array.data_type() {
        DataType::Null => Ok(Arc::clone(array)),
        DataType::Int64 => {
            let numbers = array.as_primitive::<Int64Type>();
            let mut known: HashMap<i64, i64> = HashMap::new();
            let recoded = numbers.iter().map(|number| {
                let Some(number) = number else { return Ok(None) };
                if let Some(target) = known.get(&number) {
                    return Ok(Some(*target));
                }
                let code = number.to_string();
                let target = target(&code, codes, foreign)?;
                let target = target.parse().map_err(|_| format!("the code {target} is no integer"))?;
                known.insert(number, target);
                Ok(Some(target))
            });
            Ok(Arc::new(recoded.collect::<Result<Int64Array, String>>()?))
        }
        DataType::Float64 => {
            let numbers = array.as_primitive::<Float64Type>();
            let recoded = numbers.iter().map(|number| {
                let Some(number) = number else { return Ok(None) };
                let code = float_text(number);
                let target = target(&code, codes, foreign)?;
                target.parse().map(Some).map_err(|_| format!("the code {target} is no number"))
            });
            Ok(Arc::new(recoded.collect::<Result<Float64Array, String>>()?))
        }
        DataType::Utf8 => {
            let texts = array.as_string::<i32>();
            let recoded = texts.iter().map(|text| text.map(|text| target(text, codes, foreign)).transpose());
            Ok(Arc::new(recoded.collect::<Result<StringArray, String>>()?))
        }
        _ if codes.is_empty() => Ok(Arc::clone(array)),
        other => Err(format!("its codes change, which is not possible in a column of the type {other}")),
    }
}

/// What a code is in the table.
fn target<'a>(
    code: &'a str,
    codes: &'a HashMap<String, String>,
    foreign: &HashSet<String>,
) -> Result<&'a str, String> {
    match codes.get(code) {
        Some(target) => Ok(target),
        None if foreign.contains(code) => {
            Err(format!("the code {code} occurs without a label, and means something in another wave"))
        }
        None => Ok(code),
    }
}
