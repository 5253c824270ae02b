//! Converts a questionnaire to the columns of its answers, and back. The service's names for questions with several
//! columns are not published; the names here are assumed.

use super::{Survey, SurveyVariable};
use crate::random::SeededRng;
use serde_json::{Value, json};
use sondage::model::{
    Choice, ContentValidationType, ElementType, SurveyDefinition, SurveyElement, Translation,
};
use sondage::questionnaire::{self as ask, Questionnaire};
use std::collections::HashSet;

/// A column for each item that can be answered.
pub(crate) fn variables(definition: &SurveyDefinition) -> Vec<SurveyVariable> {
    let language = definition.default_language.as_str();
    let mut all = Vec::new();
    for section in &definition.sections {
        for element in &section.elements {
            let before = all.len();
            columns(element, language, &mut all);
            for variable in &mut all[before..] {
                variable.section.clone_from(&section.name);
            }
        }
    }
    all
}

fn columns(element: &SurveyElement, language: &str, all: &mut Vec<SurveyVariable>) {
    let Some((kind, data_type)) = kind(element) else { return };
    let code = element.code.clone().unwrap_or_else(|| format!("Q{}", element.id));
    let choices = element.choices.as_deref().unwrap_or_default();
    let one = SurveyVariable {
        code: code.clone(),
        data_type,
        question_code: code.clone(),
        kind,
        question: text(element.text.as_deref(), language),
        ..SurveyVariable::default()
    };
    let part = |name: &str| SurveyVariable { code: format!("{code}_{name}"), ..one.clone() };
    let label = |choice: &Choice| text(Some(&choice.text), language);
    match &element.element_type {
        ElementType::MultipleChoice => all.extend(choices.iter().map(|choice| SurveyVariable {
            choice: Some(label(choice)),
            values: vec![("0".to_owned(), "No".to_owned()), ("1".to_owned(), "Yes".to_owned())],
            ..part(&choice.code)
        })),
        ElementType::Matrix => {
            let groups = element.column_groups.as_deref().unwrap_or_default();
            for group in groups {
                let values = labels(&group.choices, language);
                all.extend(choices.iter().map(|row| SurveyVariable {
                    row: Some(label(row)),
                    values: values.clone(),
                    data_type: number_or_text(&group.choices),
                    ..part(&if groups.len() > 1 {
                        format!("{}_{}", row.code, group.id)
                    } else {
                        row.code.clone()
                    })
                }));
            }
        }
        ElementType::RankOrder | ElementType::ImplicitAssociation => {
            all.extend(choices.iter().map(|row| SurveyVariable { row: Some(label(row)), ..part(&row.code) }));
        }
        ElementType::SemanticDifferential => {
            let rows = element.rows.as_deref().unwrap_or_default();
            all.extend(rows.iter().map(|row| SurveyVariable {
                row: Some(text(Some(&row.left_text), language)),
                ..part(&row.code)
            }));
        }
        _ => all.push(SurveyVariable { values: labels(choices, language), ..one }),
    }
}

/// The code plan's type of a question, and the type of its answers; none for elements without an answer.
fn kind(element: &SurveyElement) -> Option<(&'static str, &'static str)> {
    let validation = element.content_validation.as_ref().map(|content| &content.validation_type);
    let chosen = number_or_text(element.choices.as_deref().unwrap_or_default());
    Some(match &element.element_type {
        ElementType::SingleChoice => ("SingleChoice", chosen),
        ElementType::Dropdown => ("Dropdown", chosen),
        ElementType::MultipleChoice => ("MultipleChoice", "Number"),
        ElementType::Slider => {
            ("Slider", if element.max_decimals.unwrap_or(0) > 0 { "Real" } else { "Number" })
        }
        ElementType::OpenQuestion => match validation {
            Some(ContentValidationType::Number) => ("OpenQuestion", "Number"),
            Some(ContentValidationType::Real) => ("OpenQuestion", "Real"),
            Some(ContentValidationType::Date) => ("OpenQuestion", "Date"),
            _ => ("OpenQuestion", "String"),
        },
        ElementType::Date => ("Date", "Date"),
        ElementType::Email => ("Email", "String"),
        ElementType::Matrix => ("Matrix", "Number"),
        ElementType::SemanticDifferential => ("SemanticDifferential", "Number"),
        ElementType::RankOrder => ("RankOrder", "Number"),
        ElementType::ImplicitAssociation => ("ImplicitAssociation", "Number"),
        ElementType::StarScale => ("StarScale", "Number"),
        ElementType::Nps => ("Nps", "Number"),
        _ => return None,
    })
}

