//! What is shown of numbers and of open answers.

use crate::support::planned;
use sondage::arguments::FrequenciesOptions;
use sondage::reports::Frequencies;
use sondage_data::Picture;

const PLAN: &str = r#"[{"code":"a","questionCode":"a","type":"Number","dataType":"Real","question":"A?"},
    {"code":"o","questionCode":"o","type":"OpenQuestion","dataType":"String","question":"O?"}]"#;

fn frequencies(rows: &str, variable: &str) -> Frequencies {
    planned(rows, PLAN).frequencies(&FrequenciesOptions::new(variable)).expect("frequencies")
}

fn of(numbers: &[f64]) -> Frequencies {
    let rows: Vec<String> = numbers.iter().map(|number| format!(r#"{{"a":{number},"o":null}}"#)).collect();
    frequencies(&rows.join(","), "a")
}

/// The classes as text shows them, with how many numbers are in each.
fn classes(found: &Frequencies) -> Vec<(String, String)> {
    found.cells().into_iter().skip(1).map(|mut row| (row.remove(0), row.remove(0))).collect()
}

#[test]
fn whole_numbers_of_a_short_range_have_a_class_each() {
    let found = of(&[0.0, 3.0, 3.0, 7.0, 9.0, 10.0]);
    let shown: Vec<(String, String)> = (0..=10_usize)
        .map(|point| (point.to_string(), [1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1][point].to_string()))
        .collect();
    assert_eq!(classes(&found), shown, "no bar has two of them");
    assert_eq!(classes(&of(&[4.0, 4.0])), [("4".to_owned(), "2".to_owned())]);
}

#[test]
fn classes_of_a_longer_range_have_equally_many_whole_numbers() {
    let all: Vec<f64> = (18..=91).map(f64::from).collect();
    let found = of(&all);
    let summary = found.summary.as_ref().expect("numbers");
    let sizes: Vec<f64> = summary.histogram.iter().map(|class| class.upper - class.lower + 1.0).collect();
    assert_eq!(sizes, [8.0; 10]);
    let counts: Vec<u64> = summary.histogram.iter().map(|class| class.n).collect();
    assert_eq!(counts, [8, 8, 8, 8, 8, 8, 8, 8, 8, 2], "each number once, so no class is higher");
    assert_eq!(classes(&found)[0].0, "18 to 25");
}

#[test]
fn numbers_with_decimals_have_classes_of_equal_width() {
    let found = of(&[0.0, 0.5, 5.0]);
    let shown = classes(&found);
    assert_eq!((shown.len(), shown[0].0.as_str(), shown[9].0.as_str()), (10, "0 to 0.5", "4.5 to 5"));
}

#[test]
fn a_table_of_numbers_or_open_answers_has_what_is_shown() {
    let found = of(&[1.0, 2.0, 2.0]);
    let table = found.to_table().expect("a table");
    assert_eq!(table.num_rows(), 2);
    let names: Vec<String> = table.schema().fields().iter().map(|field| field.name().clone()).collect();
    assert!(names.ends_with(&["lower".to_owned(), "upper".to_owned()]), "{names:?}");
    let open = frequencies(r#"{"a":1,"o":"so"},{"a":1,"o":null}"#, "o");
    assert_eq!(open.to_table().expect("a table").num_rows(), 1);
    assert_eq!(open.cells(), [vec!["", "n", "%"], vec!["any answer", "1", "50.0"]]);
}

/// However narrow a terminal is, no line of a table is wider, and no sentence is lost.
#[test]
fn a_result_is_as_wide_as_the_terminal() {
    let rows: Vec<String> = (0..400).map(|row| format!(r#"{{"a":{},"o":null}}"#, row % 37)).collect();
    let found = frequencies(&rows.join(","), "a");
    for columns in [40, 60, 80, 100, 120] {
        let text = found.to_text_within(columns);
        let widest = text.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(columns), "{columns}: {text}");
        let all = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(all.contains("400 of 400 rows have an answer") && all.contains("quartiles"), "{text}");
    }
    assert_eq!(found.to_text(), found.to_text_within(120));
    // A scale of 20 points is shown as a whole.
    let scale = of(&(1..=20).map(f64::from).collect::<Vec<_>>());
    assert!(!scale.to_text().contains('…'), "{}", scale.to_text());
}
