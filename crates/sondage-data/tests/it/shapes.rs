//! The same rows in other shapes: multiple choice as lists, timestamps in a time zone.

use crate::support;
use crate::support::{names, planned, type_of};
use arrow_schema::{DataType, TimeUnit};
use sondage_data::{FileFormat, Labels, Table};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const NEWS: &str = r#"[{"code":"age","dataType":"Number"},
    {"code":"news_tv","dataType":"Number","type":"MultipleChoice","questionCode":"news","question":"Where from?","choice":"Télévision"},
    {"code":"news_web","dataType":"Number","type":"MultipleChoice","questionCode":"news","question":"Where from?","choice":"Internet"},
    {"code":"news_other","dataType":"String","type":"MultipleChoice","questionCode":"news","question":"Where from?","choice":"Other"}]"#;

const ROWS: &str = r#"{"age":30,"news_tv":1,"news_web":1,"news_other":"a \"zine\", monthly"},{"age":31,"news_tv":0,"news_web":1},
    {"age":32,"news_tv":0,"news_web":0},{"age":33}"#;

/// The lines of a file in this format.
fn lines(table: &Table, format: FileFormat) -> Vec<String> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("shapes-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    table.save(&path, format).expect("saved");
    fs::read_to_string(path).expect("read").lines().map(ToOwned::to_owned).collect()
}

#[test]
fn a_multiple_choice_question_becomes_one_column_of_lists() {
    let plain = planned(ROWS, NEWS);
    let lists = plain.with_lists();
    assert_eq!(names(&lists), ["age", "news", "news_other"], "what was written beside a choice stays beside");
    assert_eq!(type_of(&lists, "news"), DataType::new_list(DataType::Utf8, true));
    assert_eq!(
        lines(&lists, FileFormat::JsonLines),
        [
            r#"{"age":30,"news":["news_tv","news_web"],"news_other":"a \"zine\", monthly"}"#,
            r#"{"age":31,"news":["news_web"],"news_other":null}"#,
            r#"{"age":32,"news":[],"news_other":null}"#,
            r#"{"age":33,"news":null,"news_other":null}"#,
        ],
        "nothing chosen is not the same as not asked"
    );
    let labels = lists.with_labels(Labels::Labels);
    assert_eq!(
        lines(&labels.select(&["age", "news"]).expect("there"), FileFormat::Csv),
        ["age,news", r#"30,"[""Télévision"",""Internet""]""#, r#"31,"[""Internet""]""#, "32,[]", "33,"]
    );
    assert_eq!(names(&lists.with_labels(Labels::Both)), ["age", "news", "news_label", "news_other"]);
    assert_eq!(names(&labels.with_labels(Labels::Codes)), names(&lists));
    assert_eq!(
        support::everything(&plain),
        support::everything(&planned(ROWS, NEWS)),
        "the table itself stays"
    );
    let codebook = lists.codebook().to_markdown();
    assert!(codebook.contains("news\\_tv") && codebook.contains("Télévision"), "{codebook}");
}

#[test]
fn labels_that_are_shown_stay_shown() {
    let lists = planned(ROWS, NEWS).with_labels(Labels::Labels).with_lists();
    assert_eq!(lists.labels(), Labels::Labels);
    assert!(lines(&lists, FileFormat::JsonLines)[1].contains(r#""news":["Internet"]"#));
}

#[test]
fn rows_of_a_matrix_are_lists_of_their_own() {
    let plan = r#"[{"code":"m_a_1","questionCode":"m","row":"A","choice":"one"},{"code":"m_a_2","questionCode":"m","row":"A","choice":"two"},
        {"code":"m_b_1","questionCode":"m","row":"B","choice":"one"},{"code":"m_b_2","questionCode":"m","row":"B","choice":"two"}]"#;
    let lists = planned(r#"{"m_a_1":1,"m_a_2":0,"m_b_1":true,"m_b_2":true}"#, plan).with_lists();
    assert_eq!(names(&lists), ["m_a", "m_b"]);
    assert_eq!(lines(&lists, FileFormat::JsonLines), [r#"{"m_a":["m_a_1"],"m_b":["m_b_1","m_b_2"]}"#]);
}

#[test]
fn a_column_with_other_values_is_no_choice() {
    let lists =
        planned(r#"{"news_tv":2,"news_web":1}"#, NEWS).select(&["news_tv", "news_web"]).expect("there");
    assert_eq!(names(&lists.with_lists()), ["news_tv", "news"], "a ranking, say, keeps its numbers");
    let taken = planned(r#"{"news":"here","news_tv":1}"#, NEWS).select(&["news", "news_tv"]).expect("there");
    assert_eq!(names(&taken.with_lists()), ["news", "news_"], "no column is lost to another with its name");
    let nobody = planned("", NEWS).with_lists();
    assert_eq!((nobody.num_rows(), type_of(&nobody, "news")), (0, DataType::new_list(DataType::Utf8, true)));
}

#[test]
fn moments_are_shown_in_a_time_zone() {
    let plan = r#"[{"code":"at","dataType":"DateTime"},{"code":"day","dataType":"Date"}]"#;
    let rows = r#"{"at":"2024-03-31T00:59:59Z","day":"2024-03-31"},{"at":"2024-03-31T01:00:00Z"},{}"#;
    let utc = planned(rows, plan);
    let zurich = utc.in_time_zone("Europe/Zurich").expect("there is one");
    assert_eq!((utc.time_zone(), zurich.time_zone()), (None, Some("Europe/Zurich")));
    let zone = Some("Europe/Zurich".into());
    assert_eq!(type_of(&zurich, "at"), DataType::Timestamp(TimeUnit::Microsecond, zone));
    let at = |table: &Table| lines(&table.select(&["at", "day"]).expect("there"), FileFormat::Csv);
    assert_eq!(at(&utc), ["at,day", "2024-03-31T00:59:59Z,2024-03-31", "2024-03-31T01:00:00Z,", ","]);
    assert_eq!(
        at(&zurich),
        ["at,day", "2024-03-31T01:59:59+01:00,2024-03-31", "2024-03-31T03:00:00+02:00,", ","],
        "summer begins between the two"
    );
    assert_eq!(at(&zurich.in_time_zone("UTC").expect("there")), at(&utc), "they are the same moments");
    let lower = utc.in_time_zone("europe/zurich").expect("there is one");
    assert_eq!((lower.time_zone(), at(&lower)), (Some("Europe/Zurich"), at(&zurich)));
    let fine = planned(r#"{"at":"2024-03-31T00:59:59.1234567Z"}"#, plan)
        .in_time_zone("Asia/Kathmandu")
        .expect("there");
    assert_eq!(
        lines(&fine, FileFormat::JsonLines),
        [r#"{"at":"2024-03-31T06:44:59.123456700+05:45","day":null}"#]
    );
}

#[test]
fn a_zone_that_is_none_is_named() {
    let error = planned(r#"{"Id":1}"#, "[]").in_time_zone("Europe/Zuerich").expect_err("there is none");
    assert!(
        error.to_string().contains("Europe/Zuerich") && error.to_string().contains("Europe/Zurich"),
        "{error}"
    );
}
