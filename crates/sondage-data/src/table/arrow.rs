//! Tables from Arrow data with the metadata that this library writes, such as those of its Parquet files.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, ListArray, PrimitiveArray, RecordBatch, RecordBatchReader,
    StringArray,
};
use arrow_schema::{DataType, Field, Metadata};
use serde::de::DeserializeOwned;
use sondage::{Error, Result};

use super::labels::offered;
use super::unavailable::UnavailableOfFile;
use super::{Base, BaseColumn, Labels, Table, metadata};
use crate::create::source::checked;
use crate::meaning::{Survey, Variable, VariableTexts};

impl Table {
    /// A table from rows whose columns have this library's metadata, such as those of a Parquet file that it wrote. Labels become
    /// codes, which the table shows as labels: it is the table that was written.
    pub fn from_arrow(rows: impl RecordBatchReader) -> Result<Self> {
        let schema = rows.schema();
        let unreadable = |error: &dyn std::fmt::Display| {
            Error::invalid_argument(format!("the columns cannot be read as a table: {error}"))
        };
        let batches: Vec<RecordBatch> =
            rows.map(checked).collect::<std::result::Result<_, _>>().map_err(|error| unreadable(&error))?;
        if !schema.fields().iter().any(|field| field.metadata().contains_key(metadata::ORIGIN)) {
            return Err(Error::invalid_argument("the columns have no metadata of this library")
                .with_hint("Read a file that `to_parquet` of this library wrote."));
        }
        let (mut labels, mut columns) = (Labels::Codes, Vec::new());
        for (place, field) in schema.fields().iter().enumerate() {
            if field.metadata().contains_key(metadata::LABELS_OF) {
                labels = Labels::Both;
                continue;
            }
            let arrays: Vec<ArrayRef> = batches.iter().map(|batch| Arc::clone(batch.column(place))).collect();
            let variable = variable_of(field);
            let lists_labels = field.metadata().contains_key(metadata::LISTS_OF);
            let is_labelled = lists_labels
                || matches!(field.data_type(), DataType::Dictionary(..))
                    && !field.metadata().contains_key(metadata::MISSING_OF);
            match variable.as_ref().filter(|_| is_labelled) {
                Some(variable) => {
                    labels = if labels == Labels::Codes { Labels::Labels } else { labels };
                    let coded = if lists_labels { coded_lists } else { coded };
                    columns.push(coded(field, &arrays, variable));
                }
                None => columns.push(column(field.as_ref().clone(), arrays, variable)),
            }
        }
        let (survey, rows): (_, Vec<usize>) =
            (survey_of(schema.metadata()), batches.iter().map(RecordBatch::num_rows).collect());
        let unavailable = UnavailableOfFile::of(schema.metadata());
        for column in &mut columns {
            unavailable.restore(column, &rows)?;
        }
        let base = Base { columns, rows, survey, plan: None, warnings: Vec::new() };
        let table = Table::of(Arc::new(base)).map_err(|error| unreadable(&error))?;
        Ok(table.with_labels(labels))
    }
}

fn column(field: Field, arrays: Vec<ArrayRef>, variable: Option<Variable>) -> BaseColumn {
    let json = field.metadata().get(metadata::FORMAT).is_some_and(|format| format == "json");
    let variable = variable.map(Arc::new);
    BaseColumn {
        field: Arc::new(field),
        arrays,
        variable,
        nested: json,
        json,
        undeclared: None,
        declared: None,
    }
}

/// What the metadata of a column say of its question; `None` if they say nothing.
fn variable_of(field: &Field) -> Option<Variable> {
    let text = |key: &str| field.metadata().get(key).cloned();
    let is_described = [metadata::QUESTION, metadata::VALUES, metadata::TYPE, metadata::DATA_TYPE]
        .iter()
        .any(|key| field.metadata().contains_key(key));
    let json = |key: &str| field.metadata().get(key);
    let original = json_of::<VariableTexts>(json(metadata::ORIGINAL));
    is_described.then(|| Variable {
        code: field.name().clone(),
        data_type: text(metadata::DATA_TYPE),
        question_code: text(metadata::QUESTION_CODE),
        question_type: text(metadata::TYPE),
        question: text(metadata::QUESTION),
        row: text(metadata::ROW),
        choice: text(metadata::CHOICE),
        section: text(metadata::SECTION),
        values: json_of(json(metadata::VALUES)).unwrap_or_default(),
        translations: json_of(json(metadata::TRANSLATIONS)).unwrap_or_default(),
        original: original.map(Box::new),
        ..Variable::default()
    })
}

