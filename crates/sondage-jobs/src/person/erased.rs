//! The interviews that were erased, as the receipt of an erasure says, so that copies of them are found elsewhere.

use super::receipt::{Content, KIND, VERSION};
use super::refused;
use super::steps::StepOutcome;
use sondage::error::Result;
use sondage::internals::state_file::peek;
use sondage::text;
use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;

/// The interviews that were erased, by their surveys. The receipt has digests of their ids, so a copy is found by its own id.
pub struct ErasedInterviews {
    content: Content,
    surveys: BTreeMap<String, HashSet<String>>,
}

impl ErasedInterviews {
    /// Reads the receipt of an erasure that has ended.
    pub fn read(receipt: &Path) -> Result<Self> {
        let shown = receipt.display().to_string();
        let content: Option<Content> = peek(receipt, KIND, VERSION)?;
        let Some(content) = content else {
            let what = text!("there is no receipt {shown}, so nothing was removed");
            return Err(refused(what, "Give the receipt that the erasure has written."));
        };
        if content.ended.is_none() {
            let what = text!("the erasure of the receipt {shown} has not ended, so nothing was removed");
            return Err(refused(what, "Run the same erasure again, which resumes it, and then this."));
        }
        let mut surveys: BTreeMap<String, HashSet<String>> = BTreeMap::new();
        for step in content.steps.iter().filter(|step| step.what == "interview") {
            if let (StepOutcome::Erased | StepOutcome::Gone, Some(id)) = (step.outcome, &step.id) {
                surveys.entry(step.place.clone()).or_default().insert(id.clone());
            }
        }
        Ok(Self { content, surveys })
    }

    /// Whether they belonged to this account.
    pub fn is_of(&self, service: &str, tenant: &str) -> bool {
        self.content.service == service && self.content.tenant == tenant
    }

    /// The surveys, by their ids.
    pub fn surveys(&self) -> impl Iterator<Item = &str> {
        self.surveys.keys().map(String::as_str)
    }

    /// Whether an interview of a survey was erased.
    pub fn contains(&self, survey: &str, id: &str) -> bool {
        let Some(erased) = self.surveys.get(survey) else { return false };
        // A GUID means the same in both cases.
        [id.to_owned(), id.to_ascii_lowercase(), id.to_ascii_uppercase()]
            .iter()
            .any(|id| erased.contains(&self.content.person.keyed(id)))
    }
}

impl fmt::Debug for ErasedInterviews {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ErasedInterviews").finish_non_exhaustive()
    }
}
