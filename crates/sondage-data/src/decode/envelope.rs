//! The parts of a response other than its rows.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Deserialize;
use serde_json::value::RawValue;
use sondage::internals::call::place;
use sondage::internals::readable::Readable;

use super::chunk::{utf8, without_values};
use super::page::PayloadLayout;
use super::replaced::Replaced;
use crate::error::{DecodeError, Warning};
use crate::meaning::{CodePlan, Survey};

/// The maximum number of unknown top-level values. Responses with one or two are known.
const MOST_UNKNOWN: usize = 1_000;

/// The top-level values of a response.
#[derive(Debug, Clone, Default)]
pub(crate) struct EnvelopeValues {
    pub(crate) is_success: Option<bool>,
    pub(crate) error_code: Option<String>,
    pub(crate) error_message: Option<String>,
    pub(crate) total_count: Option<i64>,
    pub(crate) survey: Survey,
    pub(crate) code_plan: Option<CodePlan>,
    pub(crate) unknown: IndexMap<String, Box<RawValue>>,
    pub(crate) warnings: Vec<Warning>,
    /// Halves of characters.
    pub(crate) replaced: Replaced,
    /// The rows are `null`, which counts as an empty list.
    pub(crate) rows_null: bool,
}

impl EnvelopeValues {
    /// Reads one top-level value. Values that decide about success are read strictly; descriptive ones leniently, because
    /// no download should fail because of a label.
    pub(crate) fn read(
        &mut self,
        form: PayloadLayout,
        key: &str,
        bytes: &[u8],
        offset: u64,
    ) -> Result<(), DecodeError> {
        let wrong = |error: serde_json::Error| {
            DecodeError::new(format!("`{key}`: {}", without_values(&error))).at(offset)
        };
        let Readable { text, replaced } = Readable::of(bytes);
        let raw: &RawValue = serde_json::from_str(utf8(&text, offset)?).map_err(wrong)?;
        if let Some(first) = replaced.first() {
            let path = match &*place::of(&text[..*first]) {
                "." => key.to_owned(),
                inside if inside.starts_with('[') => format!("{key}{inside}"),
                inside => format!("{key}.{inside}"),
            };
            self.replaced.beside(replaced.len(), path);
        }
        match key {
            "isSuccess" => self.is_success = serde_json::from_str(raw.get()).map_err(wrong)?,
            "errorCode" => self.error_code = said(raw),
            "errorMessage" => self.error_message = said(raw),
            "totalCount" => self.total_count = serde_json::from_str(raw.get()).ok(),
            "surveyName" if form != PayloadLayout::Members => self.survey.name = said(raw),
            "surveyDefaultLanguage" if form != PayloadLayout::Members => {
                self.survey.default_language = said(raw);
            }
            "surveyLanguages" if form != PayloadLayout::Members => {
                self.survey.languages = serde_json::from_str(raw.get()).unwrap_or_default();
            }
            "codePlan" if form != PayloadLayout::Members => {
                let (plan, warnings) = CodePlan::read(raw);
                self.code_plan = plan;
                // If there are several plans, the last one counts, with its warnings.
                self.warnings = warnings;
            }
            key if key == form.rows_key() => self.rows_null = true,
            key => {
                self.unknown.insert(key.to_owned(), raw.to_owned());
                if self.unknown.len() > MOST_UNKNOWN {
                    let detail = format!("more than {MOST_UNKNOWN} values beside the rows");
                    return Err(DecodeError::new(detail).at(offset));
                }
            }
        }
        Ok(())
    }
}

/// A text that is neither null nor empty. A number is accepted as a code.
fn said(raw: &RawValue) -> Option<String> {
    let text = match Option::<Cow<'_, str>>::deserialize(raw) {
        Ok(text) => text?.into_owned(),
        Err(_) => raw.get().to_owned(),
    };
    (!text.is_empty()).then_some(text)
}
