//! Codes that were declared as missing are named as what they are, and what is said about labels is said once.

use std::sync::Arc;

use crate::folder::Folder;
use crate::support::{compact, page, planned, texts, warnings};
use arrow_array::RecordBatchIterator;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sondage::arguments::{AnswerCodes, FrequenciesOptions};
use sondage::reports::ColumnCode;
use sondage_data::{FileFormat, Labels, MissingShown, PayloadLayout, Table, TableBuilder};

const PLAN: &str = r#"[{"code":"q","dataType":"Number","type":"SingleChoice","question":"How?",
    "values":[{"id":"1","value":"well"},{"id":"2","value":"badly"},{"id":"-9","value":"refused"}]},
    {"code":"n","dataType":"Number","type":"OpenQuestion","question":"How many?","values":[{"id":"-9","value":"refused"}]},
    {"code":"m_1","dataType":"Number","type":"MultipleChoice","questionCode":"m","question":"Which?","choice":"A"},
    {"code":"m_2","dataType":"Number","type":"MultipleChoice","questionCode":"m","question":"Which?","choice":"B"}]"#;
const ROWS: &str = r#"{"q":1,"n":5,"m_1":1,"m_2":0},{"q":-9,"n":-9,"m_1":-9,"m_2":-9},{"q":null,"n":null},{"q":-9,"n":7,"m_1":0,"m_2":1}"#;

/// The reasons of missing answers: code, label, how often.
fn reasons(table: &Table, variable: &str) -> Vec<(Option<ColumnCode>, String, u64)> {
    let counted = table.frequencies(&FrequenciesOptions::new(variable).missing(true)).expect("frequencies");
    let missing = counted.categories.into_iter().filter(|category| category.missing);
    missing.map(|category| (category.code, category.label, category.n)).collect()
}

#[test]
fn a_declared_code_is_named_in_frequencies_whatever_is_shown() {
    let table = planned(ROWS, PLAN);
    let refused = |count| (Some(ColumnCode::Integer(-9)), "refused".to_owned(), count);
    let unanswered = (None, "no answer".to_owned(), 1);
    let everywhere = table.with_missing(-9, MissingShown::Null).expect("a view");
    let twice = everywhere.with_missing([98, 2], MissingShown::Null).expect("a view");
    let restored = Table::from_bytes(everywhere.to_bytes().expect("bytes")).expect("a table");
    let whole = Table::concat(std::slice::from_ref(&everywhere)).expect("a table");
    for view in [&everywhere, &twice, &restored, &whole, &everywhere.with_labels(Labels::Labels)] {
        assert_eq!(reasons(view, "q"), [refused(2), unanswered.clone()]);
        assert_eq!(reasons(view, "n"), [refused(1), unanswered.clone()]);
    }
    // A question of several choices has codes that are the names of its columns.
    let [(_, label, count), _] = &reasons(&everywhere, "m")[..] else {
        panic!("{:?}", reasons(&everywhere, "m"))
    };
    assert_eq!((label.as_str(), *count), ("-9", 1));
    assert_eq!(reasons(&everywhere.with_lists(), "m"), reasons(&everywhere, "m"));
    assert_eq!(reasons(&everywhere.head(2), "q"), [refused(1)]);
    let page = everywhere.codebook_with_frequencies(None).expect("a codebook").to_markdown();
    assert!(page.contains("| -9 | refused | 2 | 50.0 |"), "{page}");

    // A view with reasons that is made of it has them, too.
    let shown = everywhere.with_missing(Vec::<i64>::new(), MissingShown::Reason).expect("a view");
    let expected = [None, Some("refused"), Some("unknown"), Some("refused")];
    assert_eq!(texts(&shown, "q_missing"), expected.map(|text| text.map(str::to_owned)));
}

