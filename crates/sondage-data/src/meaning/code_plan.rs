//! The code plan of a survey: the question behind each column, and the labels of its codes.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use sondage::internals::call::place;
use sondage::internals::readable::Readable;
use sondage::internals::title;

use super::Wanted;
use super::language::VariableTexts;
use super::loose::{Loose, elements};
use super::words::QuestionKind;
use crate::decode::replaced::Replaced;
use crate::error::Warning;

/// The metadata of one column. If a panel definition is used instead of a code plan, a variable is a field.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Variable {
    /// The column's name in the data.
    pub code: String,
    /// The data type, in the service's terms, which are not published for code plans.
    pub data_type: Option<String>,
    /// The code of the question, when several columns share one.
    pub question_code: Option<String>,
    /// The type of question, in the service's terms.
    pub question_type: Option<String>,
    /// The text of the question, or the display name of a field.
    pub question: Option<String>,
    /// The row of a matrix.
    pub row: Option<String>,
    /// The choice of a multiple choice question.
    pub choice: Option<String>,
    /// The section of the questionnaire, or the group of a field.
    pub section: Option<String>,
    /// Codes and their labels, in the questionnaire's order.
    pub values: Vec<ValueLabel>,
    /// Whether the question must be answered, if the questionnaire was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// The highest answer of a slider, if the questionnaire was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highest: Option<i64>,
    /// The answers that a slider or a checked number or date accepts, such as `0 to 100`, if the questionnaire was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// The texts in each language, if the questionnaire was read. Those of this variable are in one of them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub translations: BTreeMap<String, VariableTexts>,
    /// How many of the texts of this variable are in the language of the code plan, because the questionnaire does not have
    /// them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub untranslated: usize,
    /// The texts as the service has them, if these are without their markup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub original: Option<Box<VariableTexts>>,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What the label of a text beside a choice ends with.
pub(super) const TEXT_BESIDE: &str = " (text)";

/// The maximum number of entries in a code plan: more than a table has columns.
const MOST_ENTRIES: usize = 1 << 16;

/// The maximum number of warnings about one plan: more would only take memory.
const MOST_WARNINGS: usize = 1_000;

/// Keeps a warning, up to the maximum.
fn warn(warnings: &mut Vec<Warning>, warning: impl FnOnce() -> Warning) {
    if warnings.len() < MOST_WARNINGS {
        warnings.push(warning());
    }
}

/// A code that an answer can have, and its label. The names on the wire are `id` and `value`.
// API 6.2, published
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ValueLabel {
    /// The code, as text.
    #[serde(rename = "id")]
    pub code: String,
    /// The label.
    #[serde(rename = "value")]
    pub label: String,
}

impl Variable {
    /// Question, row and choice in one line; `None` if the plan has no text for the column.
    pub fn label(&self) -> Option<String> {
        let text = title([self.question.as_deref(), self.row.as_deref(), self.choice.as_deref()])?;
        // The choice's own label may say it.
        let says_it = || self.choice.as_ref().is_some_and(|choice| choice.ends_with(TEXT_BESIDE));
        let beside = if self.is_text_beside() && !says_it() { TEXT_BESIDE } else { "" };
        Some(text + beside)
    }

    /// Whether it is the text that somebody writes beside a choice, which has the label of that choice otherwise.
    fn is_text_beside(&self) -> bool {
        let is_text = matches!(self.wanted(), Some(Wanted::Text)) && self.code.ends_with("_text");
        is_text && self.choice.is_some() && !self.is_open()
    }

    pub(crate) fn wanted(&self) -> Option<Wanted> {
        Wanted::of(self.data_type.as_deref()?)
    }

    /// Whether the answers are numbers rather than choices: those of a slider, an NPS, or an open question about a number.
    pub(crate) fn is_numeric(&self) -> bool {
        let number = matches!(self.wanted(), Some(Wanted::Integer | Wanted::Number | Wanted::Real));
        match self.kind() {
            Some(QuestionKind::Scale) => number || self.data_type.is_none(),
            Some(QuestionKind::Open) => number,
            _ => false,
        }
    }

