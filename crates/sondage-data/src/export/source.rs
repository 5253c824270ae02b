//! The lists that can be exported.

use serde::Serialize;
use serde_json::json;
use sondage::{Client, Error, Result};

use crate::query::{Interviews, Members, Reading};

/// A query whose rows are written to a file.
pub(super) enum ExportSource {
    Interviews(Interviews),
    Members(Members),
}

impl ExportSource {
    /// Starts reading. `from_start`: no page has been read yet, and so no code plan.
    pub(super) async fn read(&self, from_start: bool) -> Result<Reading> {
        match self {
            ExportSource::Interviews(query) => query.read_from(from_start),
            ExportSource::Members(query) => query.read().await,
        }
    }

    /// Identifies the query and the account, so that the pages of another query are not reused.
    pub(super) fn identity(&self) -> Result<String> {
        match self {
            ExportSource::Interviews(query) => query.identity(),
            ExportSource::Members(query) => identity(query.client(), &query.request()?, ""),
        }
    }
}

impl Interviews {
    /// Identifies the query and the account, so that the pages of another query are not reused.
    pub(crate) fn identity(&self) -> Result<String> {
        identity(self.client(), &self.request()?, &self.choices())
    }
}

fn identity(client: &Client, request: &impl Serialize, choices: &str) -> Result<String> {
    let config = client.config();
    let request_json = serde_json::to_value(request).map_err(|error| Error::internal(error.to_string()))?;
    let identity = json!({
        "service": config.base_url.to_string(),
        "tenant": config.tenant,
        "asked": request_json,
        "choices": choices,
    });
    Ok(identity.to_string())
}
