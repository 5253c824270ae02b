//! A write that another process has sent: this one can find out what became of it, from the request and the time.

use crate::call::memory::{self, SentWrite};
use crate::error::{Error, Result};
use crate::model::{Json, Timestamp};
use crate::{Client, operations, text};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

impl Client {
    /// Makes a write known to this process that another one has sent, and of which it heard no answer. What comes back is its
    /// `write_id` here, for [`Client::reconcile`].
    ///
    /// `operation` is the API's name, and has to be one that is never repeated. `request` is the request as it was sent. `sent` is
    /// the time before which nothing of it left, and `took` how long after that something of it may still have been under way
    /// there: until the error came, or the process ended. Other writes of that process are not known: where one of them had the
    /// same request at the same time, its effect may be taken for this one's.
    pub fn note_write(
        &self,
        operation: &str,
        request: &Json,
        sent: Timestamp,
        took: Duration,
    ) -> Result<String> {
        let row = operations::find(operation).ok_or_else(|| {
            wrong(
                text!("there is no operation {operation:?}"),
                "Give the API's name, such as `CreateMembers`.",
            )
        })?;
        let fields = row.evidence.ok_or_else(|| {
            wrong(
                text!("{operation} can simply be called again: nothing has to be found out"),
                "Only operations that are never repeated can be reconciled.",
            )
        })?;
        let given: Map<String, Value> = request
            .read()
            .map_err(|_| wrong(text!("the request is no JSON object"), "Give the request of the call."))?;
        let known = |field: &&str| given.get(*field).is_some_and(|value| !value.is_null());
        if !fields.is_empty() && !fields.iter().any(known) {
            return Err(wrong(
                text!(
                    "the request has none of the fields by which its effect is found: {}",
                    fields.join(", ")
                ),
                "Give the request of the call as JSON, by the API's names.",
            ));
        }
        let wall = SystemTime::from(sent.0);
        if wall > SystemTime::now() {
            return Err(wrong(
                text!("the call was sent at {sent}, which is still to come"),
                "Look at the time.",
            ));
        }
        let body = request.as_str().as_bytes().to_vec();
        let clock = Arc::clone(&self.config().clock);
        let write = SentWrite::new(row.name.into(), self.account(), body.into(), fields, clock, None);
        let write = Arc::new(write.sent_before(wall, took, None));
        memory::keep(&write);
        Ok(write.id.clone())
    }
}

fn wrong(what: crate::error::Text, hint: &'static str) -> Error {
    Error::invalid_argument(what).with_hint(text!("Nothing was read. {}", crate::error::Text::from(hint)))
}
