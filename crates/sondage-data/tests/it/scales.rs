//! Scales whose points are not all labelled, numbers with special codes, the order of categories in files, and names of
//! derived columns.

use crate::folder::Folder;
use std::fs::{self, File};
use std::path::Path;

use crate::support::{categories, names, planned, planned_with, texts, type_of, warnings};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_schema::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sondage::arguments::AnswerCodes;
use sondage_data::{FileFormat, Labels, MissingShown, Table};

/// The values of a column that are not missing.
fn values(table: &Table, column: &str) -> Vec<String> {
    texts(table, column).into_iter().flatten().collect()
}

fn ordered(table: &Table, column: &str) -> bool {
    table.field(column).and_then(arrow_schema::Field::dict_is_ordered).unwrap_or(false)
}

/// A table with one column `Q` of these answers, in a code plan with this type of question and these values.
fn question(kind: &str, values: &str, answers: &str) -> Table {
    question_with(kind, values, answers, Some(N))
}

/// The same with another code for what is not available.
fn question_with(kind: &str, values: &str, answers: &str, not_available: Option<i64>) -> Table {
    let plan = format!(r#"[{{"code":"Q","dataType":"Number","type":"{kind}","values":[{values}]}}]"#);
    let rows: Vec<String> = answers.split(' ').map(|answer| format!(r#"{{"Q":{answer}}}"#)).collect();
    planned_with(&rows.join(","), &plan, not_available)
}

const ENDS: &str = r#"{"id":0,"value":"not at all"},{"id":10,"value":"very"}"#;

#[test]
fn points_of_a_scale_without_a_label_are_in_the_order_of_the_codes() {
    let labels = question("SingleChoice", ENDS, "7 2 10 0 null").with_labels(Labels::Labels);
    assert_eq!(categories(&labels, "Q"), ["not at all", "2", "7", "very"]);
    assert!(ordered(&labels, "Q"));
    assert_eq!(values(&labels, "Q"), ["7", "2", "very", "not at all"]);
    let [warning] = &warnings(&labels)[..] else { panic!("{:?}", warnings(&labels)) };
    assert!(
        warning.contains("2 codes without a label (2, 7)") && warning.contains("`with_missing`"),
        "{warning}"
    );

    // Where what is not available stays an answer, it is no point of the scale.
    let table =
        |values, answers| question_with("SingleChoice", values, answers, None).with_labels(Labels::Labels);
    let cases = [
        // Descending, and beyond an end.
        (r#"{"id":3,"value":"c"},{"id":1,"value":"a"}"#, "2 5 0", &["5", "c", "2", "a", "0"][..], true),
        // A special code after the scale has its place, a point beyond the scale has none.
        (
            r#"{"id":1,"value":"a"},{"id":3,"value":"c"},{"id":-9,"value":"n"}"#,
            "2",
            &["a", "2", "c", "n"],
            false,
        ),
        (
            r#"{"id":-9,"value":"n"},{"id":1,"value":"a"},{"id":3,"value":"c"}"#,
            "2",
            &["n", "a", "2", "c"],
            false,
        ),
        (
            r#"{"id":1,"value":"a"},{"id":3,"value":"c"},{"id":9999999,"value":"n"}"#,
            "3",
            &["a", "c", "n"],
            false,
        ),
        (r#"{"id":9999999.0,"value":"n"}"#, "9999999.0 0.5", &["0.5", "n"], false),
        (r#"{"id":1,"value":"a"},{"id":3,"value":"c"},{"id":"x","value":"n"}"#, "3", &["a", "c", "n"], false),
        (r#"{"id":"y","value":"a"},{"id":"x","value":"b"}"#, r#""x""#, &["a", "b"], true),
        (
            r#"{"id":1,"value":"a"},{"id":3,"value":"c"},{"id":-9,"value":"n"}"#,
            "4 2",
            &["a", "2", "c", "n", "4"],
            false,
        ),
        // A single labelled code, fractions, and words.
        (r#"{"id":99,"value":"n"}"#, "2 1.5", &["1.5", "2", "n"], true),
        (r#"{"id":1,"value":"a"},{"id":2,"value":"b"}"#, r#""x" 1 3"#, &["a", "b", "3", "x"], false),
        (r#"{"id":1,"value":"a"},{"id":2,"value":"b"}"#, "9999999 2", &["a", "b", "9999999"], false),
        (r#"{"id":"x","value":"a"},{"id":"y","value":"b"}"#, "1", &["a", "b", "1"], false),
    ];
    for (values, answers, expected, in_order) in cases {
        let labels = table(values, answers);
        assert_eq!(
            (categories(&labels, "Q"), ordered(&labels, "Q")),
            (strings(expected), in_order),
            "{answers}"
        );
    }
}

/// The largest income used to be "don't know".
#[test]
fn a_reason_behind_a_gap_is_no_point_of_a_scale() {
    let is_ordered = |codes: &[i64]| {
        let values = codes.iter().map(|code| format!(r#"{{"id":{code},"value":"v{code}"}}"#));
        let values = values.collect::<Vec<_>>().join(",");
        let table = question_with("SingleChoice", &values, &codes[0].to_string(), None);
        ordered(&table.with_labels(Labels::Labels), "Q")
    };
    for codes in [
        &[1, 2, 3, 4, 5, 9][..],
        &[1, 2, 3, 99],
        &[1, 2, 98, 99],
        &[1, 2, 3, 4, 5, 8, 9],
        &[-99, 1, 2, 3],
        &[99, 3, 2, 1],
        &[1, 99],
        &[0, 1, 2, 888],
    ] {
        assert!(!is_ordered(codes), "{codes:?}");
    }
    for codes in [
        &[1, 2, 3, 4, 5, 6, 7, 8, 9][..],
        &[0, 5, 10],
        &[1, 9],
        &[1, 3, 5, 7, 9],
        &[7, 8, 9],
        &[5, 4, 3, 2, 1],
        &[-2, -1, 0, 1, 2],
        &[1, 2, 3, 10],
    ] {
        assert!(is_ordered(codes), "{codes:?}");
    }
}

#[test]
fn what_is_not_available_leaves_the_scale_in_order() {
    let three = r#"{"id":1,"value":"a"},{"id":3,"value":"c"},{"id":9999999,"value":"n"}"#;
    for answers in ["3 9999999", "9999999.0 3", "3"] {
        let labels = question("SingleChoice", three, answers).with_labels(Labels::Labels);
        assert_eq!(
            (categories(&labels, "Q"), ordered(&labels, "Q")),
            (strings(&["a", "c"]), true),
            "{answers}"
        );
        assert!(warnings(&labels).is_empty(), "{:?}", warnings(&labels));
        let shown = question("SingleChoice", three, answers).with_missing([0_i64; 0], MissingShown::Code);
        let shown = shown.expect("a view").with_labels(Labels::Labels);
        assert_eq!(categories(&shown, "Q"), ["a", "c", "n"], "a category of its own");
    }
}

fn strings(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn numbers_with_a_few_labelled_codes_stay_numbers() {
    let special = r#"{"id":998,"value":"refused"},{"id":999,"value":"unknown"}"#;
    for (kind, values) in [("OpenQuestion", special), ("Slider", ENDS), ("Nps", ENDS)] {
        let codes = question(kind, values, "7 998 10");
        for labels in [Labels::Labels, Labels::Both] {
            let table = codes.with_labels(labels);
            assert_eq!((names(&table), type_of(&table, "Q")), (strings(&["Q"]), DataType::Int64), "{kind}");
            assert_eq!(table.values("Q").expect("a column").pairs().len(), 2);
            let [warning] = &warnings(&table)[..] else { panic!("{:?}", warnings(&table)) };
            assert!(warning.contains("stays one") && warning.contains("`with_missing`"), "{warning}");
        }
    }
    let word =
        r#"[{"code":"Q","dataType":"String","type":"OpenQuestion","values":[{"id":"a","value":"A"}]}]"#;
    let words = planned(r#"{"Q":"a"}"#, word).with_labels(Labels::Labels);
    assert_eq!(values(&words, "Q"), ["A"]);
}

/// The dictionaries of a column of a Parquet file, and its values.
fn stored(path: &Path, column: &str) -> (Vec<Vec<String>>, Vec<Option<String>>) {
    let file = File::open(path).expect("a file");
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet").with_batch_size(1 << 16);
    let place = builder.schema().index_of(column).expect("a column");
    let (mut dictionaries, mut answers) = (Vec::new(), Vec::new());
    for batch in builder.build().expect("a reader") {
        let batch = batch.expect("rows");
        let labels = batch.column(place).as_dictionary::<Int32Type>();
        let known: Vec<String> =
            labels.values().as_string::<i32>().iter().flatten().map(str::to_owned).collect();
        answers.extend((0..labels.len()).map(|row| labels.key(row).map(|key| known[key].clone())));
        if dictionaries.last() != Some(&known) {
            dictionaries.push(known);
        }
    }
    (dictionaries, answers)
}

#[test]
fn a_parquet_file_has_all_labels_in_their_order() {
    let folder = Folder::new("categories");
    let path = folder.0.join("labels.parquet");
    let plan = r#"[{"code":"Q","type":"SingleChoice","values":[{"id":1,"value":"none"},{"id":2,"value":"größer"},
        {"id":3,"value":"never chosen"},{"id":4,"value":"all"}]},{"code":"n","dataType":"Number"},
        {"code":"V","type":"SingleChoice","values":[{"id":1,"value":"one"},{"id":0,"value":"zero"},
        {"id":9,"value":"nine"}]}]"#;
    // More than one row group, each of which begins with another answer.
    let row = |i: usize| {
        format!(r#"{{"Q":{},"n":{i},"V":{}}}"#, ["4", "null", "2", "1"][i % 4 * (i % 3) % 4], 7 * (i % 2))
    };
    let rows: Vec<String> = (0..140_000).map(row).collect();
    let table = planned(&rows.join(","), plan).with_labels(Labels::Both);
    table.save(&path, FileFormat::Parquet).expect("saved");
    let (dictionaries, answers) = stored(&path, "Q_label");
    assert_eq!(dictionaries, [["none", "größer", "never chosen", "all"]], "the same in every row group");
    assert!(answers == texts(&table, "Q_label"));
    assert_eq!(stored(&path, "V_label").0, [["one", "zero", "nine", "7"]]);

    let builder =
        ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("a file")).expect("Parquet");
    assert_eq!(builder.metadata().num_row_groups(), 2);
    let chunk = builder.metadata().row_group(1).column(1);
    let nulls = texts(&table, "Q_label")[131_072..].iter().filter(|label| label.is_none()).count();
    assert_eq!(
        chunk.statistics().and_then(parquet::file::statistics::Statistics::null_count_opt),
        Some(nulls as u64)
    );
    let field = |name: &str| builder.schema().field_with_name(name).expect("a column").clone();
    assert_eq!(field("Q_label").dict_is_ordered(), Some(true));
    assert_eq!(field("V_label").dict_is_ordered(), Some(false), "7 has no place");
    assert_eq!(field("Q_label").metadata()["_PL_ENUM_VALUES2"], "4;none8;größer12;never chosen3;all");
    assert!(field("Q").metadata().get("_PL_ENUM_VALUES2").is_none());

    let empty = planned("", plan).with_labels(Labels::Labels);
    empty.save(&path, FileFormat::Parquet).expect("saved");
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("a file")).expect("Parquet");
    assert!(builder.schema().field(0).metadata().contains_key("_PL_ENUM_VALUES2"));
}

#[test]
fn the_names_of_a_survey_win_over_derived_ones() {
    let plan = r#"[{"code":"q","values":[{"id":1,"value":"one"}]},{"code":"q_label"},{"code":"q_missing"},
        {"code":"mc_1","type":"MultipleChoice","questionCode":"mc","choice":"A"},{"code":"mc"}]"#;
    let table = planned(r#"{"q":1,"q_label":"own","q_missing":"too","mc_1":1,"mc":"text"}"#, plan);
    let said = |table: &Table| warnings(table).pop().unwrap_or_default();
    let both = table.with_labels(Labels::Both);
    assert_eq!(names(&both), ["q", "q_label_", "q_label", "q_missing", "mc_1", "mc"]);
    assert_eq!((values(&both, "q_label"), values(&both, "q_label_")), (strings(&["own"]), strings(&["one"])));
    assert!(said(&both).contains("`q_label` is `q_label_`"), "{}", said(&both));
    let reasons = table.with_missing(AnswerCodes::of("q", 1), MissingShown::Reason).expect("a view");
    assert_eq!(values(&reasons, "q_missing"), ["too"]);
    assert_eq!(values(&reasons, "q_missing_"), ["one"]);
    assert!(said(&reasons).contains("`q_missing` is `q_missing_`"), "{}", said(&reasons));
    let lists = table.with_lists();
    assert_eq!((values(&lists, "mc"), values(&lists, "mc_")), (strings(&["text"]), strings(&["mc_1"])));
    assert!(said(&lists).contains("`mc` is `mc_`"), "{}", said(&lists));
    let folder = Folder::new("names");
    let path = folder.0.join("both.csv");
    both.save(&path, FileFormat::Csv).expect("saved");
    assert!(fs::read_to_string(&path).expect("text").starts_with("q,q_label_,q_label,"));
}

const N: i64 = 9_999_999;

/// One person for whom nothing is available, in every type of question.
fn not_available(code: Option<i64>) -> Table {
    let closed = |code: &str, kind: &str, more: &str| {
        format!(r#"{{"code":"{code}","dataType":"Number","type":"{kind}"{more}}}"#)
    };
    let plan = [
        closed("single", "SingleChoice", r#","values":[{"id":1,"value":"a"},{"id":2,"value":"b"}]"#),
        closed("mc_1", "MultipleChoice", r#","questionCode":"mc","choice":"A""#),
        closed("mc_2", "MultipleChoice", r#","questionCode":"mc","choice":"B""#),
        closed("m_1", "Matrix", r#","questionCode":"m","row":"r""#),
        closed("drop", "Dropdown", ""),
        closed("slider", "Slider", ""),
        closed("turnover", "OpenQuestion", ""),
        r#"{"code":"why","dataType":"String","type":"OpenQuestion"}"#.to_owned(),
    ];
    let row = |code: i64, slider: &str| {
        format!(
            r#"{{"Id":{code},"single":{code},"mc_1":{code},"mc_2":{code},"m_1":{code},"drop":{code},"slider":{slider},
               "turnover":{code},"why":"{code}"}}"#
        )
    };
    planned_with(&[row(1, "2.5"), row(N, "9999999")].join(","), &format!("[{}]", plan.join(",")), code)
}

const CLOSED: [&str; 6] = ["single", "mc_1", "mc_2", "m_1", "drop", "slider"];

/// A plan says nothing of the range of a slider; what others have answered may.
#[test]
fn the_code_of_a_slider_with_large_answers_is_doubted_once() {
    let plan = r#"[{"code":"s","dataType":"Number","type":"Slider"},{"code":"d","dataType":"Number","type":"Dropdown"}]"#;
    let said = |s: &str, code| {
        let table = planned_with(&format!(r#"{{"s":{s},"d":{N}}},{{"s":{N},"d":2000000}}"#), plan, code);
        warnings(&table)
    };
    let large = said("1000000", Some(N));
    assert!(large.len() == 1 && large[0].contains("in s, where other answers are as large"), "{large:?}");
    assert!(large[0].contains("`not_available=None`"), "{large:?}");
    assert!(said("2500000.5", Some(N))[0].contains("as large"));
    assert!(said("999999", Some(N)).is_empty());
    assert!(said("1000000", None).iter().all(|one| one.contains("counts as an answer in s, d")));
}

#[test]
fn a_choice_that_is_not_available_is_no_answer() {
    let table = not_available(Some(N));
    assert!(warnings(&table).is_empty(), "{:?}", warnings(&table));
    for column in CLOSED {
        assert_eq!(texts(&table, column)[1], None, "{column}");
        let declared = &table.field(column).expect("a column").metadata()["sondage.missing"];
        assert_eq!(declared, r#"[{"id":"9999999","value":"not available"}]"#, "{column}");
    }
    assert_eq!(values(&table, "why"), ["1", "9999999"], "an open text is no code");
    assert_eq!(values(&table, "turnover"), ["1", "9999999"], "an open number may be an answer");
    assert_eq!(texts(&table.with_lists(), "mc")[1], None, "not asked is no empty list");

    let nothing = || AnswerCodes::from([0_i64; 0]);
    for (way, table) in [
        ("the table", table.clone()),
        ("another process", Table::from_bytes(table.to_bytes().expect("bytes")).expect("a table")),
    ] {
        let codes = table.with_missing(nothing(), MissingShown::Code).expect("a view");
        let reasons =
            table.with_missing(AnswerCodes::of("turnover", 1), MissingShown::Reason).expect("a view");
        for column in CLOSED {
            assert_eq!(
                texts(&codes, column)[1].as_deref().map(|text| &text[..7]),
                Some("9999999"),
                "{way}: {column}"
            );
            assert_eq!(texts(&reasons, column)[1], None);
            assert_eq!(
                texts(&reasons, &format!("{column}_missing"))[1].as_deref(),
                Some("not_available"),
                "{way}: {column}"
            );
        }
        assert_eq!(values(&reasons, "turnover"), ["9999999"]);
        // It can be declared as well, and another declaration does not bring it back.
        let twice = table.with_missing([N, 1], MissingShown::Null).expect("a view");
        assert!(values(&twice, "single").is_empty() && warnings(&twice).is_empty(), "{:?}", warnings(&twice));
        let later = twice.with_missing(nothing(), MissingShown::Code).expect("a view");
        assert!(values(&later, "mc_1").is_empty(), "both were declared");
    }
    assert_eq!(values(&table.head(1), "single"), ["1"]);
    let codes = table.head(2).with_missing(nothing(), MissingShown::Code).expect("a view");
    assert_eq!(values(&codes, "single"), ["1", "9999999"]);
    let other = not_available(Some(1));
    assert_eq!(
        (values(&other, "single"), values(&other, "turnover")),
        (strings(&["9999999"]), strings(&["1", "9999999"]))
    );
}

/// Only the code plan says whether 9999999 is an answer: without one, nothing was said.
#[test]
fn without_a_code_plan_a_warning_says_that_the_code_counts() {
    let rows = r#"{"Id":9999999,"q":9999999,"t":"9999999","n":1},{"Id":2,"q":2,"t":"a","n":2}"#;
    let table = planned_with(rows, "null", Some(N));
    let [warning] = &warnings(&table)[..] else { panic!("{:?}", warnings(&table)) };
    assert!(warning.contains("counts as an answer in q, t: only the code plan tells which"), "{warning}");
    assert!(warning.contains("`with_missing(9999999)`"), "{warning}");
    let declared =
        table.with_missing(AnswerCodes::of("q", N).and("t", N), MissingShown::Null).expect("a view");
    assert!(warnings(&declared).is_empty(), "{:?}", warnings(&declared));
}

#[test]
fn a_choice_that_is_not_available_is_an_answer_until_it_is_declared_where_no_code_means_it() {
    let table = not_available(None);
    let [warning] = &warnings(&table)[..] else { panic!("{:?}", warnings(&table)) };
    assert!(warning.contains("answer in single, mc_1, mc_2, m_1, drop, slider. Declare"), "{warning}");
    assert!(warning.contains("`with_missing(9999999)`"), "{warning}");

    let declared = table.with_missing(N, MissingShown::Null).expect("a view");
    for column in ["single", "mc_1", "mc_2", "m_1", "drop", "slider"] {
        assert_eq!(texts(&declared, column)[1], None, "{column}");
        assert!(texts(&declared, column)[0].is_some(), "{column}");
    }
    assert_eq!(values(&declared, "Id"), ["1", "9999999"], "no code of a question");
    assert_eq!(values(&declared, "why"), ["1", "9999999"], "an open text is no code");
    assert_eq!(values(&declared, "turnover"), ["1", "9999999"], "an open number may be an answer");
    let by_name = table.with_missing(AnswerCodes::of("turnover", N), MissingShown::Null).expect("a view");
    assert_eq!(values(&by_name, "turnover"), ["1"]);
    assert!(warnings(&declared).is_empty(), "{:?}", warnings(&declared));
    let lists = declared.with_lists();
    assert_eq!(texts(&lists, "mc")[1], None, "not asked is no empty list");
    assert_eq!(texts(&lists, "mc")[0].as_deref(), Some("mc_1,mc_2"));
    let some = table.with_missing(AnswerCodes::of("single", N), MissingShown::Null).expect("a view");
    assert!(
        warnings(&some)[0].contains("answer in mc_1, mc_2,"),
        "those that are left: {:?}",
        warnings(&some)
    );
    for codes in [AnswerCodes::of("single", N), AnswerCodes::of("single", 98)] {
        let kept = table.with_missing(codes, MissingShown::Code).expect("a view");
        let warned = kept.warnings().filter(|warning| warning.column.is_none()).count();
        assert_eq!(warned, 1, "other columns have the code: {:?}", warnings(&kept));
    }
    let kept = table.with_missing(N, MissingShown::Code).expect("a view");
    assert!(warnings(&kept).is_empty(), "{:?}", warnings(&kept));
    let open = question_with("OpenQuestion", "", "1 9999999", None)
        .with_missing(N, MissingShown::Null)
        .expect("a view");
    assert_eq!((values(&open, "Q"), warnings(&open).len()), (strings(&["1", "9999999"]), 1));
    let in_plan = question("OpenQuestion", r#"{"id":9999999,"value":"n"}"#, "1 9999999");
    assert_eq!(values(&in_plan.with_missing(N, MissingShown::Null).expect("a view"), "Q"), ["1"]);
    let nowhere = table.with_missing([-99, 9_999_999], MissingShown::Null).expect("a view");
    assert_eq!(warnings(&nowhere), ["no column has the code -99"]);
}

#[test]
fn codes_are_declared_in_every_form() {
    let table =
        question("SingleChoice", r#"{"id":"1.0","value":"a"},{"id":98,"value":"b"}"#, "1 96 97.5 98 99 null");
    let left =
        |codes: AnswerCodes| values(&table.with_missing(codes, MissingShown::Null).expect("a view"), "Q");
    assert_eq!(left((96..=99).into()), ["1.0", "97.5"], "integers, both ends included");
    assert_eq!(left([1, 99].into()), ["96.0", "97.5", "98.0"]);
    assert_eq!(left(97.5.into()), ["1.0", "96.0", "98.0", "99.0"]);
    assert_eq!(left("96".into()), ["1.0", "97.5", "98.0", "99.0"]);
    assert_eq!(left(AnswerCodes::of("Q", 96..=98).and(AnswerCodes::ALL, 1)), ["97.5", "99.0"]);
    let reasons = table.with_missing(96..=99, MissingShown::Reason).expect("a view");
    assert_eq!(values(&reasons, "Q_missing"), ["96", "b", "99", "unknown"]);
    assert!(!ordered(&reasons, "Q_missing"), "reasons are no scale");
    let declared = reasons.field("Q").expect("a column").metadata()["sondage.missing"].clone();
    assert_eq!(declared, r#"[{"id":"98","value":"b"},{"id":"96","value":"96"},{"id":"99","value":"99"}]"#);
    let unused = table.with_missing(AnswerCodes::of("Q", 3..=5), MissingShown::Null).expect("a view");
    assert!(warnings(&unused)[0].contains("no answer has the code 3 to 5"), "{:?}", warnings(&unused));
}

#[test]
fn a_text_among_numbers_that_is_declared_missing_leaves_numbers() {
    for (missing, answers, kind) in [
        (r#""NA""#, r#"1 "NA" 3"#, DataType::Int64),
        (r#""""#, r#"1.5 "" 3"#, DataType::Float64),
        (r#""NA""#, r#""1" "NA" "3""#, DataType::Int64),
    ] {
        let table = question("Slider", "", answers);
        assert_eq!(type_of(&table, "Q"), DataType::Utf8);
        let code = missing.trim_matches('"');
        let declared = table.with_missing(code, MissingShown::Null).expect("a view");
        assert_eq!(type_of(&declared, "Q"), kind, "{answers}");
        assert_eq!(texts(&declared, "Q")[1], None);
        assert!(warnings(&declared).is_empty(), "it is no text any more: {:?}", warnings(&declared));
        let kept = table.with_missing(code, MissingShown::Code).expect("a view");
        assert_eq!(type_of(&kept, "Q"), DataType::Utf8);
    }
    let other =
        question("Slider", "", r#"1 "NA" "x""#).with_missing("NA", MissingShown::Null).expect("a view");
    assert_eq!((type_of(&other, "Q"), values(&other, "Q")), (DataType::Utf8, strings(&["1", "x"])));
}

#[test]
fn declarations_add_up() {
    let table = question("SingleChoice", r#"{"id":1,"value":"a"},{"id":98,"value":"b"}"#, "1 98 99");
    for shown in [MissingShown::Null, MissingShown::Code, MissingShown::Reason] {
        let first = table.with_missing(98, shown).expect("a view");
        let second = first.with_missing([98, 99], MissingShown::Code).expect("a view");
        let declared = &second.field("Q").expect("a column").metadata()["sondage.missing"];
        assert_eq!(declared, r#"[{"id":"98","value":"b"},{"id":"99","value":"99"}]"#, "{shown:?}");
    }
}
