//! Waves as one table: a code means the same in every row, or an error lists what does not fit.

use crate::support::{names, planned, texts};
use serde_json::{Value, json};
use sondage_data::{Crosswalk, Labels, Table};

type Labelled<'a> = [(&'a str, &'a str)];

fn question(name: &str, labels: &Labelled<'_>) -> Value {
    let values: Vec<Value> = labels.iter().map(|(code, label)| json!({"id": code, "value": label})).collect();
    json!({"code": name, "dataType": "Number", "type": "SingleChoice", "question": "How often?", "values": values})
}

fn wave(rows: &str, questions: &[Value]) -> Table {
    planned(rows, &Value::from(questions.to_vec()).to_string())
}

const SCALE: &Labelled<'_> = &[("1", "never"), ("2", "sometimes"), ("3", "always")];
const TURNED: &Labelled<'_> = &[("1", "always"), ("2", "sometimes"), ("3", "never")];

fn stack(first: &Table, second: &Table) -> sondage::Result<Table> {
    Table::stack([("2025", first), ("2026", second)], &Crosswalk::default())
}

fn shown(table: &Table, column: &str) -> Vec<String> {
    texts(table, column).into_iter().map(|text| text.unwrap_or("-".to_owned())).collect()
}

fn problem(result: sondage::Result<Table>) -> String {
    result.expect_err("they do not fit").to_string()
}

