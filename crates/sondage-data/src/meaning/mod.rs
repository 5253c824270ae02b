//! Metadata of columns: code plans, panel definitions, and the service's system columns.

mod code_plan;
mod language;
mod loose;
mod panel;
mod plain;
mod questions;
pub(crate) mod service;
mod words;

use serde::{Deserialize, Serialize};

pub use code_plan::{CodePlan, ValueLabel, Variable};
pub use language::VariableTexts;
pub(crate) use language::{spelled, untranslated};
pub use questions::CountedQuestion;
pub(crate) use questions::name_of;
pub(crate) use words::{NOT_AVAILABLE, Wanted};

/// Name and languages of a survey, from a response.
// API 6.1
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Survey {
    /// `surveyName`.
    pub name: Option<String>,
    /// `surveyDefaultLanguage`, a language code.
    pub default_language: Option<String>,
    /// `surveyLanguages`, language codes.
    pub languages: Vec<String>,
}

impl Survey {
    /// Adds what is not known yet.
    pub(crate) fn complete_from(&mut self, other: &Survey) {
        self.name = self.name.take().or_else(|| other.name.clone());
        self.default_language = self.default_language.take().or_else(|| other.default_language.clone());
        if self.languages.is_empty() {
            self.languages.clone_from(&other.languages);
        }
    }
}
