//! What real questionnaires have, counted in a questionnaire and in the answers to it.

use crate::http::Api;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub const NOT_AVAILABLE: i64 = 9_999_999;

/// How often the questionnaires have a feature, and how often the data have it.
#[derive(Default)]
pub struct Counts(BTreeMap<&'static str, (usize, usize)>);

impl Counts {
    /// Adds a survey, given its questionnaire with the conditions of the editor or those of the API.
    pub fn add(&mut self, api: &Api, survey_id: i64, questionnaire: &Value) {
        count_shape(self, questionnaire);
        let whole =
            api.ok("ReadInterviewListCompact", &json!({ "surveyId": survey_id, "loadCodePlan": true }));
        let (plan, rows) = (list(&whole, "codePlan"), list(&whole, "interviews"));
        count_data(self, plan, rows, questionnaire);
        self.in_data("condition", not_asked(questionnaire, rows));
        let published = api.ok("ReadSurvey", &json!({ "surveyId": survey_id }))["survey"].clone();
        objects(&published, &mut |part| {
            self.in_data("Invalid, stored", part.values().filter(|value| **value == "Invalid").count());
        });
    }

    /// Each feature, with its count in the questionnaires and in the data.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, usize, usize)> {
        self.0.iter().map(|(feature, (shapes, data))| (*feature, *shapes, *data))
    }

    fn in_shape(&mut self, feature: &'static str, count: usize) {
        self.0.entry(feature).or_default().0 += count;
    }

    fn in_data(&mut self, feature: &'static str, count: usize) {
        self.0.entry(feature).or_default().1 += count;
    }
}

/// The list under this name; empty if there is none.
pub fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// Every object in a value.
pub fn objects<'a>(value: &'a Value, visit: &mut dyn FnMut(&'a Map<String, Value>)) {
    match value {
        Value::Object(fields) => {
            visit(fields);
            fields.values().for_each(|value| objects(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|item| objects(item, visit)),
        _ => {}
    }
}

fn not_available_of(kind: &str) -> &'static str {
    match kind {
        "SingleChoice" => "not available, single choice",
        "MultipleChoice" => "not available, multiple choice",
        "Matrix" => "not available, matrix",
        "Dropdown" => "not available, drop-down",
        "Slider" => "not available, slider",
        _ => "not available, open question",
    }
}

fn matrix_of(choice_type: &str) -> &'static str {
    match choice_type {
        "Single" => "matrix, one answer a row",
        "Text" => "matrix of texts",
        "Dropdown" => "matrix of drop-downs",
        "Multiple" => "matrix, several answers a row",
        _ => "matrix of stars",
    }
}

fn count_shape(counts: &mut Counts, shape: &Value) {
    for element in list(shape, "sections").iter().flat_map(|section| list(section, "elements")) {
        let kind = element["elementType"].as_str().unwrap();
        let entries = list(element, "choices").iter().filter(|choice| choice["allowTextEntry"] == true);
        counts.in_shape("text beside a choice", entries.count());
        let is_numeric = |part: &Value| {
            ["Number", "Real"].iter().any(|kind| part["contentValidation"]["validationType"] == *kind)
        };
        counts.in_shape(
            "open question for a number",
            usize::from(kind == "OpenQuestion" && is_numeric(element)),
        );
        counts.in_shape("slider", usize::from(kind == "Slider"));
        counts.in_shape("multiple choice", usize::from(kind == "MultipleChoice"));
        for group in list(element, "columnGroups") {
            counts.in_shape(matrix_of(group["choiceType"].as_str().unwrap()), 1);
            counts.in_shape("heading that is null", usize::from(group["text"].is_null()));
            counts.in_shape("not available, matrix", usize::from(group["hasNotAvailableChoice"] == true));
            let numbers = list(group, "choices").iter().filter(|column| is_numeric(column));
            counts.in_shape("number in a matrix of texts", numbers.count());
        }
        if kind != "Matrix" && element["hasNotAvailableChoice"] == true {
            counts.in_shape(not_available_of(kind), 1);
        }
    }
    objects(shape, &mut |part| {
        let conditions = part.get("conditions").and_then(Value::as_array).map_or(0, Vec::len);
        counts.in_shape(
            "condition",
            conditions + usize::from(part.get("condition").is_some_and(Value::is_object)),
        );
        counts.in_shape("Invalid, stored", part.values().filter(|value| **value == "Invalid").count());
        let Some(text) = part.get("text").and_then(Value::as_str) else { return };
        for (feature, is_there) in text_features(text) {
            counts.in_shape(feature, usize::from(is_there));
        }
    });
}

