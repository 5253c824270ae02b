//! Seeded documents, a plain JSON reader to compare with, and helpers.
#![allow(dead_code, reason = "the tests in the crate use a part of it")]

pub mod document;
pub mod random;
pub mod service;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampNanosecondType,
};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use sondage_data::{DecodeError, Page, PageDecoder, PayloadLayout, Table, TableBuilder};

pub fn page(form: PayloadLayout, answer: &str) -> Result<Page, DecodeError> {
    page_in_pieces(form, answer.as_bytes(), &[answer.len().max(1)])
}

/// Feeds the response in pieces of these sizes, in turn.
pub fn page_in_pieces(form: PayloadLayout, mut answer: &[u8], sizes: &[usize]) -> Result<Page, DecodeError> {
    let mut decoder = PageDecoder::new(form);
    for size in sizes.iter().cycle() {
        let (piece, rest) = answer.split_at((*size).min(answer.len()));
        decoder.feed(piece)?;
        answer = rest;
        if answer.is_empty() {
            break;
        }
    }
    decoder.finish()
}

pub fn table(form: PayloadLayout, answers: &[&str]) -> Table {
    let mut builder = TableBuilder::new(form);
    for answer in answers {
        builder.append(page(form, answer).expect("a page")).expect("it fits");
    }
    builder.finish().expect("a table")
}

/// A response with compact interviews.
pub fn compact(rows: &str) -> String {
    format!(r#"{{"interviews":[{rows}],"isSuccess":true,"errorCode":null,"errorMessage":null}}"#)
}

/// A table from one response with compact interviews and a code plan.
pub fn planned(rows: &str, plan: &str) -> Table {
    planned_with(rows, plan, Some(9_999_999))
}

/// The same with another code for what is not available.
pub fn planned_with(rows: &str, plan: &str, not_available: Option<i64>) -> Table {
    let answer = format!(r#"{{"interviews":[{rows}],"codePlan":{plan},"isSuccess":true}}"#);
    let mut builder = TableBuilder::new(PayloadLayout::Compact).not_available(not_available);
    builder.append(page(PayloadLayout::Compact, &answer).expect("a page")).expect("it fits");
    builder.finish().expect("a table")
}

pub fn names(table: &Table) -> Vec<String> {
    table.schema().fields().iter().map(|field| field.name().clone()).collect()
}

/// The names and types of the columns.
pub fn kinds(table: &Table) -> Vec<(String, DataType)> {
    table.schema().fields().iter().map(|field| (field.name().clone(), field.data_type().clone())).collect()
}

pub fn type_of(table: &Table, column: &str) -> DataType {
    table.field(column).unwrap_or_else(|| panic!("no column {column}")).data_type().clone()
}

pub fn warnings(table: &Table) -> Vec<String> {
    table.warnings().map(ToString::to_string).collect()
}

/// A column as texts, over all batches. Timestamps are shown as integers, dictionaries as their values.
pub fn texts(table: &Table, column: &str) -> Vec<Option<String>> {
    let place = table.schema().index_of(column).unwrap_or_else(|_| panic!("no column {column}"));
    table.batches().iter().flat_map(|batch| array_texts(batch.column(place))).collect()
}

/// The same, for a column without nulls.
pub fn values(table: &Table, column: &str) -> Vec<String> {
    texts(table, column).into_iter().map(|text| text.expect("no null")).collect()
}

pub fn array_texts(array: &ArrayRef) -> Vec<Option<String>> {
    let text = |row: usize| match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).to_string(),
        DataType::Float64 => format!("{:?}", array.as_primitive::<Float64Type>().value(row)),
        DataType::Utf8 => array.as_string::<i32>().value(row).to_owned(),
        DataType::Date32 => array.as_primitive::<Date32Type>().value(row).to_string(),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            array.as_primitive::<TimestampMicrosecondType>().value(row).to_string()
        }
        DataType::Timestamp(TimeUnit::Nanosecond, _) => {
            array.as_primitive::<TimestampNanosecondType>().value(row).to_string()
        }
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary::<Int32Type>();
            let key = usize::try_from(dictionary.keys().value(row)).expect("a key");
            dictionary.values().as_string::<i32>().value(key).to_owned()
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            items.as_string::<i32>().iter().flatten().collect::<Vec<_>>().join(",")
        }
        other => panic!("a column of type {other}"),
    };
    let nulls = array.logical_nulls();
    (0..array.len())
        .map(|row| nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)).then(|| text(row)))
        .collect()
}

/// The choices of a dictionary column; the same in every batch.
pub fn categories(table: &Table, column: &str) -> Vec<String> {
    let place = table.schema().index_of(column).expect("a column");
    let of = |array: &ArrayRef| -> Vec<String> {
        let values = array.as_dictionary::<Int32Type>().values().as_string::<i32>();
        values.iter().map(|value| value.expect("no null").to_owned()).collect()
    };
    let all: Vec<Vec<String>> = table.batches().iter().map(|batch| of(batch.column(place))).collect();
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "every batch has the same dictionary");
    all.into_iter().next().unwrap_or_default()
}

/// All observable contents of a table, independent of the order of the columns.
pub fn everything(table: &Table) -> Vec<(String, DataType, Vec<Option<String>>)> {
    let schema = table.schema();
    let mut all: Vec<_> = schema
        .fields()
        .iter()
        .map(|field| (field.name().clone(), field.data_type().clone(), texts(table, field.name())))
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}
