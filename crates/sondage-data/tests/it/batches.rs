//! Tables of several batches, and their export to other libraries.

use crate::support;
use crate::support::{categories, everything, page, texts, type_of, values, warnings};
use arrow_array::cast::AsArray as _;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::DataType;
use sondage_data::{Labels, PayloadLayout, Table, TableBuilder};

const ROWS: usize = 70_000;
const PLAN: &str = r#"[{"code":"Q1","dataType":"Number","values":[{"id":"0","value":"no"},{"id":"1","value":"yes"}]},
    {"code":"Late"},{"code":"Never","dataType":"Real"},{"code":"Turns"}]"#;

/// A column of codes, one that starts in the second batch, and one that becomes text in the last row.
fn row(i: usize) -> String {
    let late = if i >= 66_000 { format!(r#","Late":{i}"#) } else { String::new() };
    let turns = if i + 1 == ROWS { "\"end\"".to_owned() } else { format!("{i}.5") };
    let code = if i == 69_000 { 7 } else { i % 2 };
    format!(r#"{{"Id":{i},"Q1":{code},"StartDate":"2024-01-01T00:00:00Z","Turns":{turns}{late}}}"#)
}

fn table(page_size: usize) -> Table {
    let mut builder = TableBuilder::new(PayloadLayout::Compact);
    let rows: Vec<String> = (0..ROWS).map(row).collect();
    for rows in rows.chunks(page_size) {
        let answer = format!(r#"{{"interviews":[{}],"codePlan":{PLAN}}}"#, rows.join(","));
        builder.append(page(PayloadLayout::Compact, &answer).expect("a page")).expect("fits");
    }
    builder.finish().expect("a table")
}

#[test]
fn batches_agree_with_each_other_and_with_any_cut() {
    let whole = table(ROWS);
    assert_eq!(
        whole.batches().iter().map(RecordBatch::num_rows).collect::<Vec<_>>(),
        [16_384, 16_384, 16_384, 16_384, ROWS - 65_536]
    );
    let cut = table(9_999);
    assert!(cut.batches().iter().all(|batch| batch.num_rows() <= 16_384));
    assert!(everything(&whole) == everything(&cut));

    assert_eq!(type_of(&whole, "Turns"), DataType::Utf8);
    assert_eq!(values(&whole, "Turns")[0], "0.5");
    assert_eq!(values(&whole, "Turns")[ROWS - 1], "end");
    let late = texts(&whole, "Late");
    assert_eq!((late[65_999].clone(), late[66_000].clone()), (None, Some("66000".to_owned())));
    assert_eq!(type_of(&whole, "Never"), DataType::Float64);

    let labels = whole.with_labels(Labels::Labels);
    assert_eq!(categories(&labels, "Q1"), ["no", "yes", "7"], "also in the batch that has no 7");
    assert_eq!(values(&labels, "Q1")[69_000], "7");
    assert_eq!(warnings(&labels).len(), 2);
}

#[test]
fn the_table_leaves_rust_and_comes_back() {
    let table = table(ROWS).with_labels(Labels::Both);
    let stream = FFI_ArrowArrayStream::new(Box::new(table.reader()));
    let reader = RecordBatchStreamReader::try_new(stream).expect("a stream");
    let back = reader.collect::<Result<Vec<_>, _>>().expect("batches");
    assert_eq!(back.len(), table.batches().len());
    for (ours, theirs) in table.batches().iter().zip(&back) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(back[0].schema().field_with_name("Q1").expect("there").metadata().len(), 3);
}

#[test]
fn an_empty_table_leaves_rust_with_its_schema_and_its_labels() {
    let codes = FFI_ArrowArrayStream::new(Box::new(support::planned("", PLAN).reader()));
    assert!(RecordBatchStreamReader::try_new(codes).expect("a stream").next().is_none());
    let table = support::planned("", PLAN).with_labels(Labels::Labels);
    let stream = FFI_ArrowArrayStream::new(Box::new(table.reader()));
    let mut reader = RecordBatchStreamReader::try_new(stream).expect("a stream");
    assert_eq!(arrow_array::RecordBatchReader::schema(&reader).fields().len(), 4);
    let batch = reader.next().expect("labels need a batch").expect("a batch");
    let labels = |column: &ArrayRef| Some(column.as_any_dictionary_opt()?.values().len());
    let lengths: Vec<usize> = batch.columns().iter().filter_map(labels).collect();
    assert!(batch.num_rows() == 0 && !lengths.is_empty() && !lengths.contains(&0), "{lengths:?}");
    assert!(reader.next().is_none());
}
