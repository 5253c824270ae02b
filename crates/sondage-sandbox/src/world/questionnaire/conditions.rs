//! The conditions under which a question is shown.
//!
//! The published definition has one `condition` for each element, the editor's files a list `conditions`. Each has an action: an
//! element that `Passes` is shown if its conditions hold, one that `Fails` if they do not.

use crate::filter::{CellKind, CellValue, ConditionSource, Filter, Identifier, Operator};
use crate::profile::Profile;
use crate::world::survey::{Interview, SurveyVariable, VariableRole};
use serde::Deserialize;
use serde_json::Value;
use sondage::model::{Condition, ConditionAction, ConditionDefinition, ConditionType, Conjunction, Extra};
use std::collections::HashMap;
use std::sync::Arc;

/// When something is shown: always, if there is no rule. The rules of a section, of its question and of that question's part are
/// lists of their own, and all of them have to allow it: an `Or` joins rules of one list.
#[derive(Clone, Debug, Default)]
pub(crate) struct DisplayRules(Vec<Vec<DisplayRule>>);

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
        let mut own = Vec::new();
        let stored = extra.get("conditions").and_then(|list| list.read::<Option<Vec<StoredRule>>>().ok());
        let stored = stored.flatten().unwrap_or_default();
        match (condition, stored.is_empty()) {
            (Some(condition), true) => own.push(DisplayRule {
                is_alternative: false,
                shown_if: condition.condition_action != ConditionAction::Fails,
                conditions: condition.elements.clone(),
            }),
            _ => own.extend(stored.into_iter().enumerate().map(|(at, rule)| DisplayRule {
                is_alternative: at > 0 && rule.conjunction.as_deref() == Some("Or"),
                shown_if: rule.condition_action != "Fails",
                conditions: rule.elements,
            })),
        }
        rules.0.extend(Some(own).filter(|own| !own.is_empty()));
        rules
    }

    pub(super) fn shared(&self) -> Arc<Self> {
        Arc::new(self.clone())
    }

    /// The rules for the columns of a survey. `asked`: how many of them come before what is shown. The others have no answer yet.
    pub(super) fn compile(
        &self,
        columns: &ColumnIndex<'_>,
        asked: usize,
        profile: &Profile,
    ) -> CompiledRules {
        let test = |condition: &Condition| Test::new(condition, columns, asked, profile);
        let compiled = |rule: &DisplayRule| CompiledRule {
            is_alternative: rule.is_alternative,
            shown_if: rule.shown_if,
            tests: rule.conditions.iter().filter_map(test).collect(),
        };
        let conditions = self.0.iter().flatten().map(|rule| rule.conditions.len()).sum::<usize>();
        let levels: Vec<Vec<CompiledRule>> =
            self.0.iter().map(|level| level.iter().map(compiled).collect()).collect();
        let tests = levels.iter().flatten().map(|rule| rule.tests.len()).sum::<usize>();
        CompiledRules { levels, is_whole: tests == conditions }
    }

    /// What decides, for a person to read.
    pub(super) fn names(&self) -> String {
        names_in(self.0.iter().flatten())
    }
}

/// What decides in several rules, for a person to read.
pub(super) fn names_of_all<const N: usize>(rules: [&DisplayRules; N]) -> String {
    names_in(rules.into_iter().flat_map(|rules| rules.0.iter().flatten()))
}

fn names_in<'a>(rules: impl Iterator<Item = &'a DisplayRule>) -> String {
    let name = |condition: &Condition| {
        let is_custom = condition.condition_type == ConditionType::CustomVariable;
        format!("{}{}", if is_custom { "custom." } else { "" }, condition.identifier.trim())
    };
    let mut names: Vec<String> = rules.flat_map(|rule| &rule.conditions).map(name).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

/// The columns of a survey by their names.
pub(crate) struct ColumnIndex<'a> {
    variables: &'a [SurveyVariable],
    columns: HashMap<&'a str, usize>,
    /// The columns with answers of each question.
    questions: HashMap<&'a str, Vec<usize>>,
    /// The first of all columns of each question, and the one after the last.
    bounds: HashMap<&'a str, (usize, usize)>,
}

