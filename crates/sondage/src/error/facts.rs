//! An error as a value.

use super::{Error, Wording};
use serde::Serialize;
use std::time::Duration;

/// All data of an error.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ErrorFacts {
    code: &'static str,
    message: String,
    operation: Option<String>,
    attempts: u32,
    status: Option<u16>,
    error_code: Option<String>,
    error_message: Option<String>,
    request_id: Option<String>,
    delivery: &'static str,
    safe_to_retry: bool,
    timed_out: bool,
    retry_after: Option<f64>,
    hint: String,
    reconcile: Option<String>,
    write_id: Option<String>,
}

impl Error {
    /// The data of the error, in the words and in the unit of time of a language.
    #[doc(hidden)]
    pub fn facts(&self, wording: &Wording, unit: impl FnOnce(Duration) -> f64) -> ErrorFacts {
        let texts = self.told(wording);
        ErrorFacts {
            code: self.kind().as_str(),
            message: texts.message,
            operation: self.operation().map(str::to_owned),
            attempts: self.attempts(),
            status: self.status(),
            error_code: self.error_code().map(str::to_owned),
            error_message: self.error_message().map(str::to_owned),
            request_id: self.request_id().map(str::to_owned),
            delivery: self.delivery().as_str(),
            safe_to_retry: self.safe_to_retry(),
            timed_out: self.timed_out(),
            retry_after: self.retry_after().map(unit),
            hint: texts.hint,
            reconcile: texts.reconcile,
            write_id: self.write_id().map(str::to_owned),
        }
    }

    /// The error as a JSON object: its kind as `code`, `message`, `operation`, `delivery`, `safeToRetry`, `retryAfter` in seconds and
    /// the other parts, `null` where there is none. It contains no secret, but `errorMessage` is the service's own text.
    pub fn to_json(&self) -> serde_json::Value {
        serde_json::to_value(self.facts(&Wording::RUST, |wait| wait.as_secs_f64())).unwrap_or_default()
    }
}
