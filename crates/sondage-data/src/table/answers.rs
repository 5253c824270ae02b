//! The answers to a question row by row, as its frequencies and crosstabs count them, and the rows that a caller chooses.

use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampMicrosecondType, TimestampNanosecondType};
use arrow_array::{Array, ArrayRef, BooleanArray};
use arrow_schema::{ArrowError, DataType, TimeUnit};
use arrow_select::filter::filter;
use sondage::reports::FrequencyKind;
use sondage::{Error, Result};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::declared::plain;
use super::frequencies::{Target, kind};
use super::labels::{Legend, answer, offered};
use super::values::code_of;
use super::{BaseColumn, BeforeDeclaring, Table, Undeclared, code_text};

/// The answers to a question.
#[derive(Clone, Debug)]
pub struct Answers {
    /// How frequencies count it.
    pub kind: FrequencyKind,
    /// The categories, as frequencies and crosstabs have them; none for open answers.
    pub categories: Vec<Category>,
    /// For each row, its categories; `None` if it has no answer.
    pub rows: Vec<Option<Vec<u32>>>,
    /// For each row, the value as it was downloaded.
    pub values: Vec<Option<Value>>,
}

/// A category of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Category {
    /// Its code.
    pub code: String,
    /// Its label, or the code if it has none.
    pub label: String,
    /// Whether the questionnaire offers it: the label is then one of its author, otherwise it is an answer.
    pub offered: bool,
}

/// A value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A text.
    Text(String),
    /// A time, in microseconds since 1970 in UTC.
    Time(i64),
}

impl Table {
    /// The answers to a question, or of a column.
    pub fn answers(&self, argument: &str, name: &str) -> Result<Answers> {
        let own_columns = self.counted_columns()?;
        let columns: Vec<&BaseColumn> = own_columns.iter().map(Cow::as_ref).collect();
        Ok(match self.target(&columns, argument, name)? {
            Target::Column(column) => of_column(column),
            Target::Choices(column, _) => of_choices(&column),
        })
    }

    /// The rows that a mask chooses.
    pub fn chosen(&self, mask: &[bool]) -> Result<Table> {
        if mask.len() != self.num_rows() {
            return Err(Error::internal("the mask has another number of rows than the table"));
        }
        let (mut rest, mut masks) = (mask, Vec::new());
        for rows in &self.base.rows {
            let (batch, after) = rest.split_at(*rows);
            masks.push(BooleanArray::from(batch.to_vec()));
            rest = after;
        }
        let columns = self.base_columns().into_iter().map(|column| chosen(column, &masks));
        let columns = columns.collect::<std::result::Result<_, ArrowError>>();
        let columns = columns.map_err(|error| Error::internal(error.to_string()))?;
        Ok(self.rebuilt(columns, masks.iter().map(BooleanArray::true_count).collect()))
    }
}

fn chosen(column: &BaseColumn, masks: &[BooleanArray]) -> std::result::Result<BaseColumn, ArrowError> {
    let cut = |arrays: &[ArrayRef]| -> std::result::Result<Vec<ArrayRef>, ArrowError> {
        arrays.iter().zip(masks).map(|(array, mask)| filter(array.as_ref(), mask)).collect()
    };
    let declared = match column.declared.as_deref() {
        Some(before) => Some(Arc::new(BeforeDeclaring {
            arrays: cut(&before.arrays)?,
            variable: before.variable.clone(),
        })),
        None => None,
    };
    let undeclared = match column.undeclared.as_deref() {
        Some(undeclared) => Some(Arc::new(Undeclared {
            column: chosen(&undeclared.column, masks)?,
            code: undeclared.code.clone(),
        })),
        None => None,
    };
    Ok(BaseColumn { arrays: cut(&column.arrays)?, declared, undeclared, ..column.clone() })
}

