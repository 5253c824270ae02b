//! A write that an earlier run has recorded in a journal, without a response.

use super::{Found, Inquiry, find_out, note};
use crate::timing::now;
use bytes::Bytes;
use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use sondage::Client;
use sondage::error::Result;
use sondage::internals::call::sent_writes::{self, SLACK, SentWrite, WriteEnd};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// The part of a write that a journal records before it is sent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Earlier {
    /// The number of the write in the process that sent it.
    pub write: String,
    /// When it was sent, in milliseconds since 1970.
    pub at: u64,
    /// By how many milliseconds the service's clock was ahead.
    pub ahead: Option<i64>,
    /// The number of milliseconds after which the caller gave up.
    pub limit: u64,
}

impl Earlier {
    /// A write that is about to be sent.
    pub fn now(client: &Client, write: String, ahead: Option<TimeDelta>) -> Self {
        let limit = u64::try_from(client.timeout().as_millis()).unwrap_or(u64::MAX);
        Self { write, at: now(), ahead: ahead.map(|ahead| ahead.num_milliseconds()), limit }
    }

    /// Determines the outcome. `alike`: the same write, built again. `took`: after how many milliseconds the caller gave up,
    /// if that was recorded.
    pub async fn find_out(
        &self,
        client: &Client,
        alike: SentWrite,
        took: Option<u64>,
        inquiry: &Inquiry,
    ) -> Result<(Arc<SentWrite>, Found)> {
        let write = sent_writes::find(&self.write).unwrap_or_else(|| Arc::new(self.sent(alike, took)));
        sent_writes::record(&write);
        let verdict = find_out(client, &write, inquiry).await?;
        note(&write, &verdict.finding);
        Ok((write, verdict))
    }

    /// Makes it known in this process as another write than the one that is asked about: an effect that can be its own is not
    /// taken for the other's. `alike`: the same write, made anew; `answer`: what the service answered, as far as that is known.
    pub fn remember(&self, alike: SentWrite, took: Option<u64>, answer: Option<Bytes>) {
        if sent_writes::find(&self.write).is_some() {
            return;
        }
        let write = Arc::new(self.sent(alike, took));
        if let Some(answer) = answer {
            write.ended(WriteEnd::Answered(answer));
        }
        sent_writes::record(&write);
    }

    /// Whether both may have been under way at the same time, with the service at work for so long afterwards.
    pub fn meets(&self, other: &Self, quiet: Duration) -> bool {
        let quiet = u64::try_from((quiet + SLACK).as_millis()).unwrap_or(u64::MAX);
        self.at.abs_diff(other.at) <= self.limit.max(other.limit).saturating_add(quiet)
    }

    fn sent(&self, alike: SentWrite, took: Option<u64>) -> SentWrite {
        let wall = SystemTime::UNIX_EPOCH + Duration::from_millis(self.at);
        let since = SystemTime::now().duration_since(wall).unwrap_or_default();
        // The process ended at an unknown time, but it sent nothing after its caller's deadline.
        let took = took.map_or(since.min(Duration::from_millis(self.limit)), Duration::from_millis);
        let ahead = self.ahead.and_then(TimeDelta::try_milliseconds);
        alike.known_as(self.write.clone()).sent_before(wall, took, ahead)
    }
}