fn text_features(text: &str) -> [(&'static str, bool); 5] {
    [
        ("text with markup", text.contains('<') && text.contains('>')),
        (
            "text with an entity",
            text.contains("&nbsp;") || text.contains("&ndash;") || text.contains("&amp;"),
        ),
        ("text of over 120 characters", text.chars().count() > 120),
        ("text of over 256 characters", text.chars().count() > 256),
        ("text with a blank at its end", text.ends_with(' ')),
    ]
}

/// The code plan and the rows of a survey.
fn count_data(counts: &mut Counts, plan: &[Value], rows: &[Value], shape: &Value) {
    let kinds: BTreeMap<&str, &Value> = list(shape, "sections")
        .iter()
        .flat_map(|section| list(section, "elements"))
        .filter_map(|element| Some((element["code"].as_str()?, element)))
        .collect();
    for entry in plan {
        let (code, kind) = (entry["code"].as_str().unwrap(), entry["type"].as_str().unwrap());
        let answers: Vec<&Value> =
            rows.iter().map(|row| &row[code]).filter(|answer| !answer.is_null()).collect();
        let is_text = |answer: &&&Value| answer.is_string();
        let code_text = NOT_AVAILABLE.to_string();
        let not_available = |answer: &&&Value| ***answer == NOT_AVAILABLE || ***answer == *code_text;
        counts.in_data(not_available_of(kind), answers.iter().filter(not_available).count());
        let element = kinds[entry["questionCode"].as_str().unwrap()];
        let beside = code.ends_with("_text") && entry["values"] == json!([]);
        if beside {
            counts.in_data("text beside a choice", answers.iter().filter(is_text).count());
            continue;
        }
        if code.ends_with("__count") {
            counts.in_data("multiple choice", answers.len());
            continue;
        }
        let numbers = answers.iter().filter(|answer| answer.is_number() && !not_available(answer));
        match kind {
            "OpenQuestion" => counts.in_data("open question for a number", numbers.count()),
            "Slider" => {
                for number in numbers {
                    let number = number.as_f64().unwrap();
                    let end = |name: &str| element[name].as_f64().unwrap();
                    assert!((end("minValue")..=end("maxValue")).contains(&number), "{code}: {number}");
                    counts.in_data("slider", 1);
                }
            }
            "Matrix" => count_matrix(counts, element, entry, &answers),
            _ => {}
        }
        let labels = list(entry, "values").iter().map(|label| &label["value"]);
        for text in
            labels.chain([&entry["question"], &entry["row"], &entry["choice"]]).filter_map(Value::as_str)
        {
            for (feature, is_there) in text_features(text) {
                counts.in_data(feature, usize::from(is_there));
            }
        }
    }
    let started = |row: &&Value| row["State"] == "InProgress" && row["EndDate"].is_null();
    counts.in_shape("interview that was not finished", 1);
    counts.in_data("interview that was not finished", rows.iter().filter(started).count());
}

fn count_matrix(counts: &mut Counts, element: &Value, entry: &Value, answers: &[&Value]) {
    let groups = list(element, "columnGroups");
    let code = entry["code"].as_str().unwrap();
    let is_cell = |kind: &str, group: &Value| {
        group["choiceType"] == kind && {
            let columns = list(group, "choices").iter();
            columns
                .filter_map(|column| column["code"].as_str())
                .any(|column| code.ends_with(&format!("_{column}")))
        }
    };
    for group in groups {
        let kind = group["choiceType"].as_str().unwrap();
        let is_here = match kind {
            "Text" | "Multiple" => is_cell(kind, group) && !entry["choice"].is_null(),
            _ => entry["choice"].is_null(),
        };
        if !is_here {
            continue;
        }
        counts.in_data(matrix_of(kind), answers.len());
        counts.in_data("heading that is null", if group["text"].is_null() { answers.len() } else { 0 });
        let numbers = answers.iter().filter(|answer| kind == "Text" && answer.is_number());
        counts.in_data("number in a matrix of texts", numbers.count());
    }
}

/// Completed interviews in which a required question with conditions has no answer: it was not asked.
fn not_asked(shape: &Value, rows: &[Value]) -> usize {
    let elements = list(shape, "sections").iter().flat_map(|section| list(section, "elements"));
    let conditional = elements.filter(|element| {
        (!list(element, "conditions").is_empty() || element["condition"].is_object())
            && element["forceResponse"] == true
            && element["elementType"] != "Matrix"
    });
    let codes = conditional.filter_map(|element| element["code"].as_str()).collect::<Vec<_>>();
    let completed = rows.iter().filter(|row| row["State"] == "Completed");
    completed.flat_map(|row| codes.iter().filter(|code| row.get(**code).is_some_and(Value::is_null))).count()
}
