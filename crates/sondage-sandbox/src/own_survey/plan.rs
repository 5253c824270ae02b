//! A code plan in the service's format: the list `codePlan` of a response, or the whole response.

use super::json_text::{self, JsonText};
use super::wrong;
use crate::mistakes::Mistakes;
use crate::world::SurveyVariable;
use serde::de::{self, Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::io;
use std::path::Path;

const DATA_TYPES: &[&str] = &["Number", "Real", "String", "Date"];
const KINDS: &[&str] = &[
    "SingleChoice",
    "Dropdown",
    "MultipleChoice",
    "Slider",
    "OpenQuestion",
    "Date",
    "Email",
    "Matrix",
    "SemanticDifferential",
    "RankOrder",
    "ImplicitAssociation",
    "StarScale",
    "Nps",
];

/// The variables of a plan, in its order.
pub(super) fn read(path: &Path) -> io::Result<Vec<SurveyVariable>> {
    let JsonText { text, .. } = json_text::read(path)?;
    let text = text.trim_start_matches('\u{feff}');
    let entries = if text.trim_start().starts_with('[') {
        serde_json::from_str::<Vec<&RawValue>>(text)
    } else {
        serde_json::from_str::<WholeResponse<'_>>(text).map(|whole| whole.code_plan)
    };
    let entries = entries.map_err(|error| wrong(path, format_args!("is not a code plan: {error}")))?;
    let (mut codes, mut variables, mut mistakes) = (HashSet::new(), Vec::new(), Mistakes::default());
    for (number, raw) in entries.into_iter().enumerate() {
        let entry = match serde_json::from_str::<PlanEntry>(raw.get()) {
            Ok(entry) => entry,
            Err(error) => {
                mistakes
                    .add(format!("is not a code plan: codePlan[{number}]: {}", placed(&error, text, raw)));
                continue;
            }
        };
        if entry.code.is_empty() {
            mistakes.add(format!("codePlan[{number}].code is empty: each column needs a name"));
        } else if !codes.insert(entry.code.clone()) {
            let code = &entry.code;
            mistakes
                .add(format!("codePlan[{number}]: the code plan has the column {code:?} twice: remove one"));
        }
        variables.push(entry.variable());
    }
    mistakes.text().map_or(Ok(variables), |text| Err(wrong(path, text)))
}

/// An error in a part of a text, with its place in the whole.
fn placed(error: &serde_json::Error, text: &str, part: &RawValue) -> String {
    let own_place = format!(" at line {} column {}", error.line(), error.column());
    let said = error.to_string();
    let said = said.strip_suffix(&own_place).unwrap_or(&said);
    let start = part.get().as_ptr() as usize - text.as_ptr() as usize;
    let before = text.get(..start).unwrap_or_default();
    let in_line = before.len() - before.rfind('\n').map_or(0, |end| end + 1);
    let column = error.column() + if error.line() == 1 { in_line } else { 0 };
    format!("{said} at line {} column {column}", before.matches('\n').count() + error.line())
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct WholeResponse<'a> {
    #[serde(borrow)]
    code_plan: Vec<&'a RawValue>,
}

/// The contract's `SurveyMetadataItem`. Unknown fields are ignored, because a response may have more.
#[derive(serde::Deserialize)]
#[serde(rename_all = "camelCase")]
struct PlanEntry {
    code: String,
    data_type: PlanDataType,
    r#type: PlanKind,
    #[serde(default)]
    question_code: Option<String>,
    #[serde(default)]
    question: Option<String>,
    #[serde(default)]
    row: Option<String>,
    #[serde(default)]
    choice: Option<String>,
    #[serde(default)]
    values: Option<Vec<PlanLabel>>,
    #[serde(default)]
    section_name: Option<String>,
}

#[derive(serde::Deserialize)]
struct PlanLabel {
    id: PlanCode,
    value: String,
}

/// The service writes a code as text; a handwritten plan may contain a number.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum PlanCode {
    Text(String),
    Number(serde_json::Number),
}

impl PlanEntry {
    fn variable(self) -> SurveyVariable {
        let label = |PlanLabel { id, value }| match id {
            PlanCode::Text(code) => (code, value),
            PlanCode::Number(code) => (code.to_string(), value),
        };
        SurveyVariable {
            data_type: self.data_type.0,
            question_code: self.question_code.unwrap_or_else(|| self.code.clone()),
            kind: self.r#type.0,
            question: self.question.unwrap_or_default(),
            row: self.row,
            choice: self.choice,
            values: self.values.into_iter().flatten().map(label).collect(),
            section: self.section_name.unwrap_or_default(),
            code: self.code,
            ..SurveyVariable::default()
        }
    }
}

/// One of [`DATA_TYPES`].
struct PlanDataType(&'static str);

impl<'de> Deserialize<'de> for PlanDataType {
    fn deserialize<D: Deserializer<'de>>(text: D) -> Result<Self, D::Error> {
        one_of(text, DATA_TYPES).map(Self)
    }
}

/// One of [`KINDS`].
struct PlanKind(&'static str);

impl<'de> Deserialize<'de> for PlanKind {
    fn deserialize<D: Deserializer<'de>>(text: D) -> Result<Self, D::Error> {
        one_of(text, KINDS).map(Self)
    }
}

fn one_of<'de, D: Deserializer<'de>>(
    text: D,
    known: &'static [&'static str],
) -> Result<&'static str, D::Error> {
    let text = String::deserialize(text)?;
    let variant = known.iter().find(|known| **known == text);
    variant.copied().ok_or_else(|| de::Error::unknown_variant(&text, known))
}
