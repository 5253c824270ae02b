//! Waves: every kind of change that is planted in a questionnaire is found and classed, and equal ones have none.

use crate::support::{compact, planned, table};
use serde_json::{Value, json};
use sondage_data::{PayloadLayout, Table};

const ROWS: &str = r#"{"Id":1}"#;

/// A wave: a scale, a multiple choice, a number and an open question.
fn plan() -> Vec<Value> {
    let scale = [(1, "never"), (2, "sometimes"), (3, "often"), (4, "always")];
    let values: Vec<Value> = scale.iter().map(|(code, label)| json!({"id": code, "value": label})).collect();
    vec![
        json!({"code": "S1", "dataType": "Number", "type": "SingleChoice", "question": "How often do you read?", "values": values}),
        json!({"code": "M1_1", "questionCode": "M1", "dataType": "Number", "type": "MultipleChoice", "question": "What do you read?", "choice": "books", "values": [{"id": 0, "value": "no"}, {"id": 1, "value": "yes"}]}),
        json!({"code": "M1_2", "questionCode": "M1", "dataType": "Number", "type": "MultipleChoice", "question": "What do you read?", "choice": "papers", "values": [{"id": 0, "value": "no"}, {"id": 1, "value": "yes"}]}),
        json!({"code": "N1", "dataType": "Number", "type": "Number", "question": "How many hours a week?"}),
        json!({"code": "O1", "dataType": "Text", "type": "OpenQuestion", "question": "Which book did you like most?"}),
    ]
}

fn wave(plan: &[Value]) -> Table {
    planned(ROWS, &Value::from(plan.to_vec()).to_string())
}

/// What is found when a change is planted: severity, kind and column of each.
fn found(mutate: impl FnOnce(&mut Vec<Value>)) -> Vec<String> {
    let (before, mut after) = (plan(), plan());
    mutate(&mut after);
    let comparison = wave(&before).compare(&wave(&after));
    let breaking = comparison.changes.iter().filter(|change| change.severity == "breaking").count();
    assert_eq!(comparison.breaking, breaking as u64);
    comparison
        .changes
        .iter()
        .map(|change| format!("{} {} {}", change.severity, change.kind, change.column))
        .collect()
}

fn set(plan: &mut [Value], place: usize, key: &str, value: impl Into<Value>) {
    plan[place][key] = value.into();
}

fn label(plan: &mut [Value], place: usize, text: &str) {
    plan[0]["values"][place]["value"] = text.into();
}

fn code(plan: &mut [Value], place: usize, code: i64) {
    plan[0]["values"][place]["id"] = code.into();
}

fn scale(plan: &mut [Value]) -> &mut Vec<Value> {
    plan[0]["values"].as_array_mut().expect("values")
}

#[test]
fn every_planted_change_is_found_and_classed() {
    type Mutation = fn(&mut Vec<Value>);
    let planted: [(&[&str], Mutation); 20] = [
        (&["minor text_changed S1"], |plan| set(plan, 0, "question", "How often do you read books?")),
        (&["minor text_changed M1_1"], |plan| set(plan, 1, "choice", "novels")),
        (&["notable label_changed S1"], |plan| label(plan, 1, "now and then")),
        (&["breaking label_moved S1", "breaking label_moved S1"], |plan| {
            label(plan, 0, "always");
            label(plan, 3, "never");
        }),
        // A scale that was turned round.
        (&["breaking label_moved S1"; 4], |plan| {
            for (place, text) in ["always", "often", "sometimes", "never"].into_iter().enumerate() {
                label(plan, place, text);
            }
        }),
        // A new point in the middle moves those behind it.
        (&["breaking label_moved S1", "breaking label_moved S1", "breaking label_moved S1"], |plan| {
            scale(plan).push(json!({"id": 5, "value": "always"}));
            label(plan, 2, "half of the time");
            label(plan, 3, "often");
        }),
        // Another number for the same label.
        (&["breaking label_moved S1"], |plan| code(plan, 3, 5)),
        (&["breaking label_moved S1"; 4], |plan| {
            for place in 0..4 {
                code(plan, place, 10 + i64::try_from(place).expect("small"));
            }
        }),
        (&["notable code_new S1"], |plan| scale(plan).push(json!({"id": 5, "value": "don't know"}))),
        (&["notable code_gone S1"], |plan| {
            scale(plan).remove(1);
        }),
        (&["notable code_new S1", "notable code_gone S1"], |plan| {
            code(plan, 3, 7);
            label(plan, 3, "refused");
        }),
        (&["minor codes_reordered S1"], |plan| scale(plan).reverse()),
        (&["breaking type_changed S1"], |plan| set(plan, 0, "type", "MultipleChoice")),
        (&["breaking type_changed N1"], |plan| set(plan, 3, "dataType", "Text")),
        (&["minor reordered O1"], |plan| {
            let last = plan.pop().expect("a question");
            plan.insert(0, last);
        }),
        (&["notable question_gone N1"], |plan| {
            plan.remove(3);
        }),
        (&["notable question_new X9"], |plan| {
            plan.push(json!({"code": "X9", "dataType": "Text", "type": "OpenQuestion", "question": "Where do you live?"}));
        }),
        (&["notable question_renamed N2"], |plan| set(plan, 3, "code", "N2")),
        (&["notable question_renamed N2"], |plan| {
            set(plan, 3, "code", "N2");
            set(plan, 3, "question", "How many hours per week?");
        }),
        // Another question under a new name is not the old one.
        (&["notable question_gone N1", "notable question_new N2"], |plan| {
            set(plan, 3, "code", "N2");
            set(plan, 3, "question", "In which year were you born?");
        }),
    ];
    for (number, (expected, mutate)) in planted.into_iter().enumerate() {
        assert_eq!(found(mutate), expected, "mutation {number}");
    }
}

#[test]
fn equal_questionnaires_have_no_changes() {
    let same: [fn(&mut Vec<Value>); 5] = [
        |_| {},
        |plan| set(plan, 0, "question", "<p>How often do&nbsp;you <b>read</b>?</p>"),
        |plan| set(plan, 0, "question", "  How often\n do you read? "),
        |plan| label(plan, 0, "<em>never</em>"),
        |plan| set(plan, 2, "choice", "pap&#101;rs"),
    ];
    for (number, mutate) in same.into_iter().enumerate() {
        assert_eq!(found(mutate), [""; 0], "{number}");
    }
    let (wave, comparison) = (wave(&plan()), wave(&plan()).compare(&wave(&plan())));
    assert_eq!((comparison.identical, wave.compare(&wave).changes), (5, vec![]));
}

#[test]
fn a_wave_without_its_code_plan_is_compared_with_nothing() {
    let (with, without) = (wave(&plan()), table(PayloadLayout::Compact, &[&compact(r#"{"Id":1,"S1":2}"#)]));
    for (before, after, which) in [(&with, &without, "later"), (&without, &with, "earlier")] {
        let comparison = before.compare(after);
        assert_eq!((comparison.changes.len(), comparison.identical, comparison.notes.len()), (0, 0, 1));
        let note = &comparison.notes[0];
        assert!(note.starts_with(&format!("the {which} table has no questions")), "{note}");
    }
}
