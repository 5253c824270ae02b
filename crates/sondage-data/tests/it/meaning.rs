//! Types, labels and order from code plans, and what happens when plan and data disagree.

use crate::support;
use crate::support::{categories, compact, names, page, planned, table, texts, type_of, values, warnings};
use arrow_schema::{DataType, TimeUnit};
use sondage_data::{CodePlan, Labels, PayloadLayout, TableBuilder, metadata};

const UTC: fn() -> DataType = || DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));

const VOTE: &str = r#"[{"code":"vote","dataType":"Number","type":"SingleChoice","question":"Whom?","sectionName":"Election",
    "values":[{"id":"1","value":"Dole"},{"id":"0","value":"Clinton"},{"id":"9","value":"Nobody"}]}]"#;

fn vote(rows: &str) -> sondage_data::Table {
    planned(rows, VOTE)
}

fn ordered(table: &sondage_data::Table, column: &str) -> bool {
    table.field(column).and_then(arrow_schema::Field::dict_is_ordered).unwrap_or(false)
}

#[test]
fn labels_are_a_view_of_all_choices_in_the_plans_order() {
    let codes = vote(r#"{"vote":0},{"vote":1},{"vote":null},{"vote":0}"#);
    assert_eq!(type_of(&codes, "vote"), DataType::Int64);

    let labels = codes.with_labels(Labels::Labels);
    assert_eq!(names(&labels), ["vote"]);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(&labels, "vote"), [some("Clinton"), some("Dole"), None, some("Clinton")]);
    assert_eq!(
        categories(&labels, "vote"),
        ["Dole", "Clinton", "Nobody"],
        "including the choice that nobody chose"
    );
    assert_eq!(
        type_of(&labels, "vote"),
        DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
    );
    assert!(!ordered(&labels, "vote"), "1, 0 and 9 are no scale");

    let both = labels.with_labels(Labels::Both);
    assert_eq!(names(&both), ["vote", "vote_label"]);
    assert_eq!(texts(&both, "vote"), texts(&codes, "vote"));
    assert_eq!(texts(&both, "vote_label"), texts(&labels, "vote"));
    assert_eq!(
        both.field("vote_label").expect("there").metadata().get(metadata::LABELS_OF),
        Some(&"vote".to_owned())
    );

    let back = both.with_labels(Labels::Codes);
    assert_eq!(support::everything(&back), support::everything(&codes));
    assert!(warnings(&both).is_empty());
}