#[test]
fn codes_follow_their_labels() {
    let first = wave(r#"{"Id":"a","q":1},{"Id":"b","q":3}"#, &[question("q", SCALE)]);
    let second = wave(r#"{"Id":"c","q":1},{"Id":"d","q":2},{"Id":"e","q":null}"#, &[question("q", TURNED)]);
    let stacked = stack(&first, &second).expect("a table");
    assert_eq!(names(&stacked)[0], "wave");
    assert_eq!(shown(&stacked, "wave"), ["2025", "2025", "2026", "2026", "2026"]);
    assert_eq!(shown(&stacked, "q"), ["1", "3", "3", "2", "-"]);
    let labelled = stacked.with_labels(Labels::Labels);
    assert_eq!(shown(&labelled, "q"), ["never", "always", "always", "sometimes", "-"]);
    // The same whichever way tables come.
    let restored =
        [&first, &second].map(|table| Table::from_bytes(table.to_bytes().expect("bytes")).expect("a table"));
    assert_eq!(shown(&stack(&restored[0], &restored[1]).expect("a table"), "q"), shown(&stacked, "q"));
    let again = stack(&second, &first).expect("a table");
    assert_eq!(
        shown(&again.with_labels(Labels::Labels), "q"),
        ["always", "sometimes", "-", "never", "always"]
    );
}

#[test]
fn codes_that_become_one_are_named() {
    let first = wave(r#"{"q":1}"#, &[question("q", SCALE), question("r", SCALE)]);
    let more: &Labelled<'_> = &[("1", "never"), ("2", "sometimes"), ("3", "always"), ("4", "very often")];
    let second = wave(r#"{"q":4},{"q":3}"#, &[question("q", more), question("r", SCALE)]);
    let crosswalk = Crosswalk::default().code("2026", "q", "4", "3");
    let stacked = Table::stack([("2025", &first), ("2026", &second)], &crosswalk).expect("a table");
    assert_eq!(shown(&stacked, "q"), ["1", "3", "3"]);
    let warnings: Vec<String> = stacked.warnings().map(ToString::to_string).collect();
    let named = "q: the codes 3 and 4 of 2026 are one code, 3: their answers cannot be told apart";
    assert_eq!(warnings.iter().filter(|warning| warning.contains("one code")).count(), 1, "{warnings:?}");
    assert!(warnings.iter().any(|warning| warning.contains(named)), "{warnings:?}");
    // Codes that only change places stay apart.
    let turned = wave(r#"{"q":1}"#, &[question("q", TURNED), question("r", SCALE)]);
    let stacked = stack(&first, &turned).expect("a table");
    assert!(stacked.warnings().all(|warning| !warning.to_string().contains("one code")));
}

#[test]
fn markup_is_no_difference_and_new_labels_are_added() {
    let first = wave(r#"{"q":1}"#, &[question("q", SCALE)]);
    let more: &Labelled<'_> = &[("1", "<b>never</b>"), ("4", "often"), ("3", "always"), ("2", "sometimes")];
    let second = wave(r#"{"q":4},{"q":3}"#, &[question("q", more)]);
    let stacked = stack(&first, &second).expect("a table").with_labels(Labels::Labels);
    assert_eq!(shown(&stacked, "q"), ["never", "often", "always"]);
    assert_eq!(stacked.values("q").expect("values").pairs().len(), 4);
}

#[test]
fn what_does_not_fit_is_listed() {
    let first = wave(
        r#"{"q":1,"r":1,"n":1}"#,
        &[
            question("q", SCALE),
            question("r", SCALE),
            json!({"code": "n", "dataType": "Number", "type": "Number"}),
        ],
    );
    let other: &Labelled<'_> = &[("1", "never"), ("2", "now and then"), ("3", "always")];
    let second = wave(
        r#"{"q":2,"r":9,"n":"x"}"#,
        &[
            question("q", other),
            question("r", &[("1", "never")]),
            json!({"code": "n", "dataType": "Text", "type": "OpenQuestion"}),
        ],
    );
    let problems = problem(stack(&first, &second));
    for part in [
        "the code 2 of `q` is \"now and then\" in 2026, and \"sometimes\" before",
        "`n` is Number, Number in 2025, and OpenQuestion, Text in 2026",
        "Nothing was stacked. Say in `crosswalk`",
    ] {
        assert!(problems.contains(part), "{part} is not in {problems}");
    }
    // A code without a label, which has one in the other wave.
    let unknown = wave(r#"{"q":2}"#, &[question("q", &[("1", "never")])]);
    let problems = problem(stack(&wave(r#"{"q":1}"#, &[question("q", SCALE)]), &unknown));
    assert!(problems.contains("`q` in 2026: the code 2 occurs without a label"), "{problems}");
    assert!(problem(Table::stack([], &Crosswalk::default())).contains("no waves"));
    assert!(
        problem(Table::stack([("a", &first), ("a", &first)], &Crosswalk::default())).contains("two waves a")
    );
}

#[test]
fn a_crosswalk_says_what_is_the_same() {
    let first = wave(r#"{"q":2}"#, &[question("q", SCALE)]);
    let other: &Labelled<'_> = &[("1", "never"), ("2", "now and then"), ("3", "always")];
    let second = wave(r#"{"q_new":2},{"q_new":3}"#, &[question("q_new", other)]);
    let crosswalk = Crosswalk::default().column("2026", "q_new", "q").code("2026", "q", "2", "2");
    let stacked = Table::stack([("2025", &first), ("2026", &second)], &crosswalk).expect("a table");
    assert_eq!(shown(&stacked.with_labels(Labels::Labels), "q"), ["sometimes", "sometimes", "always"]);
    let wrong = Crosswalk::default()
        .column("2027", "q", "r")
        .column("2026", "p", "q")
        .code("2026", "q_new", "7", "1");
    let problems = problem(Table::stack([("2025", &first), ("2026", &second)], &wrong));
    for part in ["the wave 2027", "`p` in 2026", "the code 7 of `q_new` in 2026"] {
        assert!(problems.contains(part), "{part} is not in {problems}");
    }
}

#[test]
fn what_a_wave_does_not_have_is_missing_and_said() {
    let first = wave(r#"{"q":1}"#, &[question("q", SCALE)]);
    let second = wave(r#"{"q":9999999,"r":1}"#, &[question("q", SCALE), question("r", SCALE)]);
    let stacked = stack(&first, &second).expect("a table");
    assert_eq!(shown(&stacked, "r"), ["-", "1"]);
    assert_eq!(shown(&stacked, "q"), ["1", "-"], "what is not available stays so");
    let warnings: Vec<String> = stacked.warnings().map(ToString::to_string).collect();
    assert!(
        warnings.iter().any(|warning| warning.contains("2025 does not have the columns r")),
        "{warnings:?}"
    );
    let three = [("a", &first), ("b", &second), ("c", &first)];
    assert_eq!(Table::stack(three, &Crosswalk::default()).expect("a table").num_rows(), 3);
}
