//! One table of the rows of several.

use crate::support::{names, planned, texts, type_of, values};
use arrow_array::ArrayRef;
use arrow_schema::DataType;
use sondage::arguments::FrequenciesOptions;
use sondage_data::{FileFormat, Labels, MissingShown, Table, ipc_rows};
use std::path::Path;
use std::sync::Arc;

const PLAN: &str = r#"[{"code":"q","dataType":"Number","type":"SingleChoice","question":"How?",
    "values":[{"id":"1","value":"well"},{"id":"2","value":"badly"},{"id":"9999999","value":"not available"}]},
    {"code":"at","dataType":"DateTime"},{"code":"late","dataType":"Number"}]"#;

fn reasons(table: &Table) -> Vec<(String, u64)> {
    let counted = table.frequencies(&FrequenciesOptions::new("q").missing(true)).expect("frequencies");
    let missing = counted.categories.iter().filter(|category| category.missing);
    missing.map(|category| (category.label.clone(), category.n)).collect()
}

#[test]
fn why_an_answer_is_missing_stays_known() {
    let first = planned(r#"{"q":1},{"q":9999999},{"q":null}"#, PLAN);
    let second = planned(r#"{"q":9999999,"late":5},{"q":2}"#, PLAN);
    let expected = [("not available".to_owned(), 2), ("no answer".to_owned(), 1)];
    let whole = Table::concat(&[first.clone(), second.clone()]).expect("a table");
    assert_eq!((whole.num_rows(), names(&whole)), (5, names(&first)));
    assert_eq!(reasons(&whole), expected);
    let restored =
        [&first, &second].map(|table| Table::from_bytes(table.to_bytes().expect("bytes")).expect("a table"));
    assert_eq!(reasons(&Table::concat(&restored).expect("a table")), expected);
    let labelled = Table::concat(&[first.with_labels(Labels::Labels), second.clone()]).expect("a table");
    assert_eq!(labelled.labels(), Labels::Labels);
    assert_eq!(
        texts(&labelled, "q"),
        [Some("well"), None, None, None, Some("badly")].map(|text| text.map(str::to_owned))
    );
    assert_eq!(texts(&whole, "late")[3].as_deref(), Some("5"));

    // A column of reasons has one dictionary, whatever labels a single table has.
    let [first, second] = [first, second]
        .map(|table| table.with_missing(Vec::<i64>::new(), MissingShown::Reason).expect("a table"));
    let whole = Table::concat(&[first, second]).expect("a table");
    let shown: Vec<_> = texts(&whole, "q_missing").into_iter().flatten().collect();
    assert_eq!(shown.iter().filter(|reason| *reason == "not_available").count(), 2, "{shown:?}");
}

#[test]
fn a_choice_that_was_added_between_two_loads_keeps_its_label_and_place() {
    let plan = |choices: &str| {
        format!(
            r#"[{{"code":"q","dataType":"Number","type":"SingleChoice","question":"How?","values":[{choices}]}}]"#
        )
    };
    let well = r#"{"id":"1","value":"well"},"#;
    let [fair, badly] = [r#"{"id":"3","value":"fairly"},"#, r#"{"id":"2","value":"badly"}"#];
    let never = r#",{"id":"4","value":"never"}"#;
    let before = planned(r#"{"q":1},{"q":2}"#, &plan(&[well, badly].concat()));
    let after = planned(r#"{"q":3}"#, &plan(&[well, fair, badly].concat()));
    let other = planned(r#"{"q":4}"#, &plan(&[well, badly, never].concat()));
    for (tables, expected) in [
        (vec![before.clone(), after.clone()], vec!["well", "badly", "fairly"]),
        (vec![before, after, other], vec!["well", "badly", "fairly", "never"]),
    ] {
        let whole = Table::concat(&tables).expect("a table");
        let restored = Table::from_bytes(whole.to_bytes().expect("bytes")).expect("a table");
        for table in [whole, restored] {
            let labels: Vec<String> =
                texts(&table.with_labels(Labels::Labels), "q").into_iter().flatten().collect();
            assert_eq!(labels, expected);
            let counted = table.frequencies(&FrequenciesOptions::new("q")).expect("frequencies");
            let order: Vec<&str> = counted.categories.iter().map(|category| &*category.label).collect();
            assert_eq!(order[..3], ["well", "fairly", "badly"], "{order:?}");
        }
    }
}

#[test]
fn a_column_that_some_do_not_have_is_missing_in_their_rows() {
    let [whole, part] = [r#"{"q":1,"late":3}"#, r#"{"q":2}"#].map(|rows| planned(rows, PLAN));
    let part = part.select(&["q"]).expect("there");
    let both = Table::concat(&[part.clone(), whole.clone()]).expect("a table");
    assert_eq!(names(&both), ["q", "at", "late"]);
    assert_eq!(texts(&both, "late"), [None, Some("3".to_owned())]);
    assert_eq!(values(&both, "q"), ["1", "2"].map(str::to_owned).into_iter().rev().collect::<Vec<_>>());
    assert_eq!(Table::concat(&[part]).expect("a table").num_rows(), 1);
    assert!(Table::concat(&[]).expect_err("an error").to_string().contains("there are no tables to combine"));
}

#[test]
fn columns_that_differ_are_named_with_what_to_do() {
    let rows = r#"{"q":1,"at":"2024-05-01T10:00:00Z","late":"no number"}"#;
    let (utc, other) = (planned(rows, PLAN), planned(r#"{"q":1,"late":5}"#, PLAN));
    let said = |tables: &[Table]| Table::concat(tables).expect_err("an error").to_string();
    let types = said(&[other.clone(), utc.clone()]);
    assert!(types.contains(r#"the column "late" has the type"#) && types.contains("tables[1]"), "{types}");
    assert!(types.contains("leave the column out with `select`"), "{types}");
    let zurich = utc.in_time_zone("Europe/Zurich").expect("a zone");
    let zones = said(&[utc.clone(), zurich.clone()]);
    assert!(
        zones.contains(
            r#"the column "at" is in the time zone UTC in tables[0] and Europe/Zurich in tables[1]"#
        ),
        "{zones}"
    );
    assert!(zones.contains("`in_time_zone`"), "{zones}");
    let same = Table::concat(&[zurich.clone(), zurich]).expect("a table");
    assert_eq!(same.time_zone(), Some("Europe/Zurich"));
}

#[test]
fn a_code_that_an_open_question_labels_stays_missing() {
    let plan = r#"[{"code":"n","dataType":"Number","type":"OpenQuestion","values":[{"id":"9999999","value":"n.a."}]}]"#;
    let table = planned(r#"{"n":5},{"n":9999999}"#, plan);
    for tables in [vec![table.clone()], vec![table.clone(), table.clone()]] {
        let whole = Table::concat(&tables).expect("a table");
        assert_eq!(texts(&whole, "n")[..2], [Some("5".to_owned()), None]);
    }
}

#[test]
fn a_code_is_missing_in_all_tables_or_an_answer_in_all() {
    let table = planned(r#"{"q":1},{"q":2}"#, PLAN);
    let declared = |shown| table.with_missing(2, shown).expect("a table");
    for shown in [MissingShown::Null, MissingShown::Code, MissingShown::Reason] {
        for tables in [[declared(shown), table.clone()], [table.clone(), declared(shown)]] {
            let said = Table::concat(&tables).expect_err("an error").to_string();
            assert!(
                said.contains(r#"the column "q": the code "2" means a missing answer in tables["#),
                "{said}"
            );
            assert!(said.contains("Declare it in all tables, or after they are combined"), "{said}");
        }
    }
    let other = planned(r#"{"q":1}"#, PLAN);
    let declared = declared(MissingShown::Null);
    let counted = |tables: &[Table]| {
        let whole = Table::concat(tables).expect("a table");
        let counted = whole.frequencies(&FrequenciesOptions::new("q")).expect("frequencies");
        (counted.rows, counted.answered)
    };
    assert_eq!(counted(&[declared.clone(), other.clone()]), (3, 2), "nobody answered it there");
    assert_eq!(counted(&[declared.clone(), declared.clone()]), (4, 2));
    // What is missing has its label among the missing codes only.
    for tables in [[declared.clone(), other.clone()], [other.clone(), declared.clone()]] {
        let whole = Table::concat(&tables).expect("a table");
        let page = whole.codebook_with_frequencies(None).expect("a codebook").to_markdown();
        assert_eq!(page.matches("badly").count(), 1, "{page}");
    }
    // A row without a reason would be one of an answer.
    let reasons = table.with_missing(2, MissingShown::Reason).expect("a table");
    for tables in [[reasons.clone(), declared.clone()], [declared.clone(), reasons.clone()]] {
        let said = Table::concat(&tables).expect_err("an error").to_string();
        assert!(
            said.contains(r#"the column "q_missing" has the reasons of missing answers in tables["#),
            "{said}"
        );
    }
    let unasked = reasons.select(&["late", "late_missing"]).expect("a table");
    assert_eq!(Table::concat(&[reasons, unasked]).expect("no question there").num_rows(), 4);
}

fn column(table: &Table) -> Vec<ArrayRef> {
    table.batches().iter().map(|batch| Arc::clone(batch.column_by_name("n").expect("there"))).collect()
}

#[test]
fn lists_of_labels_in_arrow_are_codes_again() {
    let plan = r#"[{"code":"n_tv","dataType":"Number","type":"MultipleChoice","questionCode":"n","question":"Where?","choice":"TV"},
        {"code":"n_web","dataType":"Number","type":"MultipleChoice","questionCode":"n","question":"Where?","choice":"n_tv"}]"#;
    let lists = planned(r#"{"n_tv":1,"n_web":0},{"n_tv":1,"n_web":1},{}"#, plan).with_lists();
    for labels in [Labels::Codes, Labels::Labels, Labels::Both] {
        let shown = lists.with_labels(labels);
        let mut writer =
            arrow_ipc::writer::StreamWriter::try_new(Vec::new(), &shown.schema()).expect("a stream");
        shown.batches().iter().for_each(|batch| writer.write(batch).expect("written"));
        let back =
            Table::from_arrow(ipc_rows(writer.into_inner().expect("bytes")).expect("rows")).expect("a table");
        assert_eq!(back.labels(), labels);
        assert_eq!(column(&back), column(&shown));
        assert_eq!(column(&back.with_labels(Labels::Codes)), column(&lists));
        assert_eq!(type_of(&back, "n"), DataType::new_list(DataType::Utf8, true));
    }
}

#[test]
fn codes_of_frequencies_are_those_of_the_column() {
    use sondage_data::ColumnCode;
    let table = planned(r#"{"q":1},{"q":9999999}"#, PLAN);
    let counted = table.frequencies(&FrequenciesOptions::new("q").missing(true)).expect("frequencies");
    let codes: Vec<_> = counted.categories.into_iter().map(|category| category.code).collect();
    assert_eq!(codes, [1, 2, 9_999_999].map(|code| Some(ColumnCode::Integer(code))));
    let known = table.values("q").expect("there");
    assert_eq!(known.pairs()[0].0, ColumnCode::Integer(1));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    table.save(folder.join("codes.parquet"), FileFormat::Parquet).expect("saved");
    assert!(
        table
            .codebook_with_frequencies(None)
            .expect("a codebook")
            .to_markdown()
            .contains("| 9999999 | not available | 1 |")
    );
}
