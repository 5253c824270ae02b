//! Messages that are to be sent at a time that has passed.
//!
//! A wrong year or time zone in `schedule_date_time` would send messages immediately, and they cannot be recalled.

use crate::error::{Error, Result};
use crate::model::Timestamp;
use crate::operation::OperationInfo;
use crate::text;
use chrono::TimeDelta;
use serde::Deserialize;

/// The tolerance: a time that was taken just before the call means "now".
const MOMENT: TimeDelta = TimeDelta::minutes(1);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Scheduled {
    schedule_date_time: Option<Timestamp>,
}

/// Refuses a body whose time of sending has passed by both the computer's and the service's clock. `ahead`: how far the
/// service's clock is ahead, if that is known.
pub(crate) fn check(info: &OperationInfo, body: &[u8], ahead: Option<TimeDelta>) -> Result<()> {
    if !info.request.fields.iter().any(|field| field.wire == "scheduleDateTime") {
        return Ok(());
    }
    // A body that cannot be parsed is reported elsewhere.
    let Ok(Scheduled { schedule_date_time: Some(time) }) = serde_json::from_slice(body) else {
        return Ok(());
    };
    let behind = ahead.unwrap_or_default().min(TimeDelta::zero());
    if time.0 >= Timestamp::now().0 + behind - MOMENT {
        return Ok(());
    }
    Err(Error::invalid_argument(text!("`schedule_date_time` is {time}, which has passed"))
        .with_hint("Give a time in the future, or leave it out to send immediately."))
}
