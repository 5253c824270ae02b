//! The questions of a survey as form fields.

use super::GivenAnswers;
use crate::world::{Survey, SurveyVariable};
use maud::{Markup, html};

/// A question with more choices than this becomes a dropdown.
const BUTTONS: usize = 8;

pub(super) fn questionnaire(survey: &Survey, given: &GivenAnswers) -> Markup {
    let questions =
        survey.variables.chunk_by(|a, b| a.question_code == b.question_code && a.section == b.section);
    let mut section = "";
    html! {
        @for variables in questions {
            @if let Some(first) = variables.first() {
                @if first.section != section && !first.section.is_empty() { h2 { (first.section) } }
                ({ section = first.section.as_str(); "" })
                (question(first, variables, given))
            }
        }
    }
}

fn question(first: &SurveyVariable, variables: &[SurveyVariable], given: &GivenAnswers) -> Markup {
    html! {
        fieldset {
            legend { (first.question) }
            @for variable in variables {
                @let part = variable.row.as_deref().or(variable.choice.as_deref());
                @match (variable.kind, part) {
                    ("MultipleChoice", part) => (tick(variable, part.unwrap_or(&variable.code), given)),
                    (_, Some(part)) => fieldset { legend { (part) } (field(variable, part, given)) },
                    (_, None) => (field(variable, &first.question, given)),
                }
            }
        }
    }
}

fn tick(variable: &SurveyVariable, label: &str, given: &GivenAnswers) -> Markup {
    let ticked = given.text(&variable.code) == "1";
    html! { label { input type="checkbox" name=(variable.code) value="1" checked[ticked]; (label) } }
}

fn field(variable: &SurveyVariable, label: &str, given: &GivenAnswers) -> Markup {
    let (code, text) = (variable.code.as_str(), given.text(&variable.code));
    if variable.kind == "Nps" && variable.values.is_empty() {
        let points: Vec<(String, String)> =
            (0..=10).map(|point| (point.to_string(), point.to_string())).collect();
        return html! { div.row { (buttons(code, &points, text)) } };
    }
    if variable.values.len() > BUTTONS {
        return html! {
            select name=(code) aria-label=(label) {
                option value="" { "-" }
                @for (value, label) in &variable.values { option value=(value) selected[value == text] { (label) } }
            }
        };
    }
    if !variable.values.is_empty() {
        return buttons(code, &variable.values, text);
    }
    let (kind, step) = match (variable.data_type, variable.kind) {
        ("Number", _) => ("number", Some("1")),
        ("Real", _) => ("number", Some("any")),
        ("Date", _) => ("date", None),
        (_, "Email") => ("email", None),
        _ => return html! { textarea name=(code) aria-label=(label) rows="3" maxlength="5000" { (text) } },
    };
    html! { input name=(code) aria-label=(label) type=(kind) step=[step] value=(text); }
}

fn buttons(code: &str, values: &[(String, String)], chosen: &str) -> Markup {
    html! {
        @for (value, label) in values {
            label { input type="radio" name=(code) value=(value) checked[value == chosen]; (label) }
        }
    }
}