impl<'a> ColumnIndex<'a> {
    pub(crate) fn new(variables: &'a [SurveyVariable]) -> Self {
        #[cfg(test)]
        tests::count(variables.len());
        let (mut columns, mut questions) = (HashMap::new(), HashMap::<_, Vec<usize>>::new());
        let mut bounds = HashMap::new();
        for (at, variable) in variables.iter().enumerate() {
            columns.entry(variable.code.as_str()).or_insert(at);
            bounds.entry(variable.question_code.as_str()).or_insert((at, at)).1 = at + 1;
            // How many choices there are, and what was written beside one, is no answer to the question.
            if variable.role == VariableRole::Answer {
                questions.entry(variable.question_code.as_str()).or_default().push(at);
            }
        }
        Self { variables, columns, questions, bounds }
    }

    pub(crate) fn column(&self, code: &str) -> Option<&'a SurveyVariable> {
        self.columns.get(code).map(|at| &self.variables[*at])
    }

    /// The columns that a condition names: one, or those of a whole question.
    pub(crate) fn named(&self, name: &str) -> &[usize] {
        match self.columns.get(name) {
            Some(at) => std::slice::from_ref(at),
            None => self.questions.get(name).map(Vec::as_slice).unwrap_or_default(),
        }
    }

    /// The columns of a question: the first one, and the one after the last.
    pub(crate) fn question(&self, code: &str) -> Option<(usize, usize)> {
        self.bounds.get(code).copied()
    }

    /// How many columns have an answer when it is decided whether a column is shown: those before it, but of choices that are ticked or
    /// ranked together none.
    pub(super) fn asked_before(&self, column: usize) -> usize {
        let own = &self.variables[column];
        if own.role != VariableRole::Answer || !(own.is_ticked() || own.is_ranked()) {
            return column;
        }
        let is_together = |other: &&SurveyVariable| {
            other.question_code == own.question_code && (own.kind != "Matrix" || other.row == own.row)
        };
        column - self.variables[..column].iter().rev().take_while(is_together).count()
    }
}

impl SurveyVariable {
    /// What is said of an answer to a question that is not shown.
    pub(crate) fn not_asked(&self) -> String {
        format!(
            "this question is not shown to somebody with these answers; what decides is {}: leave the answer out or change what decides, \
             or set `acceptedAnswers` of the profile to `alsoNotAsked`",
            self.shown_if.names()
        )
    }
}

