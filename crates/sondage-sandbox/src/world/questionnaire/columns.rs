//! The columns of a questionnaire's answers.
//!
//! A question with one answer has the column `code`. The names of the others are those in the conditions of public
//! questionnaires: `code_choice` for each choice of a multiple choice, and `code__count` for how many were chosen;
//! `code_row` for each row of a matrix, `code_row_col` where each of its columns has an answer of its own; and
//! `code_choice_text` for the text beside a choice.

use super::conditions::{DisplayRules, is_readable};
use super::exits::Exit;
use super::texts::{label, not_available_text};
use crate::world::survey::{AnswerRange, SurveyVariable, VariableRole};
use chrono::NaiveDate;
use serde_json::Value;
use sondage::model::{
    Choice, ChoiceType, ColumnGroup, ContentValidation, ContentValidationType, ElementType, SurveyDefinition,
    SurveyElement, Translation,
};
use std::collections::HashSet;

/// A column for each item that can be answered.
pub(crate) fn variables(definition: &SurveyDefinition) -> Vec<SurveyVariable> {
    columns(definition).0
}

/// The same, and where an interview may end before the others are asked.
pub(crate) fn columns(definition: &SurveyDefinition) -> (Vec<SurveyVariable>, Vec<Exit>) {
    let mut columns =
        Columns { language: &definition.default_language, all: Vec::new(), codes: HashSet::new() };
    let mut exits = Vec::new();
    for section in &definition.sections {
        let rules = DisplayRules::new().and(section.condition.as_ref(), &section.extra);
        for element in &section.elements {
            let before = columns.all.len();
            if is_forwarding(element) {
                exits.push(Exit::new(element, &rules, before));
            }
            columns.add_question(element, &rules.and(element.condition.as_ref(), &element.extra));
            for variable in &mut columns.all[before..] {
                variable.section.clone_from(&section.name);
            }
        }
    }
    (columns.all, exits)
}

/// Whether it ends the interview if its conditions hold. One with conditions in an unknown form does not.
fn is_forwarding(element: &SurveyElement) -> bool {
    let conditions = element.extra.get("conditions").and_then(|rules| rules.read::<Value>().ok());
    let rules = conditions.as_ref().and_then(Value::as_array);
    element.element_type == ElementType::UrlForwarding
        && conditions.as_ref().is_none_or(|all| all.is_null() || all.is_array())
        && rules.into_iter().flatten().all(is_readable)
}

struct Columns<'a> {
    language: &'a str,
    all: Vec<SurveyVariable>,
    codes: HashSet<String>,
}

