//! The cost of a response: a small one never takes much memory or time, and a legitimate one is always read.

use crate::support::{compact, page, table, values};
use sondage_data::{DecodeError, Page, PageDecoder, PayloadLayout, Table, TableBuilder};

/// Rows, each with a new key.
fn a_column_for_each_row(rows: std::ops::Range<usize>) -> String {
    compact(&rows.map(|row| format!(r#"{{"q{row}":{row}}}"#)).collect::<Vec<_>>().join(","))
}

fn read(growth: u32, answer: &str) -> Result<Page, DecodeError> {
    let mut decoder = PageDecoder::new(PayloadLayout::Compact).growth(growth);
    decoder.feed(answer.as_bytes())?;
    decoder.finish()
}

#[test]
fn a_column_for_each_row_is_refused_before_it_is_made() {
    // 6,000 x 6,000 cells are 288 MB, from a response of 80 KiB.
    let error = page(PayloadLayout::Compact, &a_column_for_each_row(0..6_000)).map(|page| page.rows());
    let said = error.expect_err("too many cells").to_string();
    assert!(said.contains("the ceiling `table_growth` is 4 times the response"), "{said}");
    assert!(said.starts_with("interview 29"), "refused at the first row beyond the ceiling: {said}");

    let few = a_column_for_each_row(0..2_000);
    let table = table(PayloadLayout::Compact, &[&few]);
    assert_eq!((table.num_rows(), table.num_columns()), (2_000, 2_000), "a small table is never refused");
    let page = read(2_000, &a_column_for_each_row(0..3_500)).expect("the ceiling is a setting");
    assert_eq!(page.rows(), 3_500);
}

#[test]
fn empty_rows_after_many_columns_are_refused_too() {
    // The predictor reads these rows, and it does not check the limits.
    let keys: Vec<String> = (0..20_000).map(|i| format!(r#""q{i}":null"#)).collect();
    let answer = compact(&format!("{{{}}}{}", keys.join(","), ",{}".repeat(20_000)));
    let said =
        page(PayloadLayout::Compact, &answer).map(|page| page.rows()).expect_err("too many").to_string();
    assert!(said.contains("`table_growth`"), "{said}");
}

#[test]
fn pages_that_each_bring_columns_of_their_own_are_refused_together() {
    let mut builder = TableBuilder::new(PayloadLayout::Compact);
    let mut pages = (0..10).map(|i| a_column_for_each_row(i * 1_000..(i + 1) * 1_000));
    let refused = pages.find_map(|answer| {
        builder.append(page(PayloadLayout::Compact, &answer).expect("each page alone is small")).err()
    });
    assert!(refused.expect("too many cells").to_string().contains("`table_growth`"));
    assert!(builder.rows() < 3_500, "{}", builder.rows());
}

#[test]
fn a_row_of_a_million_columns_is_refused() {
    for row in [
        (0..1_000_000).map(|i| format!(r#""{i}":1"#)).collect::<Vec<_>>().join(","),
        format!(
            r#""columns":[{}]"#,
            (0..300_000).map(|i| format!(r#"{{"id":"{i}","value":1}}"#)).collect::<Vec<_>>().join(",")
        ),
    ] {
        let form =
            if row.starts_with("\"columns") { PayloadLayout::Structured } else { PayloadLayout::Compact };
        let said = page(form, &compact(&format!("{{{row}}}"))).map(|page| page.rows()).expect_err("many");
        assert!(said.to_string().contains("more than"), "{said}");
        assert!(said.to_string().contains("`table_growth`"), "{said}");
    }
}

#[test]
fn what_honest_services_send_is_read() {
    // A survey of 1,000 questions without answers.
    let row = (0..1_000).map(|i| format!(r#""Q{i}":null"#)).collect::<Vec<_>>().join(",");
    let nulls = vec![format!("{{{row}}}"); 3_000].join(",");
    let read = table(PayloadLayout::Compact, &[&compact(&nulls)]);
    assert_eq!((read.num_rows(), read.num_columns()), (3_000, 1_000));

    // Members with all their fields and interviews.
    let field = |i: usize| format!(r#""F{i}":{{"name":"F{i}","fieldType":"String","value":"v{i}"}}"#);
    let fields = (0..80).map(field).collect::<Vec<_>>().join(",");
    let interviews = r#"[{"surveyId":7,"state":"Completed"},{"surveyId":8,"state":"Created"}]"#;
    let members: Vec<String> = (0..10_000)
        .map(|id| format!(r#"{{"id":{id},"fields":{{{fields}}},"interviews":{interviews}}}"#))
        .collect();
    let answer = format!(r#"{{"members":[{}],"isSuccess":true}}"#, members.join(","));
    let read = table(PayloadLayout::Members, &[&answer]);
    assert_eq!((read.num_rows(), read.num_columns()), (10_000, 82));

    // A wide survey, of which each respondent answered a twentieth.
    let rows: Vec<String> = (0..5_000)
        .map(|i| {
            let cells = (0..50).map(|j| format!(r#""Q{}":{j}"#, (i * 7 + j * 20) % 1_000));
            format!("{{{}}}", cells.collect::<Vec<_>>().join(","))
        })
        .collect();
    assert_eq!(table(PayloadLayout::Compact, &[&compact(&rows.join(","))]).num_rows(), 5_000);
}

#[test]
fn columns_that_only_the_plan_knows_share_their_emptiness() {
    let plan: Vec<String> =
        (0..2_000).map(|i| format!(r#"{{"code":"Q{i}","dataType":"Integer"}}"#)).collect();
    let rows = vec![r#"{"Q0":1}"#; 40_000].join(",");
    let answer = format!(r#"{{"interviews":[{rows}],"codePlan":[{}],"isSuccess":true}}"#, plan.join(","));
    let table: Table = table(PayloadLayout::Compact, &[&answer]);
    assert_eq!((table.num_rows(), table.num_columns()), (40_000, 2_000));
    let batch = &table.batches()[0];
    let first = batch.column(1).to_data().buffers()[0].as_ptr();
    let last = batch.column(1_999).to_data().buffers()[0].as_ptr();
    assert_eq!(first, last, "640 MB otherwise");
}

#[test]
fn an_answer_of_nothing_but_unknown_keys_is_refused() {
    let key = |i: usize| format!(r#""k{i}":1"#);
    let answer =
        |keys: usize| format!(r#"{{"interviews":[],{}}}"#, (0..keys).map(key).collect::<Vec<_>>().join(","));
    assert_eq!(page(PayloadLayout::Compact, &answer(1_000)).expect("a page").unknown().len(), 1_000);
    let said =
        page(PayloadLayout::Compact, &answer(40_000)).map(|page| page.rows()).expect_err("many").to_string();
    assert!(said.ends_with("more than 1000 values beside the rows"), "{said}");
    // A repeated key counts as one value, the last.
    let again = format!(r#"{{"interviews":[]{}}}"#, r#","k":1,"k":2"#.repeat(20_000));
    let page = page(PayloadLayout::Compact, &again).expect("a page");
    assert_eq!(page.unknown()["k"].get(), "2");
}

#[test]
fn a_plan_that_is_wrong_a_million_times_is_complained_of_a_thousand_times() {
    for plan in [
        format!("[{}1]", "1,".repeat(60_000)),
        format!(r#"[{{"code":"Q1","values":[{}1]}}]"#, "1,".repeat(1_000_000)),
    ] {
        let answer = format!(r#"{{"interviews":[{{"Q1":1}}],"codePlan":{plan},"isSuccess":true}}"#);
        let table = table(PayloadLayout::Compact, &[&answer]);
        assert_eq!(table.warnings().count(), 1_001);
        assert_eq!(values(&table, "Q1"), ["1"]);
    }
    let endless = format!(r#"{{"interviews":[],"codePlan":[{}1],"isSuccess":true}}"#, "1,".repeat(100_000));
    let table = table(PayloadLayout::Compact, &[&endless]);
    let said: Vec<String> = table.warnings().map(ToString::to_string).collect();
    assert!(said.len() == 1 && said[0].contains("more than 65536 entries"), "{said:?}");
}

#[test]
fn a_row_is_at_most_32_mib() {
    let row = format!(r#"{{"Q1":"{}"}}"#, "x".repeat(33 << 20));
    let said =
        page(PayloadLayout::Compact, &compact(&row)).map(|page| page.rows()).expect_err("long").to_string();
    assert!(said.contains("a single row or value of more than 32 MiB"), "{said}");
}