#[test]
fn a_table_of_several_knows_the_codes_of_each() {
    let declared = planned(ROWS, PLAN).with_missing(-9, MissingShown::Null).expect("a view");
    let other = planned(r#"{"q":2},{"q":null}"#, PLAN).select(&["q"]).expect("there");
    let whole = Table::concat(&[other, declared]).expect("a table");
    let expected =
        [(None, "no answer".to_owned(), 2), (Some(ColumnCode::Integer(-9)), "refused".to_owned(), 2)];
    assert_eq!(reasons(&whole, "q"), expected);
    assert_eq!(reasons(&whole, "n").len(), 2);
    let bytes = Table::from_bytes(whole.to_bytes().expect("bytes")).expect("a table");
    assert_eq!(reasons(&bytes, "q"), expected);
}

#[test]
fn a_file_knows_the_codes() {
    let folder = Folder::new("declared-codes");
    let declared = planned(ROWS, PLAN).with_missing(-9, MissingShown::Null).expect("a view");
    for labels in [Labels::Codes, Labels::Labels, Labels::Both] {
        let path = folder.0.join("a.parquet");
        declared.with_labels(labels).save(&path, FileFormat::Parquet).expect("a file");
        let file = std::fs::File::open(&path).expect("it is there");
        let file = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let schema = Arc::clone(file.schema());
        let rows = RecordBatchIterator::new(file.build().expect("rows"), schema);
        let again = Table::from_arrow(rows).expect("a table");
        for variable in ["q", "n"] {
            assert_eq!(reasons(&again, variable), reasons(&declared, variable), "{labels:?}");
        }
    }
}

#[test]
fn nothing_advises_to_declare_what_is_declared() {
    let plan = r#"[{"code":"q","dataType":"Number","type":"SingleChoice","values":[{"id":"1","value":"a"},{"id":"3","value":"c"}]},
        {"code":"n","dataType":"Number","type":"OpenQuestion","values":[{"id":"998","value":"refused"}]}]"#;
    let table = planned(r#"{"q":1,"n":998},{"q":99,"n":5},{"q":-9,"n":6}"#, plan);
    let advised = |table: &Table| warnings(table).iter().filter(|one| one.contains("`with_missing`")).count();
    assert_eq!(advised(&table.with_labels(Labels::Labels)), 2);
    let kept =
        table.with_missing([99, -9, 998], MissingShown::Code).expect("a view").with_labels(Labels::Labels);
    assert_eq!(advised(&kept), 0, "{:?}", warnings(&kept));
    let [numbers] = &warnings(&kept)[..] else { panic!("{:?}", warnings(&kept)) };
    assert!(numbers.contains("stays one"), "{numbers}");
    // One of two is declared: the other one is named.
    let some = table.with_missing(99, MissingShown::Code).expect("a view").with_labels(Labels::Labels);
    assert!(
        warnings(&some).iter().any(|one| one.contains("(-9)") && !one.contains("99,")),
        "{:?}",
        warnings(&some)
    );

    let choices = planned(r#"{"m_1":1,"m_2":-9},{"m_1":-9,"m_2":0}"#, PLAN);
    let lists = choices.with_missing(-9, MissingShown::Code).expect("a view").with_lists();
    let [outside] = &warnings(&lists)[..] else { panic!("{:?}", warnings(&lists)) };
    assert!(
        outside.contains("m_1, m_2") && outside.contains("`show`") && !outside.contains("Declare"),
        "{outside}"
    );
}

#[test]
fn labels_that_were_made_different_are_told_wherever_they_are_shown() {
    let plan = r#"[{"code":"q","dataType":"Number","type":"SingleChoice","values":[{"id":"1","value":"same"},{"id":"2","value":"same"}]},
        {"code":"r","dataType":"Number","type":"SingleChoice","values":[{"id":"1","value":"a"},{"id":"2","value":"b"}]}]"#;
    let table = planned(r#"{"q":1,"r":1}"#, plan);
    let said = |table: &Table| {
        let shared = warnings(table).into_iter().filter(|one| one.contains("share a label"));
        shared.collect::<Vec<_>>()
    };
    let sentence = "column q: several codes share a label; the code is added to such labels";
    let whole = Table::concat(std::slice::from_ref(&table)).expect("a table");
    let bytes = Table::from_bytes(table.to_bytes().expect("bytes")).expect("a table");
    for view in [&table, &table.with_labels(Labels::Labels), &table.with_labels(Labels::Both), &whole, &bytes]
    {
        assert_eq!(said(view), [sentence]);
    }
    assert!(said(&table.select(&["r"]).expect("there")).is_empty());
    assert_eq!(table.values("q").expect("there").pairs()[1].1, "same (2)");
}

#[test]
fn one_warning_tells_of_all_columns_and_codes() {
    let question = |code: &str| {
        format!(
            r#"{{"code":"{code}","dataType":"Number","type":"SingleChoice","values":[{{"id":"1","value":"a"}}]}}"#
        )
    };
    let plan: Vec<String> = (0..30).map(|number| question(&format!("q{number}"))).collect();
    let row: Vec<String> = (0..30).map(|number| format!(r#""q{number}":7"#)).collect();
    let table = planned(&format!("{{{}}}", row.join(",")), &format!("[{}]", plan.join(",")));
    let labels = table.with_labels(Labels::Labels);
    let [one] = &warnings(&labels)[..] else { panic!("{:?}", warnings(&labels)) };
    assert!(one.starts_with("30 columns have codes without a label (30 in all)"), "{one}");
    assert!(one.contains("q0 (7), q1 (7)") && one.contains(" and 10 more. Declare"), "{one}");

    let unknown: Vec<i64> = (101..=140).collect();
    let declared = table.with_missing(unknown.clone(), MissingShown::Code).expect("a view");
    assert_eq!(warnings(&declared), ["no column has the codes 101, 102, 103, 104, 105 and 35 more"]);
    let by_name = AnswerCodes::of("q0", unknown.clone()).and("q1", unknown);
    let declared = table.with_missing(by_name, MissingShown::Code).expect("a view");
    let [one] = &warnings(&declared)[..] else { panic!("{:?}", warnings(&declared)) };
    assert!(
        one.starts_with("2 columns lack codes that were declared for them") && one.contains("q1 (101, 102,"),
        "{one}"
    );
    let one = table.with_missing(AnswerCodes::of("q0", [101, 102]), MissingShown::Code).expect("a view");
    assert_eq!(
        warnings(&one),
        ["column q0: no answer has the codes 101, 102, and the code plan does not know them"]
    );
}

#[test]
fn a_code_of_a_question_is_in_some_of_its_columns() {
    let table = planned(ROWS, PLAN);
    let declared = |codes: AnswerCodes| table.with_missing(codes, MissingShown::Null).expect("a view");
    assert!(warnings(&declared(AnswerCodes::of("m", [0, -9]))).is_empty());
    let wrong = warnings(&declared(AnswerCodes::of("m", [0, 77])));
    assert_eq!(wrong, ["column m: no answer has the code 77, and the code plan does not know it"]);
    // Only one of the columns has an answer.
    let half = planned(r#"{"m_1":98}"#, PLAN).with_missing(AnswerCodes::of("m", 98), MissingShown::Null);
    assert!(warnings(&half.expect("a view")).is_empty());
}

#[test]
fn a_codebook_has_words_for_what_columns_hold() {
    let rows = r#"{"Id":"a","State":"Completed","StartDate":"2024-05-01T10:00:00Z","count":5,"share":0.5,"yes":true,"list":[1]}"#;
    let mut builder = TableBuilder::new(PayloadLayout::Compact);
    builder.append(page(PayloadLayout::Compact, &compact(rows)).expect("a page")).expect("it fits");
    let table = builder.finish().expect("a table");
    let book = table.codebook().to_markdown();
    for word in ["*text*", "*date and time*", "*number*", "*yes or no*", "*lists and objects*"] {
        assert!(book.contains(word), "{word}: {book}");
    }
    let reasons = planned(ROWS, PLAN).with_missing(-9, MissingShown::Reason).expect("a view");
    let pages = [book, reasons.codebook().to_markdown(), reasons.codebook().to_html()];
    assert!(pages[1].contains("*choice*"), "{}", pages[1]);
    for name in ["Utf8", "Int64", "Float64", "Timestamp", "Dictionary", "Boolean"] {
        assert!(pages.iter().all(|page| !page.contains(name)), "{name}");
    }
}

#[test]
fn a_date_has_no_codes() {
    let plan = r#"[{"code":"at","dataType":"DateTime"},{"code":"q","dataType":"Number"}]"#;
    let table = planned(r#"{"at":"1900-01-01T00:00:00Z","q":1}"#, plan);
    let said = table.with_missing(AnswerCodes::of("at", "1900-01-01"), MissingShown::Null);
    let said = said.expect_err("refused").to_string();
    assert!(said.contains("\"at\" holds dates or times, which are no codes. Nothing was changed."), "{said}");
    assert!(said.contains("Leave it out here"), "{said}");
}

#[test]
fn a_codebook_shows_control_characters_and_does_not_obey_them() {
    let plan = r#"[{"code":"q","dataType":"Number","type":"SingleChoice","question":"\u001b[31mred\u007f\u009b","values":[{"id":"1","value":"\u0007bell"}]}]"#;
    let page = planned(r#"{"q":1}"#, plan).codebook().to_markdown();
    assert!(page.contains("␛\\[31mred␡\u{fffd}") && page.contains("| 1 | ␇bell |"), "{page}");
    let page = planned(r#"{"q":1}"#, plan).codebook().to_html();
    assert!(page.contains("␛[31mred␡\u{fffd}") && page.contains("␇bell"), "{page}");
}
