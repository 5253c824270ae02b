//! The conditions under which a question is shown.
//!
//! The published definition has one `condition` for each element, the editor's files a list `conditions`. Each has an action: an
//! element that `Passes` is shown if its conditions hold, one that `Fails` if they do not.

use crate::filter::{CellKind, CellValue, ConditionSource, Filter, Identifier, Operator};
use crate::profile::Profile;
use crate::world::survey::{Interview, SurveyVariable};
use serde_json::Value;
use sondage::model::{Condition, ConditionAction, ConditionDefinition, ConditionType, Conjunction, Extra};
use std::sync::Arc;

/// When something is shown: always, if there is no rule.
#[derive(Clone, Debug, Default)]
pub(crate) struct DisplayRules(Vec<DisplayRule>);

/// Conditions and what they decide.
#[derive(Clone, Debug)]
pub(crate) struct DisplayRule {
    is_alternative: bool,
    shown_if: bool,
    conditions: Vec<Condition>,
}

impl DisplayRules {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// These rules and those of a part: both have to allow it.
    pub(super) fn and(&self, condition: Option<&ConditionDefinition>, extra: &Extra) -> Self {
        let mut rules = self.clone();
        let stored = extra.get("conditions").and_then(|list| list.read::<Option<Vec<StoredRule>>>().ok());
        let stored = stored.flatten().unwrap_or_default();
        match (condition, stored.is_empty()) {
            (Some(condition), true) => rules.0.push(DisplayRule {
                is_alternative: false,
                shown_if: condition.condition_action != ConditionAction::Fails,
                conditions: condition.elements.clone(),
            }),
            _ => rules.0.extend(stored.into_iter().enumerate().map(|(at, rule)| DisplayRule {
                is_alternative: at > 0 && rule.conjunction.as_deref() == Some("Or"),
                shown_if: rule.condition_action != "Fails",
                conditions: rule.elements,
            })),
        }
        rules
    }

    pub(super) fn shared(&self) -> Arc<Self> {
        Arc::new(self.clone())
    }

    /// The rules for the columns of a survey.
    pub(super) fn compile(&self, variables: &[SurveyVariable], profile: &Profile) -> CompiledRules {
        CompiledRules(
            self.0
                .iter()
                .map(|rule| CompiledRule {
                    is_alternative: rule.is_alternative,
                    shown_if: rule.shown_if,
                    tests: rule
                        .conditions
                        .iter()
                        .filter_map(|condition| Test::new(condition, variables, profile))
                        .collect(),
                })
                .collect(),
        )
    }
}

impl SurveyVariable {
    /// What is said of an answer to a question that is not shown.
    pub(crate) fn not_asked(&self) -> String {
        let conditions = self.shown_if.0.iter().flat_map(|rule| &rule.conditions);
        let mut names: Vec<&str> = conditions.map(|condition| condition.identifier.trim()).collect();
        names.sort_unstable();
        names.dedup();
        format!(
            "this question is not shown to somebody with these answers; what decides is {}: leave the answer out or change what decides, \
             or set `acceptedAnswers` of the profile to `alsoNotAsked`",
            names.join(", ")
        )
    }
}

/// Why a condition of a rule is not evaluated, and is taken as fulfilled; `None` if it is evaluated.
pub(crate) fn not_evaluated(condition: &Condition, variables: &[SurveyVariable]) -> Option<&'static str> {
    let operator = condition.condition_operator.as_str();
    match () {
        () if !matches!(condition.conjunction, Conjunction::And | Conjunction::Or) => {
            Some("a conjunction that is not known: its condition is taken as fulfilled")
        }
        () if Operator::parse(operator).is_none() => {
            Some("a condition with an operator that is not known, and is taken as fulfilled")
        }
        () if Test::new(condition, variables, &Profile::default()).is_some() => None,
        () if operator.contains("Regex") => {
            Some("a regular expression that cannot be read: its condition is taken as fulfilled")
        }
        () => Some("a condition whose value cannot be compared, and is taken as fulfilled"),
    }
}

/// What of a rule in the editor's form is taken as something else.
pub(crate) fn misread(rule: &Value) -> Option<&'static str> {
    if serde_json::from_value::<StoredRule>(rule.clone()).is_err() {
        return Some("conditions in a form that is not known, which are not evaluated");
    }
    if !["Passes", "Fails"].iter().any(|known| rule["conditionAction"] == *known) {
        return Some("an action of conditions that is not known, and is taken as Passes");
    }
    let is_known =
        rule["conjunction"].is_null() || rule["conjunction"] == "And" || rule["conjunction"] == "Or";
    (!is_known).then_some("a conjunction of conditions that is not known, and is taken as And")
}

