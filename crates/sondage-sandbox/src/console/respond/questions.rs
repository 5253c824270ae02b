//! The questions of a survey as form fields.

use super::GivenAnswers;
use super::grid::grid;
use super::values::not_available_name;
use crate::world::SurveyVariable;
use crate::world::survey::VariableRole;
use maud::{Markup, html};
use sondage::internals::plain_text;

/// A question with more choices than this becomes a dropdown.
const BUTTONS: usize = 8;

/// What a respondent sees of a survey.
pub(super) struct Form<'a> {
    /// Its columns, with labels in the respondent's language.
    pub(super) variables: &'a [SurveyVariable],
    /// Which of them are asked.
    pub(super) shown: &'a [bool],
    pub(super) given: &'a GivenAnswers,
    /// The code of "not available".
    pub(super) not_available: Option<i64>,
}

impl Form<'_> {
    pub(super) fn questions(&self) -> Markup {
        let asked: Vec<&SurveyVariable> = self
            .variables
            .iter()
            .zip(self.shown)
            .filter(|(variable, shown)| **shown && variable.role != VariableRole::Count)
            .map(|(variable, _)| variable)
            .collect();
        let questions = asked.chunk_by(|a, b| a.question_code == b.question_code && a.section == b.section);
        let mut section = "";
        html! {
            @for variables in questions {
                @if let Some(first) = variables.first() {
                    @if first.section != section && !first.section.is_empty() { h2 dir="auto" { (first.section) } }
                    ({ section = first.section.as_str(); "" })
                    (self.question(first, variables))
                }
            }
        }
    }

    fn question(&self, first: &SurveyVariable, variables: &[&SurveyVariable]) -> Markup {
        html! {
            fieldset {
                legend dir="auto" {
                    (plain_text(&first.question))
                    @if first.required { " " abbr title="an answer is required" { "*" } }
                }
                @if first.row.is_some() {
                    (grid(self, variables))
                } @else {
                    @for variable in variables.iter().filter(|variable| variable.role == VariableRole::Answer) {
                        @if variable.is_ticked() {
                            (self.tick(variable, &variable.choice_label()))
                            (self.beside(variables, &variable.code, "1"))
                        } @else {
                            (self.field(variable, variables, &plain_text(&first.question)))
                        }
                    }
                    @if first.is_ticked() { (self.not_available(first)) }
                }
            }
        }
    }

    pub(super) fn tick(&self, variable: &SurveyVariable, label: &str) -> Markup {
        let ticked = self.given.text(&variable.code) == "1";
        html! {
            label dir="auto" { input type="checkbox" name=(variable.code) value="1" checked[ticked]; (label) }
        }
    }

    /// A tick box for "not available", where the question offers it and is not answered by buttons.
    pub(super) fn not_available(&self, variable: &SurveyVariable) -> Markup {
        let offered = variable.not_available.as_ref().zip(self.not_available);
        html! {
            @if let Some((label, code)) = offered {
                @let ticked = self.given.text(&variable.code) == code.to_string();
                label dir="auto" {
                    input type="checkbox" name=(not_available_name(variable)) value="1" checked[ticked];
                    (plain_text(label))
                }
            }
        }
    }

    /// The field for the text beside a choice.
    pub(super) fn beside(&self, variables: &[&SurveyVariable], column: &str, value: &str) -> Markup {
        let entry = variables.iter().find(|variable| {
            matches!(&variable.role, VariableRole::TextBeside { column: of, value: at } if of == column && at == value)
        });
        html! {
            @if let Some(entry) = entry {
                @let label = entry.row.as_deref().or(entry.choice.as_deref()).unwrap_or_default();
                (self.input(entry, &plain_text(label)))
            }
        }
    }

    /// A field with one answer.
    fn field(&self, variable: &SurveyVariable, variables: &[&SurveyVariable], label: &str) -> Markup {
        let text = self.given.text(&variable.code);
        let values = self.values(variable);
        if variable.values.is_empty() && variable.kind != "Nps" {
            return html! { (self.input(variable, label)) (self.not_available(variable)) };
        }
        let beside = |value: &str| self.beside(variables, &variable.code, value);
        if values.len() > BUTTONS && variable.kind != "Nps" {
            return html! {
                (self.dropdown(variable, label))
                @for (value, _) in &values { (beside(value)) }
            };
        }
        html! {
            div.row[variable.kind == "Nps"] {
                @for (value, label) in &values {
                    label dir="auto" {
                        input type="radio" name=(variable.code) value=(value) checked[value == text];
                        (plain_text(label))
                    }
                    (beside(value))
                }
            }
        }
    }

    /// The values to choose from, with "not available".
    pub(super) fn values(&self, variable: &SurveyVariable) -> Vec<(String, String)> {
        let points = (0..=10).map(|point: u8| (point.to_string(), point.to_string()));
        let mut values = match variable.kind {
            "Nps" if variable.values.is_empty() => points.collect(),
            _ => variable.values.clone(),
        };
        if let Some((label, code)) = variable.not_available.as_ref().zip(self.not_available) {
            values.push((code.to_string(), label.clone()));
        }
        values
    }

    pub(super) fn dropdown(&self, variable: &SurveyVariable, label: &str) -> Markup {
        let text = self.given.text(&variable.code);
        html! {
            select name=(variable.code) aria-label=(label) {
                option value="" { "-" }
                @for (value, label) in self.values(variable) {
                    option value=(value) selected[value == text] { (plain_text(&label)) }
                }
            }
        }
    }

    /// A field to write into.
    pub(super) fn input(&self, variable: &SurveyVariable, label: &str) -> Markup {
        let (code, range) = (variable.code.as_str(), variable.range);
        let text = self.given.text(code);
        let is_code = self.not_available.is_some_and(|not_available| text == not_available.to_string());
        let text = if is_code && variable.not_available.is_some() { "" } else { text };
        let step = match (variable.data_type, range.decimals) {
            ("Real", Some(decimals @ 1..=9)) => {
                format!("0.{}1", "0".repeat(usize::try_from(decimals - 1).unwrap_or(0)))
            }
            ("Real", _) => "any".to_owned(),
            _ => "1".to_owned(),
        };
        let kind = match (variable.data_type, variable.kind) {
            ("Number" | "Real", _) => {
                return html! {
                    input name=(code) aria-label=(label) type="number" step=(step) min=[range.min] max=[range.max] value=(text);
                };
            }
            ("Date", _) => {
                return html! {
                    input name=(code) aria-label=(label) type="date" min=[range.earliest] max=[range.latest] value=(text);
                };
            }
            (_, "Email") => "email",
            (_, "OpenQuestion") if variable.role == VariableRole::Answer => {
                return html! {
                    textarea name=(code) aria-label=(label) rows="3" maxlength=(range.characters.unwrap_or(5000)) dir="auto" { (text) }
                };
            }
            _ => "text",
        };
        html! { input name=(code) aria-label=(label) type=(kind) maxlength=[range.characters] dir="auto" value=(text); }
    }
}

impl SurveyVariable {
    /// The label of its choice, or its code.
    pub(super) fn choice_label(&self) -> String {
        self.choice.as_deref().map_or_else(|| self.code.clone(), |label| plain_text(label).into_owned())
    }
}
