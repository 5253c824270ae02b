//! A questionnaire in the form of the editor's export, or as the API returns it.
//!
//! The editor's form has fields that the published definition does not have. They are kept, and the API does not show them. What the
//! sandbox does not carry out when people answer is listed, all of it at once.

use super::json_text::{self, JsonText};
use super::rows::TAKEN;
use super::{not_carried_out, unique_keys, wrong};
use crate::api::contradictions;
use crate::demo::{empty_survey, moment};
use crate::mistakes::NAMED as MISTAKES;
use crate::validate;
use crate::world::questionnaire::variables;
use crate::world::{Survey, SurveyVariable};
use serde::Deserialize as _;
use serde_json::{Value, json};
use sondage::model::{SurveyDefinition, SurveyElement};
use std::collections::HashMap;
use std::fmt::Display;
use std::io;
use std::path::Path;

/// Reads a survey without interviews.
pub(super) fn read((id, workspace_id): (i64, i64), path: &Path) -> io::Result<Survey> {
    let JsonText { text, halves } = json_text::read(path)?;
    let (definition, mut not_carried_out) = parse(&text).map_err(|why| wrong(path, why))?;
    not_carried_out.extend(halves);
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut survey = empty_survey(id, workspace_id, &name, moment(super::MADE));
    survey.set_questionnaire(definition);
    survey.not_carried_out = not_carried_out;
    Ok(survey)
}

/// The questionnaire in a text, and what of it is not carried out. The error follows the name of its source.
pub(super) fn parse(text: &str) -> Result<(SurveyDefinition, Vec<String>), String> {
    let (mut questionnaire, doubled) =
        unique_keys::parse(text.trim_start_matches('\u{feff}')).map_err(|error| not_json(&error))?;
    // The response of `ReadSurvey`, or the request of `CreateSurvey`.
    for field in ["survey", "surveyDefinition"] {
        if questionnaire[field].is_object() {
            questionnaire = questionnaire[field].take();
        }
    }
    if !questionnaire["sections"].is_array() {
        return Err(format!(
            "is not a questionnaire of the platform's editor: it has no list `sections`: {FROM_EDITOR}"
        ));
    }
    publish_conditions(&mut questionnaire);
    let doubled = doubled.iter().map(|place| format!("{place} is there twice: remove one of the two."));
    let mistakes: Vec<String> = doubled.chain(validate::questionnaire(&questionnaire, MISTAKES)).collect();
    if !mistakes.is_empty() {
        // What is missing around the questions hides no mistake in them.
        let questions = serde_json::from_value(with_stand_ins(questionnaire)).ok();
        let in_questions = questions.iter().flat_map(mistakes_in_questions);
        refuse(&mistakes.into_iter().map(|mistake| cured(&mistake)).chain(in_questions).collect::<Vec<_>>())?;
        return Err("is not a questionnaire that can be answered".to_owned());
    }
    let definition: SurveyDefinition = serde_json::from_value(questionnaire.clone())
        .map_err(|error| format!("is not a questionnaire: {error}"))?;
    refuse(&mistakes_in_questions(&definition))?;
    let variables = variables(&definition);
    let not_carried_out = not_carried_out::of(&questionnaire, &variables);
    Ok((definition, not_carried_out))
}

/// What to do about a file that is none of the editor's.
const FROM_EDITOR: &str =
    "export the questionnaire from the editor as JSON, or save the response of `ReadSurvey`";

/// The error of a text that is not JSON.
fn not_json(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return format!("is not JSON: it ends too early ({error}): it was cut, so export or copy it again");
    }
    format!("is not JSON: {error}: {FROM_EDITOR}")
}

fn mistakes_in_questions(definition: &SurveyDefinition) -> Vec<String> {
    [contradictions(definition), wrong_columns(&variables(definition))].concat()
}

/// The mistake with what to do about it, where its name does not say that.
fn cured(mistake: &str) -> String {
    let cure = match mistake {
        "languages is missing." => "list the tags of its languages, such as [\"en\", \"de\"].",
        "defaultLanguage is missing." => "name one of its `languages`.",
        _ if mistake.ends_with(" is missing.") => "export the questionnaire again, or add it.",
        _ => return mistake.to_owned(),
    };
    format!("{}: {cure}", mistake.trim_end_matches('.'))
}