impl Columns<'_> {
    fn add_question(&mut self, element: &SurveyElement, rules: &DisplayRules) {
        let Some((kind, data_type)) = kind(element) else { return };
        let code = element.code.clone().unwrap_or_else(|| format!("Q{}", element.id));
        let question = SurveyVariable {
            code: code.clone(),
            data_type,
            question_code: code,
            kind,
            question: self.text(element.text.as_deref()),
            not_available: self.not_available(
                element.has_not_available_choice,
                element.not_available_choice_text.as_deref(),
            ),
            required: element.force_response == Some(true),
            shown_if: rules.shared(),
            ..SurveyVariable::default()
        };
        match &element.element_type {
            ElementType::MultipleChoice => self.add_multiple_choice(element, &question, rules),
            ElementType::Matrix => self.add_matrix(element, &question, rules),
            ElementType::RankOrder | ElementType::ImplicitAssociation => {
                let choices = choices(element);
                let range = match &element.element_type {
                    ElementType::RankOrder => ranks(element.number_of_ranks, choices.len()),
                    _ => AnswerRange::default(),
                };
                for row in choices {
                    let mut variable = question.part(&row.code);
                    variable.row = Some(self.text(Some(&row.text)));
                    variable.range = range;
                    self.add(variable);
                }
            }
            ElementType::SemanticDifferential => {
                for row in element.rows.as_deref().unwrap_or_default() {
                    let mut variable = question.part(&row.code);
                    variable.row = Some(self.text(Some(&row.left_text)));
                    self.add(variable);
                }
            }
            _ => self.add_single(element, question, rules),
        }
    }

    fn add_single(&mut self, element: &SurveyElement, mut question: SurveyVariable, rules: &DisplayRules) {
        let choices = choices(element);
        question.values = self.labels(choices);
        question.range = match &element.element_type {
            ElementType::Slider => AnswerRange {
                min: element.min_value.map(to_float),
                max: element.max_value.map(to_float),
                decimals: element.max_decimals,
                ..AnswerRange::default()
            },
            ElementType::OpenQuestion => AnswerRange {
                characters: element
                    .extra
                    .get("charactersLimit")
                    .and_then(|limit| characters(limit.read().ok()?)),
                ..validated(element.content_validation.as_ref())
            },
            ElementType::Date => validated(element.content_validation.as_ref()),
            _ => AnswerRange::default(),
        };
        self.add(question.clone());
        for choice in choices {
            self.add_text_entry(&question.part(&choice.code), (&question.code, &choice.code), choice, rules);
        }
    }

    fn add_multiple_choice(
        &mut self,
        element: &SurveyElement,
        question: &SurveyVariable,
        rules: &DisplayRules,
    ) {
        let limit = |limit: Option<i64>| limit.filter(|_| element.min_max_validation == Some(true));
        for choice in choices(element) {
            let rules = rules.and(choice.condition.as_ref(), &choice.extra);
            let mut variable = question.part(&choice.code);
            variable.choice = Some(self.text(Some(&choice.text)));
            variable.values = yes_and_no();
            variable.exclusive = choice.exclusive;
            variable.shown_if = rules.shared();
            let code = self.add(variable.clone());
            self.add_text_entry(&variable, (&code, "1"), choice, &rules);
        }
        let mut count = question.part("_count");
        count.role = VariableRole::Count;
        count.not_available = None;
        count.range = AnswerRange {
            min: limit(element.minimum_checked_choices).map(to_float),
            max: limit(element.maximum_checked_choices).map(to_float),
            decimals: Some(0),
            ..AnswerRange::default()
        };
        self.add(count);
    }

    fn add_matrix(&mut self, element: &SurveyElement, question: &SurveyVariable, rules: &DisplayRules) {
        let groups = element.column_groups.as_deref().unwrap_or_default();
        let begin = self.all.len();
        let single = groups.iter().filter(|group| !has_column_answers(group)).count();
        for group in groups {
            let rules = rules.and(group.condition.as_ref(), &group.extra);
            let mut cell = question.clone();
            let own = self.not_available(
                Some(group.has_not_available_choice),
                group.not_available_choice_text.as_deref(),
            );
            cell.not_available = own.or(cell.not_available);
            for row in choices(element) {
                let rules = rules.and(row.condition.as_ref(), &row.extra);
                cell.row = Some(self.text(Some(&row.text)));
                cell.shown_if = rules.shared();
                if has_column_answers(group) {
                    self.add_cells(&cell, group, &row.code);
                } else {
                    let name =
                        if single > 1 { format!("{}_{}", row.code, group.id) } else { row.code.clone() };
                    self.add_row(&cell.part(&name), group);
                }
            }
        }
        for row in choices(element).iter().filter(|row| row.allow_text_entry) {
            let rules = rules.and(row.condition.as_ref(), &row.extra);
            let mut entry = question.part(&row.code);
            entry.row = Some(self.text(Some(&row.text)));
            let of = self.all[begin..].iter().find(|known| known.row == entry.row);
            let Some(of) = of.map(|known| known.code.clone()) else { continue };
            self.add_text_entry(&entry, (&of, ""), row, &rules);
        }
    }

    /// A row with one answer.
    fn add_row(&mut self, row: &SurveyVariable, group: &ColumnGroup) {
        let mut row = row.clone();
        if group.choice_type == ChoiceType::StarScale {
            let stars = i64::try_from(group.choices.len()).unwrap_or(0);
            let most = if stars > 1 { stars } else { STARS };
            row.range = AnswerRange {
                min: Some(1.0),
                max: Some(to_float(most)),
                decimals: Some(0),
                ..AnswerRange::default()
            };
        } else {
            row.values = self.labels(&group.choices);
            row.data_type = number_or_text(&group.choices);
        }
        self.add(row);
    }

    /// A row with an answer in each column.
    fn add_cells(&mut self, row: &SurveyVariable, group: &ColumnGroup, row_code: &str) {
        for column in &group.choices {
            let mut cell = row.part(&format!("{row_code}_{}", column.code));
            if self.codes.contains(&cell.code) {
                cell = row.part(&format!("{row_code}_{}_{}", group.id, column.code));
            }
            cell.choice = Some(self.text(Some(&column.text)));
            if group.choice_type == ChoiceType::Text {
                cell.data_type = validated_type(column.content_validation.as_ref());
                cell.range = validated(column.content_validation.as_ref());
            } else {
                cell.values = yes_and_no();
                cell.exclusive = column.exclusive;
            }
            self.add(cell);
        }
    }

    /// The column of the text beside a choice, or beside a row of a matrix, if there is one.
    fn add_text_entry(
        &mut self,
        choice_column: &SurveyVariable,
        (column, value): (&str, &str),
        choice: &Choice,
        rules: &DisplayRules,
    ) {
        if !choice.allow_text_entry {
            return;
        }
        let mut entry = choice_column.clone();
        entry.code = format!("{}_text", choice_column.code);
        entry.data_type = validated_type(choice.content_validation.as_ref());
        entry.range = validated(choice.content_validation.as_ref());
        entry.values = Vec::new();
        entry.not_available = None;
        entry.exclusive = false;
        entry.required = choice.force_input;
        entry.shown_if = rules.shared();
        // A label of its own: the choice's label names the choice.
        let text = format!("{} (text)", self.text(Some(&choice.text)));
        if entry.row.is_some() {
            entry.row = Some(text);
        } else {
            entry.choice = Some(text);
        }
        entry.role = VariableRole::TextBeside { column: column.to_owned(), value: value.to_owned() };
        self.add(entry);
    }

    /// Adds a column, and returns its code.
    fn add(&mut self, variable: SurveyVariable) -> String {
        let code = variable.code.clone();
        self.codes.insert(code.clone());
        self.all.push(variable);
        code
    }

    fn labels(&self, choices: &[Choice]) -> Vec<(String, String)> {
        choices.iter().map(|choice| (choice.code.clone(), self.text(Some(&choice.text)))).collect()
    }

    fn text(&self, texts: Option<&[Translation]>) -> String {
        label(texts, self.language)
    }

    fn not_available(&self, is_offered: Option<bool>, texts: Option<&[Translation]>) -> Option<String> {
        (is_offered == Some(true)).then(|| not_available_text(texts, self.language))
    }
}

