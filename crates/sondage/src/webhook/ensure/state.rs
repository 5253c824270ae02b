//! The state of a registration between runs.

use super::print::{Print, identity};
use super::{WantedHook, refused};
use crate::Client;
use crate::error::Result;
use crate::model::Timestamp;
use crate::runtime;
use crate::state_file::{self, StateFile};
use crate::text;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const KIND: &str = "webhook";
const VERSION: u32 = 1;

/// The file's content. It contains neither the address nor the secret.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Kept {
    sondage: String,
    version: u32,
    about: String,
    service: String,
    tenant: String,
    event_type: String,
    entity_identifier: String,
    /// The registration, once it is known.
    pub web_hook_id: Option<String>,
    /// The digest of what is registered; `None` while it is being changed.
    pub print: Option<Print>,
    /// When the registered credential expires.
    pub ends: Option<Timestamp>,
    /// A call to register was sent, and its outcome is unknown.
    pub pending: Option<Pending>,
}

/// The registrations that existed before the call was sent.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Pending {
    pub before: Vec<String>,
    pub at: Timestamp,
}

/// The content of a state file.
pub(crate) struct Registered {
    pub web_hook_id: Option<String>,
    /// When the registered credential expires.
    pub ends: Option<Timestamp>,
}

/// Reads a state file, also while another run uses it.
pub(crate) fn registered(path: &Path) -> Result<Option<Registered>> {
    let stored: Option<Kept> = state_file::peek(path, KIND, VERSION)?;
    Ok(stored.map(|stored| Registered { web_hook_id: stored.web_hook_id, ends: stored.ends }))
}

/// The state, and the file in which it is kept, if there is one.
pub(super) struct State {
    file: Option<Arc<StateFile>>,
    pub kept: Kept,
}

impl State {
    pub async fn open(client: &Client, wanted: &WantedHook, path: Option<PathBuf>) -> Result<Self> {
        let fresh = Kept::new(client, wanted);
        let Some(path) = path else { return Ok(Self { file: None, kept: fresh }) };
        let file_name = path.display().to_string();
        let (file, read) = runtime::blocking(move || {
            let file = StateFile::open(&path)?;
            let stored: Option<Kept> = file.read(KIND, VERSION)?;
            Ok((file, stored))
        })
        .await?;
        let file = Some(Arc::new(file));
        let Some(kept) = read else { return Ok(Self { file, kept: fresh }) };
        if (&kept.service, &kept.tenant) != (&fresh.service, &fresh.tenant) {
            let what = text!("the file {file_name} keeps a webhook of {} at {}", kept.tenant, kept.service);
            return Err(refused(what, "Give each account a `state` of its own."));
        }
        let same = |kept: &Kept| {
            (&kept.event_type, &kept.entity_identifier) == (&fresh.event_type, &fresh.entity_identifier)
        };
        if !same(&kept) {
            let (event, entity) = (&kept.event_type, &kept.entity_identifier);
            let what = text!("the file {file_name} keeps the webhook for {event} of {entity}");
            return Err(refused(what, "Give each event and entity a `state` of its own."));
        }
        Ok(Self { file, kept })
    }

    /// Whether the state outlives this run.
    pub fn is_kept(&self) -> bool {
        self.file.is_some()
    }

    /// Writes the state. `happened`: the beginning of the error text.
    pub async fn write(&self, happened: crate::error::Text) -> Result<()> {
        let Some(file) = self.file.clone() else { return Ok(()) };
        let stored = self.kept.clone();
        runtime::blocking(move || file.write(&stored, happened)).await
    }

    /// The digest and the expiry of what is about to be registered.
    pub async fn expect(&mut self, wanted: &WantedHook) -> Result<()> {
        self.kept.ends = wanted.hook.ends();
        if self.is_kept() {
            let text = identity(&wanted.address, wanted.hook.strategy());
            self.kept.print = Some(runtime::blocking(move || Print::of(&text)).await?);
        }
        Ok(())
    }

    /// Records what is registered now.
    pub async fn registered(
        &mut self,
        id: &str,
        wanted: &WantedHook,
        happened: crate::error::Text,
    ) -> Result<()> {
        self.kept.web_hook_id = Some(id.to_owned());
        self.kept.pending = None;
        self.expect(wanted).await?;
        self.write(happened).await
    }

    /// Whether this address and this secret are registered.
    pub async fn holds(&self, wanted: &WantedHook) -> Result<bool> {
        let Some(print) = self.kept.print.clone() else { return Ok(false) };
        let text = identity(&wanted.address, wanted.hook.strategy());
        runtime::blocking(move || Ok(print.is_of(&text))).await
    }
}

impl Kept {
    fn new(client: &Client, wanted: &WantedHook) -> Self {
        let config = client.config();
        Self {
            sondage: KIND.to_owned(),
            version: VERSION,
            about: "The registration of a webhook, for the next run. It contains neither the address nor the secret, only a digest of both."
                .to_owned(),
            service: config.base_url.to_string(),
            tenant: config.tenant.clone(),
            event_type: wanted.event_type.as_str().to_owned(),
            entity_identifier: wanted.entity.clone(),
            web_hook_id: None,
            print: None,
            ends: None,
            pending: None,
        }
    }
}