#[test]
fn the_question_travels_in_the_field() {
    let table = vote(r#"{"vote":0}"#);
    let metadata = table.field("vote").expect("there").metadata().clone();
    let get = |key: &str| metadata.get(key).map(String::as_str);
    assert_eq!(get(metadata::LABEL), Some("Whom?"));
    assert_eq!(get(metadata::SECTION), Some("Election"));
    assert_eq!(get(metadata::ORIGIN), Some("question"));
    assert_eq!(
        get(metadata::VALUES),
        Some(r#"[{"id":"1","value":"Dole"},{"id":"0","value":"Clinton"},{"id":"9","value":"Nobody"}]"#)
    );
}

#[test]
fn an_answer_that_the_plan_does_not_know_is_a_category_of_its_own() {
    let table = vote(r#"{"vote":12},{"vote":7},{"vote":0}"#);
    let labels = table.with_labels(Labels::Labels);
    assert_eq!(values(&labels, "vote"), ["12", "7", "Clinton"]);
    assert_eq!(categories(&labels, "vote"), ["Dole", "Clinton", "Nobody", "7", "12"]);
    assert_eq!(
        warnings(&labels),
        [
            "column vote: 2 answers that the code plan does not know (7, 12) become categories of their own at the end, and the \
          categories are not ordered. Declare codes that mean a missing answer with `with_missing`"
        ]
    );
    assert!(!ordered(&labels, "vote"), "nobody knows where 7 and 12 belong");

    let words = vote(r#"{"vote":"Hans Muster"},{"vote":0},{"vote":1.0}"#).with_labels(Labels::Labels);
    assert_eq!(values(&words, "vote"), ["Hans Muster", "Clinton", "Dole"]);
    assert!(!warnings(&words).join(" ").contains("Muster"), "a warning does not quote respondents' text");
}

#[test]
fn codes_are_known_in_every_spelling() {
    let plan = r#"[{"code":"Q","values":[{"id":"1.0","value":"one"},{"id":2,"value":"two"},{"id":"true","value":"yes"}]}]"#;
    let all = planned(r#"{"Q":1},{"Q":"1.0"},{"Q":2},{"Q":"2"},{"Q":true},{"Q":"two"}"#, plan)
        .with_labels(Labels::Labels);
    assert_eq!(values(&all, "Q"), ["one", "one", "two", "two", "yes", "two"]);
    let floats = planned(r#"{"Q":1.0},{"Q":2.5}"#, plan).with_labels(Labels::Labels);
    assert_eq!(values(&floats, "Q"), ["one", "2.5"]);
    assert_eq!(categories(&floats, "Q"), ["one", "two", "yes", "2.5"]);
}

#[test]
fn labels_that_are_alike_are_told_apart() {
    let plan = r#"[{"code":"Q","values":[{"id":"1","value":"Other"},{"id":"2","value":"Other"},{"id":"3","value":""},
        {"id":"3","value":"again"},{"value":"no code"}]}]"#;
    let table = planned(r#"{"Q":1},{"Q":2},{"Q":3},{"Q":"Other"}"#, plan).with_labels(Labels::Labels);
    assert_eq!(values(&table, "Q"), ["Other (1)", "Other (2)", "3", "Other"]);
    assert_eq!(categories(&table, "Q"), ["Other (1)", "Other (2)", "3", "Other"]);
    assert_eq!(warnings(&table).len(), 4 + 1, "{:?}", warnings(&table));
}

#[test]
fn lists_keep_their_codes() {
    let table = planned(r#"{"vote":[0,1]},{"vote":[1]}"#, VOTE).with_labels(Labels::Both);
    assert_eq!(names(&table), ["vote"]);
    assert_eq!(values(&table, "vote"), ["[0,1]", "[1]"]);
    assert_eq!(
        table.field("vote").expect("there").metadata().get(metadata::FORMAT),
        Some(&"json".to_owned())
    );
}

#[test]
fn columns_follow_the_questionnaire_after_the_services_own() {
    let plan = r#"[{"code":"Q1"},{"code":"Q2","dataType":"Real"},{"code":"Q3"}]"#;
    let table = planned(r#"{"extra":1,"Q3":1,"updatedat":"2024-01-01T00:00:00Z","Q1":1,"ID":"a"}"#, plan);
    assert_eq!(names(&table), ["ID", "updatedat", "Q1", "Q2", "Q3", "extra"]);
    assert_eq!(type_of(&table, "Q2"), DataType::Float64, "the column has no answers, but its type is known");
    let origins = ["ID", "Q1", "extra"].map(|name| {
        table
            .field(name)
            .and_then(|field| field.metadata().get(metadata::ORIGIN).cloned())
            .unwrap_or_default()
    });
    assert_eq!(origins, ["service", "question", "other"]);
}

#[test]
fn only_what_was_asked_for_is_filled_in() {
    let plan = CodePlan::from_json(r#"[{"code":"Q1"},{"code":"Q2"},{"code":"Q3"}]"#).expect("JSON").0;
    let mut builder = TableBuilder::new(PayloadLayout::Compact).code_plan(plan).fields(["Q3", "Q1"]);
    builder.append(page(PayloadLayout::Compact, &compact(r#"{"Q3":1}"#)).expect("a page")).expect("fits");
    assert_eq!(names(&builder.finish().expect("a table")), ["Q3", "Q1"], "in the order of the request");
}

#[test]
fn an_empty_survey_has_its_columns() {
    let table = planned("", r#"[{"code":"Q1","dataType":"Number"},{"code":"Q2","dataType":"String"}]"#);
    assert_eq!(table.num_rows(), 0);
    assert_eq!(type_of(&table, "Q1"), DataType::Int64);
    assert_eq!(type_of(&table, "Q2"), DataType::Utf8);
    assert_eq!(names(&table.with_labels(Labels::Both)), ["Q1", "Q2"]);
}

#[test]
fn types_that_the_data_bear_out() {
    let cases = [
        ("Number", "1", "-2", DataType::Int64),
        ("number", "1", "2.5", DataType::Float64),
        ("NUMBER", r#""1""#, r#""-20""#, DataType::Int64),
        ("Number", r#""1.50""#, r#""2""#, DataType::Float64),
        ("Integer", "1.0", "3", DataType::Int64),
        ("Real", "1", "2", DataType::Float64),
        ("String", "41791234567", "12", DataType::Utf8),
        ("String", "true", "false", DataType::Utf8),
        ("Boolean", "0", "1", DataType::Boolean),
        ("bool", r#""True""#, r#""false""#, DataType::Boolean),
        ("Date", r#""2024-02-29""#, r#""1969-12-31""#, DataType::Date32),
        ("Date", r#""2024-02-29T10:00:00""#, r#""2024-02-29T00:00:00Z""#, UTC()),
        ("DateTime", r#""2024-02-29""#, r#""1969-12-31""#, DataType::Date32),
        ("DateTime", r#""2024-02-29 10:00:00.123""#, r#""2024-02-29T00:00""#, UTC()),
        ("Single", "1", "2", DataType::Int64),
        ("no such word", r#""1""#, r#""2""#, DataType::Utf8),
    ];
    for (word, first, second, expected) in cases {
        let plan = format!(r#"[{{"code":"Q","dataType":"{word}"}}]"#);
        let table = planned(&format!(r#"{{"Q":{first}}},{{"Q":null}},{{"Q":{second}}}"#), &plan);
        assert_eq!(type_of(&table, "Q"), expected, "{word}: {first}, {second}");
        assert_eq!(warnings(&table), [""; 0], "{word}: {first}, {second}");
        let nulls: Vec<bool> = texts(&table, "Q").iter().map(Option::is_none).collect();
        assert_eq!(nulls, [false, true, false]);
    }
}

#[test]
fn types_that_the_data_contradict() {
    let cases = [
        ("Number", r#""1""#, r#""007""#, DataType::Utf8, ["1", "007"]),
        ("Number", r#""""#, r#""1""#, DataType::Utf8, ["", "1"]),
        ("Number", "1", r#""x""#, DataType::Utf8, ["1", "x"]),
        ("Number", r#""0.5""#, r#""9007199254740993""#, DataType::Utf8, ["0.5", "9007199254740993"]),
        ("Number", r#""1""#, r#""12345678901234567890""#, DataType::Utf8, ["1", "12345678901234567890"]),
        ("Integer", "1", "2.5", DataType::Float64, ["1.0", "2.5"]),
        ("Boolean", "1", "2", DataType::Int64, ["1", "2"]),
        ("Boolean", r#""yes""#, r#""no""#, DataType::Utf8, ["yes", "no"]),
        (
            "DateTime",
            r#""2024-01-01T00:00:00Z""#,
            r#""soon""#,
            DataType::Utf8,
            ["2024-01-01T00:00:00Z", "soon"],
        ),
        ("DateTime", r#""2024-13-77""#, r#""2024-01-01""#, DataType::Utf8, ["2024-13-77", "2024-01-01"]),
        ("Date", "20240101", "20240102", DataType::Int64, ["20240101", "20240102"]),
        ("Number", "true", "false", DataType::Boolean, ["true", "false"]),
    ];
    for (word, first, second, expected, kept) in cases {
        let plan = format!(r#"[{{"code":"Q","dataType":"{word}"}}]"#);
        let table = planned(&format!(r#"{{"Q":{first}}},{{"Q":{second}}}"#), &plan);
        assert_eq!(type_of(&table, "Q"), expected, "{word}: {first}, {second}");
        assert_eq!(values(&table, "Q"), kept, "{word}");
        assert_eq!(warnings(&table).len(), 1, "{word}: {first}, {second}: {:?}", warnings(&table));
        assert!(warnings(&table)[0].starts_with("column Q: declared as "), "{:?}", warnings(&table));
    }
}

#[test]
fn the_services_own_columns_are_typed_when_every_value_fits() {
    let rows = r#"{"Id":"8a6a","STARTDATE":"2024-02-29T12:00:00Z","UpdatedAt":"2024-02-29 12:00:00.5","PanelMemberId":"17",
        "EndDate":"soon","CreatedAt":"2024-02-29T12:00:00.1234567Z","Language":7}"#;
    let table = table(PayloadLayout::Compact, &[&compact(rows)]);
    assert_eq!(type_of(&table, "STARTDATE"), UTC());
    assert_eq!(values(&table, "STARTDATE"), ["1709208000000000"]);
    assert_eq!(values(&table, "UpdatedAt"), ["1709208000500000"]);
    assert_eq!(type_of(&table, "PanelMemberId"), DataType::Int64);
    assert_eq!(type_of(&table, "Language"), DataType::Utf8);
    assert_eq!(type_of(&table, "CreatedAt"), DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())));
    assert_eq!(values(&table, "CreatedAt"), ["1709208000123456700"], "seven digits, as .NET writes them");
    assert_eq!(values(&table, "EndDate"), ["soon"]);
    assert_eq!(
        warnings(&table),
        ["column EndDate: declared as timestamps, but the value in row 1 does not fit; kept as text"]
    );
}

#[test]
fn a_time_that_nanoseconds_cannot_reach_stays_text() {
    let rows = r#"{"StartDate":"0001-01-01T00:00:00"},{"StartDate":"2024-02-29T12:00:00.1234567Z"}"#;
    let mixed = table(PayloadLayout::Compact, &[&compact(rows)]);
    assert_eq!(type_of(&mixed, "StartDate"), DataType::Utf8);
    let coarse = table(PayloadLayout::Compact, &[&compact(r#"{"StartDate":"0001-01-01T00:00:00"}"#)]);
    assert_eq!(values(&coarse, "StartDate"), ["-62135596800000000"]);
}

#[test]
fn a_question_of_the_plan_is_no_column_of_the_services() {
    let plan = r#"[{"code":"Q0"},{"code":"State","dataType":"Number","values":[{"id":"1","value":"Bern"}]}]"#;
    let table = planned(r#"{"State":1,"Q0":2}"#, plan);
    assert_eq!(names(&table), ["Q0", "State"]);
    assert_eq!(type_of(&table, "State"), DataType::Int64);
    assert_eq!(values(&table.with_labels(Labels::Labels), "State"), ["Bern"]);
}

#[test]
fn a_plan_that_is_none_costs_labels_not_data() {
    for (plan, warned) in [
        ("null", 0),
        ("[]", 0),
        ("\"x\"", 1),
        ("{}", 1),
        ("[3,{}]", 2),
        (r#"[{"code":"Q"},{"code":"Q"}]"#, 1),
    ] {
        let table = planned(r#"{"Q":1}"#, plan);
        assert_eq!(values(&table, "Q"), ["1"], "{plan}");
        assert_eq!(warnings(&table).len(), warned, "{plan}: {:?}", warnings(&table));
    }
    let odd = r#"[{"code":"Q","dataType":5,"question":null,"values":{"a":1}},{"questionCode":"R","values":[7,null]}]"#;
    let table = planned(r#"{"Q":1,"R":2}"#, odd);
    assert_eq!(names(&table), ["Q", "R"]);
}

#[test]
fn columns_are_chosen_by_the_names_that_are_shown() {
    let table = vote(r#"{"vote":0,"age":30,"Id":1}"#).with_labels(Labels::Both);
    let chosen = table.select(&["vote_label", "Id"]).expect("both are there");
    assert_eq!(names(&chosen), ["vote_label", "Id"]);
    assert_eq!(chosen.num_rows(), 1);
    assert_eq!(names(&chosen.with_labels(Labels::Codes)), ["vote", "Id"]);
    let refused = |names: &[&str]| table.select(names).expect_err("not accepted").to_string();
    assert!(refused(&["nope"]).contains("\"nope\""));
    assert!(refused(&["Id", "Id"]).contains("\"Id\" is named twice"));
}

#[test]
fn a_label_column_finds_a_free_name() {
    let table = planned(r#"{"vote":0,"vote_label":"mine"}"#, VOTE).with_labels(Labels::Both);
    assert_eq!(names(&table), ["vote", "vote_label_", "vote_label"]);
    assert_eq!(values(&table, "vote_label"), ["mine"]);
}

#[test]
fn the_codebook_is_a_table_and_a_page() {
    let plan = r#"[{"code":"Q1_2","dataType":"Number","type":"Matrix","question":"How *good*\nis it?","row":"Price | value",
        "choice":"a","sectionName":"One","values":[{"id":"1","value":"&lt;b>very&lt;/b>"}]}]"#;
    let table = planned(r#"{"Q1_2":1,"Id":7}"#, plan);
    let batch = table.codebook().to_batch().expect("a batch");
    assert_eq!((batch.num_rows(), batch.num_columns()), (2, 8));
    assert_eq!(
        table.codebook().to_markdown(),
        "# Codebook\n\n## One\n\n### Q1\\_2\n\nHow \\*good\\* is it? – Price \\| value – a\n\n\
         *Matrix, Number*\n\n| code | label |\n|---|---|\n| 1 | \\<b\\>very\\</b\\> |\n\n## Other columns\n\n### Id\n\n*number*\n"
    );
    assert_eq!(sondage_data::Codebook::of_plan(table.code_plan().expect("a plan")).len(), 1);
}

#[test]
fn the_survey_is_remembered() {
    let first = r#"{"surveyName":"Kunden 2024","surveyDefaultLanguage":"de","interviews":[]}"#;
    let second = r#"{"surveyName":"other","surveyLanguages":["de","fr"],"interviews":[]}"#;
    let table = table(PayloadLayout::Compact, &[first, second]);
    assert_eq!(table.survey().name.as_deref(), Some("Kunden 2024"));
    assert_eq!(table.survey().languages, ["de", "fr"]);
    assert_eq!(table.schema().metadata().get(metadata::SURVEY_NAME), Some(&"Kunden 2024".to_owned()));
}
