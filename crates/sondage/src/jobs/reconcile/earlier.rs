//! A write that an earlier run has noted in a journal and got no answer to.

use super::{Found, Inquiry, find_out, note};
use crate::Client;
use crate::call::memory::{self, SentWrite};
use crate::error::Result;
use crate::jobs::import::now;
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// What a journal notes of a write before it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Earlier {
    /// Its number in the process that sends it.
    pub write: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// By how many milliseconds the service's clock was ahead.
    pub ahead: Option<i64>,
    /// After so many milliseconds nobody waits for its answer any more.
    pub limit: u64,
}

impl Earlier {
    /// A write that is sent now.
    pub fn now(client: &Client, write: String, ahead: Option<TimeDelta>) -> Self {
        let limit = u64::try_from(client.timeout().as_millis()).unwrap_or(u64::MAX);
        Self { write, at: now(), ahead: ahead.map(|ahead| ahead.num_milliseconds()), limit }
    }

    /// What became of it. `alike`: the same write, made anew; `took`: after so many milliseconds nobody waited for its answer,
    /// where that was noted.
    pub async fn find_out(
        &self,
        client: &Client,
        alike: SentWrite,
        took: Option<u64>,
        inquiry: &Inquiry,
    ) -> Result<(Arc<SentWrite>, Found)> {
        let write = memory::find(&self.write).unwrap_or_else(|| Arc::new(self.sent(alike, took)));
        memory::keep(&write);
        let found = find_out(client, &write, inquiry).await?;
        note(&write, &found.finding);
        Ok((write, found))
    }

    fn sent(&self, alike: SentWrite, took: Option<u64>) -> SentWrite {
        let wall = SystemTime::UNIX_EPOCH + Duration::from_millis(self.at);
        let since = SystemTime::now().duration_since(wall).unwrap_or_default();
        // Its process has ended, nobody knows when: later than its caller's deadline nothing of it left.
        let took = took.map_or(since.min(Duration::from_millis(self.limit)), Duration::from_millis);
        let ahead = self.ahead.and_then(TimeDelta::try_milliseconds);
        alike.known_as(self.write.clone()).sent_before(wall, took, ahead)
    }
}
