//! A login in progress as text, for another process.

use crate::error::{Error, Result};
use crate::model::Secret;
use serde::{Deserialize, Serialize};

/// What distinguishes a login from all others, and what it was begun with.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct SavedLogin {
    pub(super) version: u32,
    pub(super) auth_url: String,
    pub(super) client_id: String,
    pub(super) redirect: String,
    pub(super) state: Secret,
    /// Empty without PKCE.
    pub(super) verifier: Secret,
}

impl SavedLogin {
    pub(super) const VERSION: u32 = 1;

    pub(super) fn text(&self) -> Secret {
        serde_json::to_string(self).unwrap_or_default().into()
    }

    /// The error says nothing of the text, which is a secret.
    pub(super) fn read(text: &Secret) -> Result<Self> {
        let saved = serde_json::from_str::<Self>(text.reveal()).ok();
        // An empty state would accept the response to any login.
        let saved = saved.filter(|saved| saved.version == Self::VERSION && !saved.state.is_empty());
        saved.ok_or_else(|| {
            Error::invalid_argument("this is not a login that this version has saved")
                .with_hint("Begin a new login, and pass the whole text that `saved` returned, unchanged.")
        })
    }
}
