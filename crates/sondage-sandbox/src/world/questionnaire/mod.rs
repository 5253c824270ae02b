//! Converts a questionnaire to the columns of its answers, and back.

mod checks;
mod columns;
mod conditions;
mod consistency;
mod exits;
mod synthesis;
mod texts;

pub(crate) use columns::{characters, columns, date, is_integer, variables};
pub(crate) use conditions::{ColumnIndex, DisplayRules, misread, not_evaluated};
pub(crate) use consistency::{Contradiction, contradictory_answers};
pub(crate) use exits::{Exit, ending_state};
pub(crate) use synthesis::{Course, Respondents, as_float};

use super::{Survey, SurveyVariable};
use sondage::model::{ElementType, SurveyDefinition, SurveyElement};
use sondage::questionnaire::{self as ask, Questionnaire};
use std::collections::HashSet;

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