/// Why a condition of a rule is not evaluated, and is taken as fulfilled; `None` if it is evaluated.
pub(crate) fn not_evaluated(condition: &Condition, columns: &ColumnIndex<'_>) -> Option<&'static str> {
    let operator = condition.condition_operator.as_str();
    match () {
        () if !matches!(condition.conjunction, Conjunction::And | Conjunction::Or) => {
            Some("a conjunction that is not known: its condition is taken as fulfilled")
        }
        () if Operator::parse(operator).is_none() => {
            Some("a condition with an operator that is not known, and is taken as fulfilled")
        }
        () if Test::new(condition, columns, usize::MAX, &Profile::default()).is_some() => None,
        () if operator.contains("Regex") => {
            Some("a regular expression that cannot be read: its condition is taken as fulfilled")
        }
        () => Some("a condition whose value cannot be compared, and is taken as fulfilled"),
    }
}

/// Whether a rule in the editor's form is understood.
pub(super) fn is_readable(rule: &Value) -> bool {
    StoredRule::deserialize(rule).is_ok()
}

/// What of a rule in the editor's form is taken as something else.
pub(crate) fn misread(rule: &Value) -> Option<&'static str> {
    if !is_readable(rule) {
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
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoredRule {
    condition_action: String,
    #[serde(default)]
    conjunction: Option<String>,
    #[serde(default)]
    elements: Vec<Condition>,
}

/// The rules of one variable, for the columns of a survey.
pub(super) struct CompiledRules {
    levels: Vec<Vec<CompiledRule>>,
    is_whole: bool,
}

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
    /// The answer in a column; none, if it is asked later.
    Answer(Option<usize>),
    /// Any of the answers to a question of several columns; of a column that is ticked, the code of its choice.
    AnyAnswer(Vec<(usize, Option<String>)>),
    Custom(String),
    Url(String),
    Language,
}

impl CompiledRules {
    /// Whether each of its conditions is evaluated.
    pub(super) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Whether the question is shown to somebody who has given these answers. Of two groups that are joined by `Or`, one suffices.
    pub(super) fn hold(&self, interview: &Interview, answers: &[Value]) -> bool {
        self.levels.iter().all(|level| {
            let mut groups: Vec<bool> = Vec::new();
            for rule in level {
                let holds = rule.tests.is_empty() || rule.holds(interview, answers) == rule.shown_if;
                join(&mut groups, rule.is_alternative, holds);
            }
            groups.contains(&true)
        })
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
    fn new(
        condition: &Condition,
        columns: &ColumnIndex<'_>,
        asked: usize,
        profile: &Profile,
    ) -> Option<Self> {
        let filters = condition.identifier.split(',').map(|name| {
            let mut part = condition.clone();
            name.trim().clone_into(&mut part.identifier);
            (part.json_value, part.json_path) = (None, None);
            if part.condition_type == ConditionType::Language {
                part.condition_type = ConditionType::SQL;
                "Language".clone_into(&mut part.identifier);
            }
            Filter::compile(&[part], profile, |identifier| resolve(identifier, columns, asked)).ok()
        });
        let filters = filters.collect::<Option<Vec<_>>>()?;
        Some(Self { is_alternative: condition.conjunction == Conjunction::Or, filters })
    }
}

fn resolve(
    identifier: Identifier<'_>,
    columns: &ColumnIndex<'_>,
    asked: usize,
) -> Option<(Operand, CellKind)> {
    let name = identifier.name;
    match identifier.source {
        ConditionSource::Question => {
            let named = columns.named(name);
            let first = &columns.variables[*named.first()?];
            if columns.columns.contains_key(name) {
                let kind = CellKind::of_variable(first.data_type)?;
                return Some((Operand::Answer(named.first().copied().filter(|at| *at < asked)), kind));
            }
            let ticked = |at: usize| columns.variables[at].choice_code().map(str::to_owned);
            let kind =
                if first.is_ticked() { Some(CellKind::Text) } else { CellKind::of_variable(first.data_type) };
            let before = named.iter().filter(|at| **at < asked);
            Some((Operand::AnyAnswer(before.map(|at| (*at, ticked(*at))).collect()), kind?))
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
            Self::Answer(column) => {
                column.and_then(|column| answers.get(column)).map_or(CellValue::Null, CellValue::json)
            }
            Self::AnyAnswer(columns) => {
                let given =
                    columns.iter().map(|(at, ticked)| (answers.get(*at).unwrap_or(&Value::Null), ticked));
                let given: Vec<CellValue<'_>> = given
                    .filter(|(answer, ticked)| ticked.is_none() || **answer != 0)
                    .map(|(answer, ticked)| match ticked {
                        Some(code) if *answer == 1 => CellValue::Text(code.clone().into()),
                        _ => CellValue::json(answer),
                    })
                    .collect();
                // Without any answer the question has none, however many rows it has.
                let is_answered = given.iter().any(|answer| !answer.is_empty());
                CellValue::List(if is_answered { given } else { Vec::new() })
            }
            Self::Custom(name) => text(interview.custom.get(name)),
            Self::Url(name) => text(interview.url.get(name)),
            Self::Language => text(interview.language.as_ref()),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::own_survey;
    use serde_json::{Value, json};
    use std::cell::Cell;

    thread_local! {
        /// How many columns were looked at to find those of conditions.
        static COUNTED: Cell<usize> = const { Cell::new(0) };
    }

    pub(super) fn count(columns: usize) {
        COUNTED.with(|counted| counted.set(counted.get() + columns));
    }

    /// Each condition used to look for its column among all: a questionnaire of 30 MB took 40 seconds.
    #[test]
    fn conditions_of_a_large_questionnaire_cost_a_look_at_each_column() {
        let counted = |questions: usize| {
            let element = |number: usize| {
                let condition = json!({ "conjunction": "And", "conditionType": "Question", "identifier": "q0",
                                        "conditionOperator": "IsNotEmpty", "value": "" });
                json!({ "id": number, "elementType": "OpenQuestion", "code": format!("q{number}"), "text": [],
                        "conditions": [{ "conditionAction": "Passes", "conjunction": "And", "elements": [condition] }] })
            };
            let whole = json!({
                "allowMultipleParticipation": false, "allowNavigateBack": true, "randomizeSections": false,
                "codeAccessMode": "None", "defaultLanguage": "en", "languages": ["en"], "customVariables": [], "surveyEndText": [],
                "sections": [{ "id": 1, "name": "S", "randomizePages": false, "excludeFromRandomization": false,
                               "elements": (0..questions).map(element).collect::<Value>() }],
            });
            COUNTED.with(|counted| counted.set(0));
            own_survey::questionnaire(&whole.to_string()).unwrap();
            COUNTED.with(Cell::get)
        };
        assert_eq!((counted(100), counted(400)), (100, 400));
    }
}