/// The questionnaire with what is needed around its questions.
fn with_stand_ins(mut questionnaire: Value) -> Value {
    let default = questionnaire["defaultLanguage"].as_str().unwrap_or("en").to_owned();
    let is_list = questionnaire["languages"].as_array().is_some_and(|languages| !languages.is_empty());
    if !is_list {
        questionnaire["languages"] = json!([default]);
    }
    let around = json!({
        "defaultLanguage": default, "allowMultipleParticipation": false, "allowNavigateBack": true, "randomizeSections": false,
        "codeAccessMode": "None", "customVariables": [], "surveyEndText": [],
    });
    add_missing(&mut questionnaire, &around);
    let sections = questionnaire["sections"].as_array_mut();
    for (place, section) in sections.into_iter().flatten().enumerate() {
        let around = json!({ "id": place, "name": "", "randomizePages": false, "excludeFromRandomization": false, "elements": [] });
        add_missing(section, &around);
        // What is wrong in one element hides no mistake in the others.
        if let Some(elements) = section["elements"].as_array_mut() {
            elements.retain(|element| SurveyElement::deserialize(element).is_ok());
        }
    }
    questionnaire
}

fn add_missing(value: &mut Value, fields: &Value) {
    let (Some(object), Some(fields)) = (value.as_object_mut(), fields.as_object()) else { return };
    for (name, field) in fields {
        let known = object.entry(name.clone()).or_insert(Value::Null);
        if known.is_null() {
            known.clone_from(field);
        }
    }
}

/// What is wrong with the columns that the questions have.
fn wrong_columns(variables: &[SurveyVariable]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let mut questions: HashMap<&str, (&str, &str)> = HashMap::new();
    let mut before = String::new();
    for SurveyVariable { code, question_code, question, range, section, .. } in variables {
        if question_code.is_empty() {
            // One for each question: its parts have codes of their own.
            let mistake = format!(
                "The question {question:?} in the section {section:?}{before} has an empty code: give it one."
            );
            mistakes.extend((mistakes.last() != Some(&mistake)).then_some(mistake));
        } else if TAKEN.contains(&code.as_str()) {
            mistakes.push(format!(
                "The question {question_code} has the name of a column that every survey has: give it another code."
            ));
        } else if let Some((other, text)) = questions.insert(code, (question_code, question)) {
            let mistake = if other == question_code {
                // One for each pair of questions: all columns of the two are equal.
                format!(
                    "The questions {text:?} and {question:?} have the same code {other}: give one of them another."
                )
            } else {
                format!(
                    "The questions {other} and {question_code} both have a column {code}: give one of them another code."
                )
            };
            mistakes.extend((!mistakes.contains(&mistake)).then_some(mistake));
        }
        if !question_code.is_empty() {
            before = format!(", after {question_code},");
        }
        let mut is_empty = |what: &str, min: &dyn Display, max: &dyn Display| {
            mistakes.push(format!(
                "The question {question_code} takes {what} from {min} to {max}, which are none: exchange the limits."
            ));
        };
        if let (Some(min), Some(max)) = (range.min, range.max)
            && min > max
        {
            is_empty("numbers", &min, &max);
        }
        if let (Some(earliest), Some(latest)) = (range.earliest, range.latest)
            && earliest > latest
        {
            is_empty("dates", &earliest, &latest);
        }
    }
    mistakes
}

/// All mistakes in one error.
fn refuse(mistakes: &[String]) -> Result<(), String> {
    let more = mistakes.len().saturating_sub(MISTAKES);
    match mistakes {
        [] => Ok(()),
        mistakes => {
            let named = mistakes.iter().take(MISTAKES).map(String::as_str).collect::<Vec<_>>().join(" ");
            let more = if more > 0 { format!(" And {more} more.") } else { String::new() };
            Err(format!("is not a questionnaire that can be answered: {named}{more}"))
        }
    }
}

/// Shows the conditions of an element to the API, which has one group of them, where the editor's list has one, and each condition
/// names one variable.
fn publish_conditions(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let rule = match fields.get("conditions") {
                Some(Value::Array(rules)) if rules.len() == 1 => rules.first().cloned(),
                _ => None,
            };
            if let Some(rule) = rule.filter(is_publishable)
                && !fields.contains_key("condition")
            {
                fields.insert("condition".to_owned(), rule);
            }
            fields.values_mut().for_each(publish_conditions);
        }
        Value::Array(items) => items.iter_mut().for_each(publish_conditions),
        _ => {}
    }
}

fn is_publishable(rule: &Value) -> bool {
    let one_variable =
        |condition: &Value| condition["identifier"].as_str().is_some_and(|name| !name.contains(','));
    rule["elements"].as_array().is_some_and(|conditions| conditions.iter().all(one_variable))
}
