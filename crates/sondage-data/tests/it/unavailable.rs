//! Questions of several choices that are not available: the reason stays in lists, in frequencies, in bytes and in files.

use crate::folder::Folder;
use crate::support::{names, planned, texts};
use arrow_array::RecordBatchIterator;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sondage::arguments::FrequenciesOptions;
use sondage_data::{FileFormat, MissingShown, Table};
use std::sync::Arc;

const PLAN: &str = r#"[
    {"code":"m_1","questionCode":"m","type":"MultipleChoice","dataType":"Number","question":"Which?","choice":"A","values":[{"id":"0","value":"No"},{"id":"1","value":"Yes"},{"id":"9999999","value":"n/a"}]},
    {"code":"m_2","questionCode":"m","type":"MultipleChoice","dataType":"Number","question":"Which?","choice":"B","values":[{"id":"0","value":"No"},{"id":"1","value":"Yes"},{"id":"9999999","value":"n/a"}]},
    {"code":"s","questionCode":"s","type":"Slider","dataType":"Number","question":"How much?","values":[{"id":"0","value":"none"},{"id":"9999999","value":"n/a"}]}]"#;
const ROWS: &str =
    r#"{"m_1":1,"m_2":0,"s":3},{"m_1":9999999,"m_2":9999999,"s":9999999},{"m_1":0,"m_2":0,"s":5},{"s":-9}"#;

/// The reasons of a column, as `code: label n`.
fn reasons(table: &Table, variable: &str) -> Vec<String> {
    let mut options = FrequenciesOptions::new(variable);
    options.missing = true;
    let found = table.frequencies(&options).expect("frequencies");
    let missing = found.categories.iter().filter(|category| category.missing);
    missing.map(|one| format!("{:?} {} {}", one.code, one.label, one.n)).collect()
}

fn with_missing(table: &Table, shown: MissingShown) -> Table {
    table.with_missing([0_i64; 0], shown).expect("a view")
}

#[test]
fn frequencies_know_the_reason_in_every_view() {
    let table = planned(ROWS, PLAN);
    let several = [r#"Some(Text("9999999")) n/a 1"#, "None no answer 1"];
    assert_eq!(reasons(&table, "m"), several);
    assert_eq!(reasons(&table.with_lists(), "m"), several);
    assert_eq!(reasons(&with_missing(&table, MissingShown::Code), "m"), several);
    let shown = ["None not_available 1", "None not_asked 1"];
    assert_eq!(reasons(&with_missing(&table, MissingShown::Reason), "m"), shown);
    assert_eq!(reasons(&with_missing(&table, MissingShown::Reason).with_lists(), "m"), shown);
    assert_eq!(reasons(&with_missing(&table.with_lists(), MissingShown::Reason), "m"), shown);

    // A number has reasons as well, and a declared code is none of the numbers.
    assert_eq!(reasons(&table, "s"), ["Some(Integer(9999999)) n/a 1"]);
    let declared = table.with_missing(-9, MissingShown::Code).expect("a view");
    assert_eq!(reasons(&declared, "s"), ["Some(Integer(9999999)) n/a 1", "Some(Integer(-9)) -9 1"]);
    let numbers = declared.frequencies(&FrequenciesOptions::new("s")).expect("frequencies");
    assert_eq!((numbers.summary.expect("numbers").min, numbers.categories.len()), (3.0, 0));
    let page = table.codebook_with_frequencies(None).expect("a codebook").to_markdown();
    assert!(page.contains("| 0 | none | | | |\n| 9999999 | n/a | 1 | 25.0 |  |"), "{page}");
}

#[test]
fn lists_keep_the_reason() {
    let table = planned(ROWS, PLAN);
    let expected = ["m_1", "-", "", "-"];
    let lists = |table: &Table| -> Vec<String> {
        texts(table, "m").into_iter().map(|text| text.unwrap_or_else(|| "-".to_owned())).collect()
    };
    let reason = |table: &Table| -> Vec<String> {
        texts(table, "m_missing").into_iter().map(|text| text.unwrap_or_else(|| "-".to_owned())).collect()
    };
    let shown = ["-", "not_available", "-", "not_asked"];
    let before = with_missing(&table, MissingShown::Reason).with_lists();
    let after = with_missing(&table.with_lists(), MissingShown::Reason);
    for table in [&before, &after] {
        assert_eq!(names(table), ["m", "m_missing", "s", "s_missing"]);
        assert_eq!(
            (lists(table), reason(table)),
            (expected.map(str::to_owned).into(), shown.map(str::to_owned).into())
        );
    }
    assert_eq!(lists(&with_missing(&table.with_lists(), MissingShown::Code)), expected);

    let with_lists = table.with_lists();
    let other = Table::from_bytes(with_lists.to_bytes().expect("bytes")).expect("a table");
    let twice = Table::concat(&[with_lists.clone(), other.clone()]).expect("one table");
    let folder = Folder::new("unavailable");
    let path = folder.0.join("lists.parquet");
    with_lists.save(&path, FileFormat::Parquet).expect("saved");
    let file = std::fs::File::open(&path).expect("there");
    let file = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let schema = Arc::clone(file.schema());
    let rows = file.build().expect("rows");
    let read = Table::from_arrow(RecordBatchIterator::new(rows, schema)).expect("a table");
    for table in [&other, &twice.head(4), &read] {
        assert_eq!(lists(table), expected);
        assert_eq!(reasons(table, "m")[0], r#"Some(Text("9999999")) n/a 1"#);
        assert_eq!(reason(&with_missing(table, MissingShown::Reason)), shown);
    }
    assert_eq!(reasons(&twice, "m")[0], r#"Some(Text("9999999")) n/a 2"#);
}