/// A rule as the editor's files have it.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredRule {
    condition_action: String,
    #[serde(default)]
    conjunction: Option<String>,
    #[serde(default)]
    elements: Vec<Condition>,
}

/// The rules of one variable, for the columns of a survey.
pub(super) struct CompiledRules(Vec<CompiledRule>);

struct CompiledRule {
    is_alternative: bool,
    shown_if: bool,
    tests: Vec<Test>,
}

/// One condition, for each of the columns that it names: any of them may hold.
struct Test {
    is_alternative: bool,
    filters: Vec<Filter<Operand>>,
}

/// What a condition compares.
enum Operand {
    Answers(Vec<usize>),
    Custom(String),
    Url(String),
    Language,
}

impl CompiledRules {
    /// Whether the question is shown to somebody who has given these answers. Of two groups that are joined by `Or`, one suffices.
    pub(super) fn hold(&self, interview: &Interview, answers: &[Value]) -> bool {
        let mut groups: Vec<bool> = Vec::new();
        for rule in &self.0 {
            let holds = rule.tests.is_empty() || rule.holds(interview, answers) == rule.shown_if;
            join(&mut groups, rule.is_alternative, holds);
        }
        groups.is_empty() || groups.contains(&true)
    }
}

impl CompiledRule {
    fn holds(&self, interview: &Interview, answers: &[Value]) -> bool {
        let mut groups: Vec<bool> = Vec::new();
        for test in &self.tests {
            let holds =
                test.filters.iter().any(|filter| filter.matches(|operand| operand.cell(interview, answers)));
            join(&mut groups, test.is_alternative, holds);
        }
        groups.contains(&true)
    }
}

/// Adds a part to the last group, or begins another one: `And` binds more strongly than `Or`.
fn join(groups: &mut Vec<bool>, is_alternative: bool, holds: bool) {
    match groups.last_mut() {
        Some(group) if !is_alternative => *group = *group && holds,
        _ => groups.push(holds),
    }
}

impl Test {
    /// `None` for a condition that the sandbox cannot evaluate, such as one on a calculation: it is taken as fulfilled.
    fn new(condition: &Condition, variables: &[SurveyVariable], profile: &Profile) -> Option<Self> {
        let filters = condition.identifier.split(',').map(|name| {
            let mut part = condition.clone();
            name.trim().clone_into(&mut part.identifier);
            (part.json_value, part.json_path) = (None, None);
            if part.condition_type == ConditionType::Language {
                part.condition_type = ConditionType::SQL;
                "Language".clone_into(&mut part.identifier);
            }
            Filter::compile(&[part], profile, |identifier| resolve(identifier, variables)).ok()
        });
        let filters = filters.collect::<Option<Vec<_>>>()?;
        Some(Self { is_alternative: condition.conjunction == Conjunction::Or, filters })
    }
}

fn resolve(identifier: Identifier<'_>, variables: &[SurveyVariable]) -> Option<(Operand, CellKind)> {
    let name = identifier.name;
    match identifier.source {
        ConditionSource::Question => {
            let named = |test: fn(&SurveyVariable) -> &str| -> Vec<usize> {
                let numbered = variables.iter().enumerate();
                numbered.filter(|(_, variable)| test(variable) == name).map(|(at, _)| at).collect()
            };
            let columns = Some(named(|variable| &variable.code)).filter(|columns| !columns.is_empty());
            let columns = columns.unwrap_or_else(|| named(|variable| &variable.question_code));
            let kind = CellKind::of_variable(variables.get(*columns.first()?)?.data_type)?;
            Some((Operand::Answers(columns), kind))
        }
        ConditionSource::CustomVariable => Some((Operand::Custom(name.to_owned()), CellKind::Text)),
        ConditionSource::UrlVariable => Some((Operand::Url(name.to_owned()), CellKind::Text)),
        ConditionSource::Sql if name == "Language" => Some((Operand::Language, CellKind::Tag)),
        ConditionSource::Sql | ConditionSource::Panel => None,
    }
}

impl Operand {
    fn cell<'a>(&self, interview: &'a Interview, answers: &'a [Value]) -> CellValue<'a> {
        let text = |text: Option<&'a String>| text.map_or(CellValue::Null, |text| CellValue::text(text));
        match self {
            Self::Answers(columns) => match columns.as_slice() {
                [column] => answers.get(*column).map_or(CellValue::Null, CellValue::json),
                columns => CellValue::List(
                    columns.iter().filter_map(|column| answers.get(*column)).map(CellValue::json).collect(),
                ),
            },
            Self::Custom(name) => text(interview.custom.get(name)),
            Self::Url(name) => text(interview.url.get(name)),
            Self::Language => text(interview.language.as_ref()),
        }
    }
}
