//! What each operation leaves that the API shows.
//!
//! A thing was made by a call when it is alike in everything that can be compared, of the right time, made under the name of
//! this login, and no other call of this process has made it. Nothing was made when there is nothing that is alike in even
//! a part. Everything between the two cannot be told.

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
use crate::Client;
use crate::error::{Error, Result};
use bytes::Bytes;
use serde::de::DeserializeOwned;
use std::collections::HashSet;

/// What looking for the effect of a call needs.
pub(super) struct Look {
    pub client: Client,
    /// The fields of the request by which its effect is found, as JSON.
    pub evidence: Bytes,
    pub window: Window,
    /// The name under which the service keeps what this login makes.
    pub name: Option<String>,
    /// What other calls of this process are known to have made.
    pub answered: HashSet<String>,
    /// Whether another call of this process, with the same request, may have made the same.
    pub twin: bool,
}

impl Look {
    /// The request, as far as it was kept.
    fn request<T: DeserializeOwned>(&self) -> Result<T> {
        let read = serde_json::from_slice(&self.evidence);
        read.map_err(|_| {
            Error::invalid_argument("the request that was sent cannot be read as one of its operation")
        })
    }

    /// Whether this login made it.
    fn is_ours(&self, author: Option<&str>) -> bool {
        self.name.is_some() && self.name.as_deref() == author
    }

    /// Whether another call of this process made it.
    fn is_known(&self, id: &str) -> bool {
        self.answered.contains(id)
    }

    /// Looks for the effect of an operation. Nothing: it leaves none.
    pub async fn at(&self, operation: &str) -> Result<Option<Finding>> {
        Ok(Some(match operation {
            "CreateMembers" => members::created(self).await?,
            "CreateAndInviteMembers" => members::invited(self).await?,
            "InviteMembers" => invitation::look(self).await?,
            "CreateSurvey" => survey::created(self).await?,
            "UpdateSurvey" => survey::updated(self).await?,
            "UpdatePanel" => panel::updated(self).await?,
            "ResetInterview" => interview::reset(self).await?,
            "ExecuteWorkflowTransition" => transition::look(self).await?,
            "RedeemIncentiveCode" => voucher::look(self).await?,
            "CreateWebHook" => web_hook::look(self).await?,
            "CreateArtifact" => artifact::look(self).await?,
            _ => return Ok(None),
        }))
    }
}

/// The same text, but for upper case and spaces around it.
fn loose(text: &str) -> String {
    text.trim().to_lowercase()
}
