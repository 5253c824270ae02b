//! What each operation creates or changes that the API shows.
//!
//! A call created an object if the object equals the request in everything that can be compared, was created at the right
//! time, by this login, and not by another call of this process. It created nothing if no object equals it even in part.
//! Everything in between is unknown.

mod artifact;
mod interview;
mod invitation;
mod members;
mod panel;
mod survey;
mod transition;
mod voucher;
mod web_hook;

use super::finding::Finding;
use super::window::Window;
use bytes::Bytes;
use serde::de::DeserializeOwned;
use sondage::Client;
use sondage::error::{Error, Result};
use std::collections::HashSet;

/// The data needed to search for the effect of a call.
pub(super) struct Inspection {
    pub client: Client,
    /// The fields of the request that identify its effect, as JSON.
    pub evidence: Bytes,
    pub window: Window,
    /// The author name that the service records for this login.
    pub name: Option<String>,
    /// Objects that other calls of this process are known to have created.
    pub answered: HashSet<String>,
    /// Whether another call of this process, with the same request, may have created the same object.
    pub ambiguous_with_own_call: bool,
}

impl Inspection {
    /// The request, as far as it was recorded.
    fn request<T: DeserializeOwned>(&self) -> Result<T> {
        let read = serde_json::from_slice(&self.evidence);
        read.map_err(|_| {
            Error::invalid_argument("the request that was sent cannot be read as one of its operation")
        })
    }

    /// Whether this login created it.
    fn is_ours(&self, author: Option<&str>) -> bool {
        self.name.is_some() && self.name.as_deref() == author
    }

    /// Whether another call of this process created it.
    fn is_known(&self, id: &str) -> bool {
        self.answered.contains(id)
    }

    /// Searches for the effect of an operation. `None`: it has no visible effect.
    pub async fn at(&self, operation: &str) -> Result<Option<Finding>> {
        Ok(Some(match operation {
            "CreateMembers" => members::created(self).await?,
            "CreateAndInviteMembers" => members::invited(self).await?,
            "InviteMembers" => invitation::find_evidence(self).await?,
            "CreateSurvey" => survey::created(self).await?,
            "UpdateSurvey" => survey::updated(self).await?,
            "UpdatePanel" => panel::updated(self).await?,
            "ResetInterview" => interview::reset(self).await?,
            "ExecuteWorkflowTransition" => transition::find_evidence(self).await?,
            "RedeemIncentiveCode" => voucher::find_evidence(self).await?,
            "CreateWebHook" => web_hook::find_evidence(self).await?,
            "CreateArtifact" => artifact::find_evidence(self).await?,
            _ => return Ok(None),
        }))
    }
}

/// The same text, ignoring case and surrounding spaces.
fn loose(text: &str) -> String {
    text.trim().to_lowercase()
}