fn number_or_text(choices: &[Choice]) -> &'static str {
    if choices.iter().all(|choice| choice.code.parse::<i64>().is_ok()) { "Number" } else { "String" }
}

fn labels(choices: &[Choice], language: &str) -> Vec<(String, String)> {
    choices.iter().map(|choice| (choice.code.clone(), text(Some(&choice.text), language))).collect()
}

fn text(texts: Option<&[Translation]>, language: &str) -> String {
    let texts = texts.unwrap_or_default();
    let translation = texts.iter().find(|text| text.language_code == language).or_else(|| texts.first());
    translation.and_then(|text| text.text.clone()).unwrap_or_default()
}

/// A questionnaire for a survey that was created from its columns: one question for each.
pub(crate) fn of_variables(survey: &Survey) -> SurveyDefinition {
    let languages: Vec<&str> = survey.languages.iter().map(String::as_str).collect();
    let language = survey.default_language.as_str();
    let mut whole = Questionnaire::new(languages);
    let mut codes = HashSet::new();
    let sections: Vec<&str> = survey
        .variables
        .iter()
        .map(|variable| variable.section.as_str())
        .filter(|name| codes.insert(*name))
        .collect();
    for section in sections {
        let here: Vec<&SurveyVariable> =
            survey.variables.iter().filter(|variable| variable.section == section).collect();
        let mut visited = HashSet::new();
        let elements =
            here.iter().filter(|variable| visited.insert(variable.question_code.as_str())).map(|first| {
                let parts: Vec<&SurveyVariable> = here
                    .iter()
                    .copied()
                    .filter(|variable| variable.question_code == first.question_code)
                    .collect();
                element(first, &parts, language)
            });
        whole = whole.section(section, elements.collect::<Vec<_>>());
    }
    whole.definition()
}

fn element(first: &SurveyVariable, parts: &[&SurveyVariable], language: &str) -> SurveyElement {
    let (code, question) = (first.question_code.as_str(), [(language, first.question.as_str())]);
    let values = first.values.iter().map(|(value, label)| ask::choice(value, [(language, label.as_str())]));
    let named = parts.iter().map(|part| {
        let name = part.choice.as_deref().or(part.row.as_deref()).unwrap_or_default();
        ask::choice(part.code.rsplit('_').next().unwrap_or_default(), [(language, name)])
    });
    match first.kind {
        "MultipleChoice" => ask::multiple_choice(code, question, named),
        "Matrix" => ask::matrix(code, question, named, values),
        kind => {
            let mut element = ask::single_choice(code, question, values);
            element.element_type = ElementType::from(kind);
            if first.values.is_empty() {
                element.choices = None;
            }
            element
        }
    }
}

/// A possible answer.
pub(crate) fn answers(variables: &[SurveyVariable], rng: &mut SeededRng) -> Vec<Value> {
    variables.iter().map(|variable| answer(variable, rng)).collect()
}

fn answer(variable: &SurveyVariable, rng: &mut SeededRng) -> Value {
    const WORDS: [&str; 4] = ["Alles gut", "Très bien, merci !", "More of it, please", "Più grande 🙂"];
    if !variable.values.is_empty() {
        let (value, _) = rng.pick(&variable.values);
        return value.parse::<i64>().map_or_else(|_| json!(value), |number| json!(number));
    }
    match (variable.kind, variable.data_type) {
        ("Nps", _) => json!(rng.below(11)),
        ("Email", _) => json!(format!("person{}@example.com", rng.below(1000))),
        (_, "Number") => json!(1 + rng.below(5)),
        (_, "Real") => json!(0.5 * f64::from(u32::try_from(rng.below(20)).unwrap_or(0))),
        (_, "Date") => json!(format!("2024-{:02}-{:02}", 1 + rng.below(12), 1 + rng.below(28))),
        _ => json!(*rng.pick(&WORDS)),
    }
}
