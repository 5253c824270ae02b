//! An error as a value.

use crate::language::Language;
use serde::Serialize;
use sondage::Error;

/// All data of an error. Each language makes its own exception of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
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

impl Failure {
    /// The data of an error.
    pub fn of<L: Language>(error: &Error) -> Self {
        let told = error.told(&L::WORDING);
        Self {
            code: error.kind().as_str(),
            message: told.message,
            operation: error.operation().map(str::to_owned),
            attempts: error.attempts(),
            status: error.status(),
            error_code: error.error_code().map(str::to_owned),
            error_message: error.error_message().map(str::to_owned),
            request_id: error.request_id().map(str::to_owned),
            delivery: error.delivery().as_str(),
            safe_to_retry: error.safe_to_retry(),
            timed_out: error.timed_out(),
            retry_after: error.retry_after().map(|wait| L::TIME.count(wait)),
            hint: told.hint,
            reconcile: told.reconcile,
            write_id: error.write_id().map(str::to_owned),
        }
    }
}
