//! Writes that another process has sent: their outcome can be determined here, from the request and the time.

use sondage::Client;
use sondage::error::{Error, Result};
use sondage::internals::call::sent_writes::{self, SentWrite};
use sondage::model::{Json, Timestamp};
use sondage::operations;

use serde_json::{Map, Value};
use sondage::text;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// See [`Jobs::note_write`](crate::Jobs::note_write).
pub(crate) fn note_write(
    client: &Client,
    operation: &str,
    request: &Json,
    sent: Timestamp,
    took: Duration,
) -> Result<String> {
    let row = operations::find(operation).ok_or_else(|| {
        wrong(text!("there is no operation {operation:?}"), "Give the API's name, such as `CreateMembers`.")
    })?;
    let fields = row.evidence.ok_or_else(|| {
        wrong(
            text!("{operation} can simply be called again: nothing has to be found out"),
            "Only operations that are never repeated can be reconciled.",
        )
    })?;
    let request_fields: Map<String, Value> = request
        .read()
        .map_err(|_| wrong(text!("the request is not a JSON object"), "Give the request of the call."))?;
    let is_set = |field: &&str| request_fields.get(*field).is_some_and(|value| !value.is_null());
    if !fields.is_empty() && !fields.iter().any(is_set) {
        return Err(wrong(
            text!("the request has none of the fields by which its effect is found: {}", fields.join(", ")),
            "Give the request of the call as JSON, by the API's names.",
        ));
    }
    let wall = SystemTime::from(sent.0);
    if wall > SystemTime::now() {
        return Err(wrong(text!("the call was sent at {sent}, which is in the future"), "Check the time."));
    }
    let body = request.as_str().as_bytes().to_vec();
    let clock = Arc::clone(&client.config().clock);
    let write = SentWrite::new(row.name.into(), client.account(), body.into(), fields, clock, None);
    let write = Arc::new(write.sent_before(wall, took, None));
    sent_writes::record(&write);
    Ok(write.id.clone())
}

fn wrong(what: sondage::error::Text, hint: &'static str) -> Error {
    Error::invalid_argument(what).with_hint(text!("Nothing was read. {}", sondage::error::Text::from(hint)))
}