fn of_column(column: &BaseColumn) -> Answers {
    let kind = kind(column);
    let values: Vec<Option<Value>> = column.arrays.iter().flat_map(values).collect();
    if kind == FrequencyKind::Open {
        let rows = column.arrays.iter().flat_map(|array| {
            let is_null = *array.data_type() == DataType::Null;
            (0..array.len()).map(move |row| (!is_null && array.is_valid(row)).then(Vec::new))
        });
        return Answers { kind, categories: Vec::new(), rows: rows.collect(), values };
    }
    let variable = column.variable.as_deref().cloned().unwrap_or_default();
    let mut legend = Legend::new(&variable);
    column.arrays.iter().for_each(|array| legend.meet(array));
    let _ = legend.close(&column.field);
    let place = |array: &ArrayRef, row| {
        answer(array.as_ref(), row)
            .map(|code| legend.place(&code).and_then(|at| u32::try_from(at).ok()).into_iter().collect())
    };
    let rows = column.arrays.iter().flat_map(|array| (0..array.len()).map(move |row| place(array, row)));
    let data_type = column.field.data_type();
    // As reports have them: of 1.0 and 1, one is the code.
    let code = |code: Option<String>, label: &String| {
        let code = code.unwrap_or_else(|| label.clone());
        code_text(&code_of(data_type, &code))
    };
    let known: HashSet<Cow<'_, str>> = variable.values.iter().map(|value| plain(&value.code)).collect();
    let category = |(of, label): (Option<String>, String)| {
        let code = code(of, &label);
        Category { offered: known.contains(plain(&code).as_ref()), code, label }
    };
    let categories = legend.coded().into_iter().map(category).collect();
    Answers { kind, categories, rows: rows.collect(), values }
}

fn of_choices(column: &BaseColumn) -> Answers {
    let variable = column.variable.as_deref().cloned().unwrap_or_default();
    let codes = variable.values.iter().map(|value| value.code.clone());
    let offered = codes.zip(offered(&variable));
    let mut categories: Vec<Category> =
        offered.map(|(code, label)| Category { code, label, offered: true }).collect();
    let mut places: HashMap<String, u32> = HashMap::new();
    for (at, category) in (0..).zip(&categories) {
        places.entry(category.code.clone()).or_insert(at);
    }
    let mut rows = Vec::new();
    for array in &column.arrays {
        let lists = array.as_list_opt::<i32>();
        for row in 0..array.len() {
            let Some(lists) = lists.filter(|lists| lists.is_valid(row)) else {
                rows.push(None);
                continue;
            };
            let values = lists.value(row);
            let mut chosen = Vec::new();
            for code in (0..values.len()).filter_map(|item| answer(values.as_ref(), item)) {
                let next = u32::try_from(categories.len()).unwrap_or(u32::MAX);
                let place = *places.entry(code.clone()).or_insert_with(|| {
                    categories.push(Category { code: code.clone(), label: code, offered: false });
                    next
                });
                if !chosen.contains(&place) {
                    chosen.push(place);
                }
            }
            rows.push(Some(chosen));
        }
    }
    let values = vec![None; rows.len()];
    Answers { kind: FrequencyKind::Multiple, categories, rows, values }
}

/// The values of an array. Those of lists and of nested columns are none.
fn values(array: &ArrayRef) -> Vec<Option<Value>> {
    let times: Option<Vec<Option<i64>>> = match array.data_type() {
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Some(array.as_primitive::<TimestampMicrosecondType>().iter().collect())
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            let times = array.as_primitive::<TimestampNanosecondType>().iter();
            Some(times.map(|time| Some(time?.div_euclid(1_000))).collect())
        }
        _ => None,
    };
    if let Some(times) = times {
        return times.into_iter().map(|time| time.map(Value::Time)).collect();
    }
    if let Some(numbers) = super::frequencies::numbers(array) {
        return numbers.into_iter().map(|number| number.map(Value::Number)).collect();
    }
    (0..array.len()).map(|row| answer(array.as_ref(), row).map(Value::Text)).collect()
}