/// The stars of a scale that does not say how many it has.
const STARS: i64 = 5;

/// The ranks of as many choices: as many as the question wants, or one for each choice.
fn ranks(wanted: Option<i64>, choices: usize) -> AnswerRange {
    let choices = i64::try_from(choices).unwrap_or(i64::MAX);
    let most = wanted.filter(|wanted| (1..=choices).contains(wanted)).unwrap_or(choices);
    AnswerRange { min: Some(1.0), max: Some(to_float(most)), decimals: Some(0), ..AnswerRange::default() }
}

fn choices(element: &SurveyElement) -> &[Choice] {
    element.choices.as_deref().unwrap_or_default()
}

fn yes_and_no() -> Vec<(String, String)> {
    vec![("0".to_owned(), "No".to_owned()), ("1".to_owned(), "Yes".to_owned())]
}

/// Whether each column of a group has an answer of its own, instead of each row.
fn has_column_answers(group: &ColumnGroup) -> bool {
    matches!(group.choice_type, ChoiceType::Text | ChoiceType::Multiple)
}

#[allow(clippy::cast_precision_loss)] // limits of a slider
fn to_float(number: i64) -> f64 {
    number as f64
}

fn validated_type(validation: Option<&ContentValidation>) -> &'static str {
    match validation.map(|validation| &validation.validation_type) {
        Some(ContentValidationType::Number) => "Number",
        Some(ContentValidationType::Real) => "Real",
        Some(ContentValidationType::Date) => "Date",
        _ => "String",
    }
}

fn validated(validation: Option<&ContentValidation>) -> AnswerRange {
    validation.map_or_else(AnswerRange::default, |validation| AnswerRange {
        min: validation.min_value,
        max: validation.max_value,
        decimals: validation.decimal_places,
        characters: None,
        earliest: validation.earliest_date.as_deref().and_then(date),
        latest: validation.latest_date.as_deref().and_then(date),
    })
}

/// The most characters of a text; `None` for a limit that is not understood.
pub(crate) fn characters(limit: Option<i64>) -> Option<usize> {
    limit.and_then(|limit| usize::try_from(limit).ok()).filter(|limit| *limit > 0)
}

/// The day of a limit such as `2024-03-31` or `2024-03-31T00:00:00`; `None` for one that is not understood.
// API 5.5: its form is not known; the editor's exports have the second one.
pub(crate) fn date(limit: &str) -> Option<NaiveDate> {
    let day = limit.split('T').next()?;
    NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()
}

/// The type of the answers to a choice.
fn number_or_text(choices: &[Choice]) -> &'static str {
    if choices.iter().all(|choice| is_integer(&choice.code)) { "Number" } else { "String" }
}

/// Whether a code can be stored as a number: that would lose the zero of `01` and the sign of `+1`.
pub(crate) fn is_integer(code: &str) -> bool {
    code.parse::<i64>().is_ok_and(|number| number.to_string() == code)
}

/// The code plan's type of a question, and the type of its answers; none for elements without an answer.
fn kind(element: &SurveyElement) -> Option<(&'static str, &'static str)> {
    let chosen = number_or_text(choices(element));
    Some(match &element.element_type {
        ElementType::SingleChoice => ("SingleChoice", chosen),
        ElementType::Dropdown => ("Dropdown", chosen),
        ElementType::MultipleChoice => ("MultipleChoice", "Number"),
        ElementType::Slider => {
            ("Slider", if element.max_decimals.unwrap_or(0) > 0 { "Real" } else { "Number" })
        }
        ElementType::OpenQuestion => ("OpenQuestion", validated_type(element.content_validation.as_ref())),
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