    /// Whether the answers are choices or points of a scale, so that the service stores a choice that is not available as a
    /// number among them. In an open question the same number may be an answer.
    pub(crate) fn is_closed(&self) -> bool {
        match self.kind() {
            Some(_) => !self.is_open(),
            // A type that is not known is of a question with choices: only those have the code.
            None => self.question_type.is_some() || !self.values.is_empty(),
        }
    }

    /// Whether a number is the code of a choice that is not available if it occurs, and not an answer that a slider offers.
    pub(crate) fn may_be_unavailable(&self, code: i64) -> bool {
        self.is_closed() && self.highest.is_none_or(|highest| highest < code)
    }

    /// Whether the answers are points on a scale of numbers.
    pub(crate) fn is_scale(&self) -> bool {
        self.kind() == Some(QuestionKind::Scale)
    }

    pub(crate) fn is_open(&self) -> bool {
        self.kind() == Some(QuestionKind::Open)
    }

    fn kind(&self) -> Option<QuestionKind> {
        QuestionKind::of(self.question_type.as_deref()?)
    }
}

/// The columns of a survey with their questions and labels, in the questionnaire's order.
#[derive(Debug, Clone, Default)]
pub struct CodePlan {
    variables: Vec<Arc<Variable>>,
    by_code: HashMap<String, usize>,
}

impl CodePlan {
    /// A plan of these variables. If several have the same code, the first counts.
    pub fn new(variables: impl IntoIterator<Item = Variable>) -> Self {
        let mut plan = CodePlan::default();
        for variable in variables {
            let _ = plan.add(variable);
        }
        plan
    }

    /// Reads the value of `codePlan`, as JSON.
    pub fn from_json(json: &str) -> Result<(Self, Vec<Warning>), serde_json::Error> {
        let Readable { text, replaced } = Readable::of(json.as_bytes());
        let raw: &RawValue = serde_json::from_slice(&text)?;
        let (plan, mut warnings) = Self::read(raw);
        if let Some(first) = replaced.first() {
            let mut replaced_texts = Replaced::default();
            replaced_texts.beside(replaced.len(), place::of(&text[..*first]));
            warnings.extend(replaced_texts.warnings("entry"));
        }
        Ok((plan.unwrap_or_default(), warnings))
    }

    /// Parses a plan, and returns warnings for the parts that could not be read. An empty plan counts as absent.
    pub(crate) fn read(raw: &RawValue) -> (Option<Self>, Vec<Warning>) {
        if raw.get() == "null" {
            return (None, Vec::new());
        }
        let Some(entries) = elements(raw) else {
            let warning = Warning::general(
                "the code plan is not a list; columns keep the types of their data and have no labels",
            );
            return (None, vec![warning]);
        };
        if entries.len() > MOST_ENTRIES {
            let warning = Warning::general(format!(
                "the code plan has more than {MOST_ENTRIES} entries; columns keep the types of their data and have no labels"
            ));
            return (None, vec![warning]);
        }
        let (mut plan, mut warnings) = (CodePlan::default(), Vec::new());
        for (i, entry) in entries.into_iter().enumerate() {
            let number = i + 1;
            match serde_json::from_str::<WireVariable<'_>>(entry.get())
                .ok()
                .and_then(|entry| entry.variable(&mut warnings))
            {
                None => {
                    warn(&mut warnings, || {
                        Warning::general(format!("entry {number} of the code plan names no column"))
                    });
                }
                Some(variable) => {
                    if let Err(code) = plan.add(variable) {
                        warn(&mut warnings, || {
                            Warning::new(&code, "the code plan has it twice; the first entry counts")
                        });
                    }
                }
            }
        }
        if warnings.len() == MOST_WARNINGS {
            warnings.push(Warning::general("the code plan has more errors; only the first ones are listed"));
        }
        ((!plan.variables.is_empty()).then_some(plan), warnings)
    }

    fn add(&mut self, variable: Variable) -> Result<(), String> {
        if self.by_code.contains_key(&variable.code) {
            return Err(variable.code);
        }
        self.by_code.insert(variable.code.clone(), self.variables.len());
        self.variables.push(Arc::new(variable));
        Ok(())
    }

