//! The metadata of a file by which pandas knows more of its columns than Parquet's types say.

use arrow_schema::{DataType, Metadata, Schema};
use indexmap::IndexMap;
use serde::Serialize;
use serde_json::{Value, json};

use crate::meaning::ValueLabel;
use crate::table::metadata;

/// The types of the columns in pandas. Other programs ignore it.
pub(crate) const TYPES: &str = "pandas";
/// `DataFrame.attrs`.
pub(crate) const ATTRIBUTES: &str = "PANDAS_ATTRS";
/// The version of pandas whose metadata these are, the oldest one that is supported.
const VERSION: &str = "2.2.0";

/// The metadata of a schema, with what `pandas.read_parquet` takes from its own files: the types of columns, and the labels.
pub(super) fn with_metadata(schema: &Schema) -> Metadata {
    let mut out = schema.metadata().clone();
    if let Some(types) = types(schema) {
        out.insert(TYPES, types);
    }
    if let Some(attributes) = attributes(schema) {
        out.insert(ATTRIBUTES, attributes);
    }
    out
}

/// pandas has a type of its own for integers and truth values with gaps, and one of Arrow for days. Without these types it reads
/// such columns as floats, which change integers beyond 2^53, and as objects.
fn types(schema: &Schema) -> Option<String> {
    let columns: Vec<Value> = schema
        .fields()
        .iter()
        .filter_map(|field| {
            let (pandas_type, numpy_type) = match field.data_type() {
                DataType::Int64 => ("int64", "Int64"),
                DataType::Int32 => ("int32", "Int32"),
                DataType::Boolean => ("bool", "boolean"),
                DataType::Date32 => ("date", "date32[day][pyarrow]"),
                _ => return None,
            };
            let name = field.name();
            Some(json!({ "name": name, "field_name": name, "pandas_type": pandas_type, "numpy_type": numpy_type, "metadata": null }))
        })
        .collect();
    let library = json!({ "library": "sondage", "version": env!("CARGO_PKG_VERSION") });
    let types = json!({
        "index_columns": [], "column_indexes": [], "columns": columns, "creator": library, "pandas_version": VERSION,
    });
    (!columns.is_empty()).then(|| types.to_string())
}

/// Questions and labels, by column. JSON has texts for the codes; they and the columns keep their order.
#[derive(Default, Serialize)]
struct Attributes<'a> {
    labels: IndexMap<&'a str, &'a str>,
    values: IndexMap<&'a str, IndexMap<String, String>>,
}

fn attributes(schema: &Schema) -> Option<String> {
    let mut attributes = Attributes::default();
    for field in schema.fields() {
        if let Some(label) = field.metadata().get(metadata::LABEL) {
            attributes.labels.insert(field.name(), label);
        }
        if let Some(text) = field.metadata().get(metadata::VALUES)
            && let Ok(known) = serde_json::from_str::<Vec<ValueLabel>>(text)
        {
            let pairs = known.into_iter().map(|value| (value.code, value.label)).collect();
            attributes.values.insert(field.name(), pairs);
        }
    }
    let is_empty = attributes.labels.is_empty() && attributes.values.is_empty();
    serde_json::to_string(&attributes).ok().filter(|_| !is_empty)
}
