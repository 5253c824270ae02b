//! The questions of `tests/assistant`: each is answered with at most two calls.

use super::session::Session;
use serde_json::{Value, json};
use sondage_sandbox::Sandbox;
use std::fs;
use std::path::Path;

/// What stands for a number that is hidden.
const HIDDEN: &str = "hidden";

pub fn all() -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/assistant/questions.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// The answer to a question: a number, or nothing if it is hidden with what was told before.
pub fn answer(session: &mut Session, question: &Value) -> Option<f64> {
    let calls = question["calls"].as_array().unwrap();
    assert!((1..=2).contains(&calls.len()), "{question}");
    let mut result = Value::Null;
    for call in calls {
        result = session.call(call["tool"].as_str().unwrap(), &call["arguments"]);
        if result["structuredContent"]["error"].as_str().is_some_and(|why| why.contains("are fewer than ten"))
        {
            return None;
        }
        assert_eq!(result["isError"], false, "{question}: {result}");
    }
    let (value, result) = (&question["value"], &result["structuredContent"]);
    let name = value["of"].as_str().unwrap_or("count");
    let place = if value.get("survey").is_some() {
        by(&result["surveys"], "id", &value["survey"])
    } else if value.get("panel").is_some() {
        by(&result["panels"], "id", &value["panel"])
    } else if value.get("column").is_some() {
        by(&by(&result["answers"], "label", &value["row"])["cells"], "column", &value["column"])
    } else if value.get("row").is_some() {
        by(&result["answers"], "label", &value["row"])
    } else {
        result
    };
    if place.get("n").or(place.get("answered")).is_some_and(|n| n == HIDDEN) {
        return None;
    }
    let found = place.get(name).unwrap_or_else(|| panic!("{question}: {result}"));
    (found != HIDDEN).then(|| found.as_f64().unwrap_or_else(|| panic!("{question}: {result}")))
}

fn by<'a>(list: &'a Value, name: &str, wanted: &Value) -> &'a Value {
    let items = list.as_array().unwrap_or_else(|| panic!("a list, not {list}"));
    items.iter().find(|item| item[name] == *wanted).unwrap_or_else(|| panic!("{wanted} in {list}"))
}

/// Asks all questions, in one session or each in its own. Returns the questions whose answers are hidden.
pub fn ask(sandbox: &Sandbox, options: &[&str], in_one: bool) -> Vec<Value> {
    let mut session = Session::start(sandbox, options);
    let mut hidden = Vec::new();
    for question in all() {
        if !in_one {
            session = Session::start(sandbox, options);
        }
        match answer(&mut session, &question) {
            Some(found) => assert_eq!(Some(found), question["number"].as_f64(), "{question}"),
            None => hidden.push(question),
        }
    }
    hidden
}

/// Without personal data, these answers are hidden and no others.
pub fn ensure_hidden(sandbox: &Sandbox, in_one: bool, when: &[&str]) {
    let texts = |questions: Vec<Value>| -> Vec<Value> {
        questions.into_iter().map(|question| question["question"].clone()).collect()
    };
    let is_hidden =
        |question: &Value| question["hidden"].as_str().is_some_and(|hidden| when.contains(&hidden));
    let expected = all().into_iter().filter(is_hidden).collect();
    assert_eq!(texts(ask(sandbox, &[], in_one)), texts(expected), "in one session: {in_one}");
}

/// The one cell of a person that was hidden, beside zeros, used to be the person's answer.
#[test]
fn the_only_hidden_cell_is_nobody_s_answer() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    let survey = sandbox.feedback_survey_id();
    for (question, by) in
        [("topics_1", "Id"), ("Id", "topics_1"), ("topics_1", "State"), ("aspects_1", "State")]
    {
        let arguments = json!({ "survey_id": survey, "question": question, "by": by });
        let result = session.call("survey_results", &arguments);
        let Some(answers) = result["structuredContent"]["answers"].as_array() else { continue };
        let rows: Vec<Vec<&Value>> = answers
            .iter()
            .map(|row| row["cells"].as_array().unwrap().iter().map(|cell| &cell["n"]).collect())
            .collect();
        let columns = (0..rows.first().map_or(0, Vec::len))
            .map(|column| rows.iter().map(|row| row[column]).collect::<Vec<_>>());
        for line in rows.iter().cloned().chain(columns) {
            let hidden = line.iter().filter(|n| **n == HIDDEN).count();
            let zeros = line.iter().filter(|n| ***n == 0).count();
            assert!(hidden != 1 || zeros + 1 < line.len(), "{question} by {by}: {line:?}");
        }
    }
}

/// Answers by the public link belong to no invitation: the numbers have a note about them.
#[test]
fn the_status_of_a_distribution_says_whom_it_leaves_out() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut session = Session::start(&sandbox, &[]);
    let result = session.call("distribution_status", &json!({ "survey_id": sandbox.survey_id() }));
    let content = &result["structuredContent"];
    assert_eq!((&content["invited"], &content["completed"]), (&json!(0), &json!(0)), "{content}");
    let notes = content["notes"].to_string();
    assert!(notes.contains("public link") && notes.contains("survey_results"), "{notes}");
}
