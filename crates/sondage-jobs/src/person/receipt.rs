//! The record of an erasure in a file: it allows resuming, and is the receipt at the end.

use super::erase::line;
use super::export_folder::PersonDigest;
use super::refused;
use super::steps::{ErasureStep, StepOutcome};
use crate::options::ErasePersonOptions;
use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage::error::Result;
use sondage::internals::runtime;
use sondage::internals::state_file::StateFile;
use sondage::model::Timestamp;
use sondage::text;
use sondage_macros::report;
use std::fmt;
use std::sync::Arc;

pub(super) const KIND: &str = "erasure";
pub(super) const VERSION: u32 = 1;

/// What was erased about a person, and what is left.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EraseReceipt {
    /// Each object: erased, or left, why, and who can erase it. Of the person it contains only the ids of what is left.
    pub steps: Vec<ErasureStep>,
    /// The number of objects that were erased or no longer existed.
    pub erased: usize,
    /// How many are left.
    pub left: usize,
    /// The file of the receipt.
    pub receipt: String,
    /// When it was completed.
    pub ended: Timestamp,
    /// The receipt in sentences without personal data.
    pub text: String,
}

/// The file's content.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Content {
    sondage: String,
    version: u32,
    about: String,
    pub service: String,
    pub tenant: String,
    /// A keyed digest: anyone who knows the key and the value can check that the receipt is about this person.
    pub person: PersonDigest,
    /// The token that was confirmed.
    pub token: String,
    pub keep_interviews: bool,
    begun: Timestamp,
    pub ended: Option<Timestamp>,
    pub steps: Vec<ErasureStep>,
}

/// A receipt that is being written and is locked by this run.
pub(super) struct Receipt {
    file: Arc<StateFile>,
    path: String,
    pub content: Option<Content>,
}

impl Receipt {
    /// Opens the file: a receipt of the same person and plan is continued, any other one is refused.
    pub async fn open(client: &Client, options: &ErasePersonOptions) -> Result<Self> {
        let receipt_path = options.receipt.0.clone();
        let path = receipt_path.display().to_string();
        let (file, content) = runtime::blocking(move || {
            let file = StateFile::open(&receipt_path)?;
            let content: Option<Content> = file.read(KIND, VERSION)?;
            Ok((file, content))
        })
        .await?;
        if let Some(content) = &content {
            let config = client.config();
            let same = content.service == config.base_url.to_string()
                && content.tenant == config.tenant
                && content.person.is_of(&options.key, &options.value);
            if !same {
                let what = text!("the file {path} is the receipt of another erasure");
                return Err(refused(what, "Give each erasure a `receipt` of its own."));
            }
            if content.token != options.confirm.trim() {
                let what = text!("the erasure of the receipt {path} was confirmed with another token");
                let hint = "To resume it, give the token with which it was started. For data that was found since, plan \
                            again with another `receipt`.";
                return Err(refused(what, hint));
            }
        }
        Ok(Self { file: Arc::new(file), path, content })
    }

    /// Records the steps before any of them is made.
    pub async fn begin(
        &mut self,
        client: &Client,
        options: &ErasePersonOptions,
        steps: Vec<ErasureStep>,
    ) -> Result<()> {
        let config = client.config();
        self.content = Some(Content {
            sondage: KIND.to_owned(),
            version: VERSION,
            about: "What was erased of a person, and what is left. When it has ended it holds digests of what was erased, keyed with \
                    its own salt, and the numbers of what is left. The service keeps what was deleted until the period ends that the \
                    account has configured."
                .to_owned(),
            service: config.base_url.to_string(),
            tenant: config.tenant.clone(),
            person: PersonDigest::of(&options.key, &options.value)?,
            token: options.confirm.trim().to_owned(),
            keep_interviews: options.keep_interviews,
            begun: Timestamp::now(),
            ended: None,
            steps,
        });
        self.write("Nothing was erased. Name a `receipt` in a folder where this program may write and there is room.").await
    }

    /// Records the state of one step.
    pub async fn note(&mut self, step: usize, outcome: StepOutcome, reason: Option<&str>) -> Result<()> {
        if let Some(step) = self.content.as_mut().and_then(|content| content.steps.get_mut(step)) {
            step.outcome = outcome;
            if let Some(reason) = reason {
                reason.clone_into(&mut step.reason);
            }
        }
        self.write(
            "What the receipt lists as erased is erased. Free some space, and run the same erasure again to resume it.",
        )
        .await
    }

    /// Removes the ids of what was erased.
    pub async fn end(&mut self) -> Result<()> {
        if let Some(content) = &mut self.content {
            for step in content.steps.iter_mut().filter(|step| step.outcome != StepOutcome::Left) {
                step.id = step.id.as_ref().map(|id| content.person.keyed(id));
            }
            content.ended = Some(Timestamp::now());
        }
        self.write("Everything was erased, but the receipt is incomplete. Free some space, and run the same erasure again.")
            .await
    }

    /// The receipt of a completed erasure.
    pub fn finished(&self) -> Option<EraseReceipt> {
        let content = self.content.as_ref()?;
        let remaining = content.steps.iter().filter(|step| step.outcome == StepOutcome::Left).count();
        let erased = content.steps.len() - remaining;
        let lines: Vec<String> = content.steps.iter().map(|step| format!("\n  {}", line(step))).collect();
        let text =
            format!("{erased} erased, {remaining} left; the receipt is {}{}", self.path, lines.concat());
        let (steps, receipt, ended) = (content.steps.clone(), self.path.clone(), content.ended?);
        Some(EraseReceipt { steps, erased, left: remaining, receipt, ended, text })
    }

    async fn write(&self, happened: &'static str) -> Result<()> {
        let (file, content) = (Arc::clone(&self.file), self.content.clone());
        runtime::blocking(move || file.write(&content, happened)).await
    }
}

impl fmt::Display for EraseReceipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