    /// All variables, in the questionnaire's order.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = &Variable> {
        self.variables.iter().map(Arc::as_ref)
    }

    /// The variable of a column.
    pub fn get(&self, code: &str) -> Option<&Variable> {
        self.place(code).map(|place| &*self.variables[place])
    }

    pub(crate) fn shared_variables(&self) -> impl Iterator<Item = &Arc<Variable>> {
        self.variables.iter()
    }

    pub(crate) fn place(&self, code: &str) -> Option<usize> {
        self.by_code.get(code).copied()
    }

    /// These columns, and in place of the code of a question or the name of a matrix row of choices their columns.
    pub(crate) fn columns_of(&self, codes: &[String]) -> Vec<String> {
        let questions = self.questions();
        let of_question = |code: &String| {
            let own = self.by_code.contains_key(code);
            let columns =
                self.variables().filter(|variable| !own && variable.question_code.as_ref() == Some(code));
            let mut columns: Vec<String> = columns.map(|variable| variable.code.clone()).collect();
            if columns.is_empty() && !own {
                let row = questions.iter().find(|question| question.name == *code);
                columns = row.map(|row| row.columns.clone()).unwrap_or_default();
            }
            if columns.is_empty() { vec![code.clone()] } else { columns }
        };
        codes.iter().flat_map(of_question).collect()
    }

    pub(crate) fn shared(&self, code: &str) -> Option<&Arc<Variable>> {
        self.place(code).map(|place| &self.variables[place])
    }
}

/// An entry on the wire (`SurveyMetadataItem`).
// API 6.2, published
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WireVariable<'a> {
    code: Loose,
    data_type: Loose,
    question_code: Loose,
    r#type: Loose,
    question: Loose,
    row: Loose,
    choice: Loose,
    section_name: Loose,
    #[serde(borrow)]
    values: &'a RawValue,
}

impl Default for WireVariable<'_> {
    fn default() -> Self {
        WireVariable {
            code: Loose::default(),
            data_type: Loose::default(),
            question_code: Loose::default(),
            r#type: Loose::default(),
            question: Loose::default(),
            row: Loose::default(),
            choice: Loose::default(),
            section_name: Loose::default(),
            values: RawValue::NULL,
        }
    }
}

impl WireVariable<'_> {
    fn variable(self, warnings: &mut Vec<Warning>) -> Option<Variable> {
        let question_code = self.question_code.said();
        let code = self.code.said().or_else(|| question_code.clone())?;
        let pairs = elements(self.values).unwrap_or_default();
        let pairs = pairs.into_iter().map(|pair| serde_json::from_str(pair.get()).unwrap_or_default());
        let values = value_labels(&code, pairs.map(|Pair { id, value }| (id, value)), warnings);
        Some(Variable {
            code,
            data_type: self.data_type.said(),
            question_code,
            question_type: self.r#type.said(),
            question: self.question.said(),
            row: self.row.said(),
            choice: self.choice.said(),
            section: self.section_name.said(),
            values,
            ..Variable::default()
        })
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Pair {
    id: Loose,
    value: Loose,
}

/// Codes with their labels; a code without a label is its own label. If a code has several labels, the first counts.
pub(super) fn value_labels(
    column: &str,
    pairs: impl Iterator<Item = (Loose, Loose)>,
    warnings: &mut Vec<Warning>,
) -> Vec<ValueLabel> {
    let mut values: Vec<ValueLabel> = Vec::new();
    let mut codes = std::collections::HashSet::new();
    for (code, label) in pairs {
        let Some(code) = code.0 else {
            warn(warnings, || Warning::new(column, "a label without a code is left out"));
            continue;
        };
        if !codes.insert(code.clone()) {
            warn(warnings, || {
                Warning::new(column, format!("code {code} has several labels; the first one counts"))
            });
            continue;
        }
        let label = label.said().unwrap_or_else(|| code.clone());
        values.push(ValueLabel { code, label });
    }
    values
}