/// A value of the metadata.
fn json_of<T: DeserializeOwned>(json: Option<&String>) -> Option<T> {
    serde_json::from_str(json?).ok()
}

fn survey_of(metadata: &Metadata) -> Survey {
    Survey {
        name: metadata.get(metadata::SURVEY_NAME).cloned(),
        default_language: metadata.get(metadata::SURVEY_LANGUAGE).cloned(),
        languages: json_of(metadata.get(metadata::SURVEY_LANGUAGES)).unwrap_or_default(),
    }
}

/// The code of each label of a variable.
fn codes_by_label(variable: &Variable) -> HashMap<String, &str> {
    offered(variable).into_iter().zip(variable.values.iter().map(|value| value.code.as_str())).collect()
}

/// A column of lists of labels as lists of codes.
fn coded_lists(field: &Field, arrays: &[ArrayRef], variable: &Variable) -> BaseColumn {
    let by_label = codes_by_label(variable);
    let coded = |array: &ArrayRef| -> ArrayRef {
        let Some(lists) = array.as_list_opt::<i32>() else { return Arc::clone(array) };
        let Some(labels) = lists.values().as_string_opt::<i32>() else { return Arc::clone(array) };
        let codes: StringArray = labels
            .iter()
            .map(|label| label.map(|label| by_label.get(label).copied().unwrap_or(label)))
            .collect();
        let item = Arc::new(Field::new_list_field(DataType::Utf8, true));
        let lists =
            ListArray::try_new(item, lists.offsets().clone(), Arc::new(codes), lists.nulls().cloned());
        lists.map_or_else(|_| Arc::clone(array), |lists| Arc::new(lists) as ArrayRef)
    };
    let mut field = field.clone().with_data_type(DataType::new_list(DataType::Utf8, true));
    field.metadata_mut().remove(metadata::LISTS_OF);
    column(field, arrays.iter().map(coded).collect(), Some(variable.clone()))
}

/// A column of labels as codes of the type that the file names. Files of earlier versions name none: integers, if all of them are.
fn coded(field: &Field, arrays: &[ArrayRef], variable: &Variable) -> BaseColumn {
    let by_label = codes_by_label(variable);
    let codes: Vec<Codes> = arrays.iter().map(|array| codes_of(array, &by_label)).collect();
    let mut field = field.clone();
    let numbers = match field.metadata_mut().remove(metadata::CODES).as_deref() {
        Some("text") => None,
        Some("decimal") => numbers::<Float64Type>(&codes, |code| code.parse().ok()),
        Some(_) => numbers::<Int64Type>(&codes, |code| code.parse().ok()),
        // Not `01`, which is another code than `1`.
        None => numbers::<Int64Type>(&codes, |code| {
            code.parse().ok().filter(|number: &i64| number.to_string() == code)
        }),
    };
    let texts = || codes.into_iter().map(|part| Arc::new(StringArray::from(part)) as ArrayRef).collect();
    let arrays: Vec<ArrayRef> = numbers.unwrap_or_else(texts);
    let data_type = arrays.first().map_or(DataType::Int64, |array| array.data_type().clone());
    column(field.with_data_type(data_type), arrays, Some(variable.clone()))
}

/// The codes of a batch.
type Codes = Vec<Option<String>>;

/// Codes as numbers; `None` if one of them is none.
fn numbers<T: ArrowPrimitiveType>(
    codes: &[Codes],
    number: impl Fn(&str) -> Option<T::Native>,
) -> Option<Vec<ArrayRef>> {
    let number = |code: &Option<String>| match code {
        None => Some(None),
        Some(code) => number(code).map(Some),
    };
    let array = |codes: &Codes| {
        let numbers: Option<Vec<Option<T::Native>>> = codes.iter().map(number).collect();
        Some(Arc::new(numbers?.into_iter().collect::<PrimitiveArray<T>>()) as ArrayRef)
    };
    codes.iter().map(array).collect()
}

/// The codes of an array of labels. A label that the questionnaire does not have is a code of its own.
fn codes_of(array: &ArrayRef, by_label: &HashMap<String, &str>) -> Codes {
    let Some(labels) = array.as_any_dictionary_opt() else { return vec![None; array.len()] };
    let Some(texts) = labels.values().as_string_opt::<i32>() else { return vec![None; array.len()] };
    let keys = labels.normalized_keys();
    let code = |row: usize| {
        labels.keys().is_valid(row).then(|| {
            let label = texts.value(keys[row]);
            by_label.get(label).map_or_else(|| label.to_owned(), |code| (*code).to_owned())
        })
    };
    (0..array.len()).map(code).collect()
}
