//! The errors of the sandbox.

use http::StatusCode;
use serde_json::{Value, json};

/// A call that was not executed: a status, an error code and a message.
///
/// Neither the statuses nor the codes are published; these are the sandbox's own, and a client must not depend on any of
/// them.
// API 14.2
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into() }
    }

    /// The request itself is wrong.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "ValidationError", message)
    }

    /// The bearer token is missing or invalid.
    pub(crate) fn unauthorized(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }

    /// The bearer token does not permit this.
    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    /// An object with this id does not exist, or belongs to another tenant: the responses are the same.
    pub(crate) fn not_found(code: &'static str, what: &str, id: impl std::fmt::Display) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, format!("There is no {what} {id} in this account."))
    }

    /// A change was made, but could not be stored.
    pub(crate) fn not_stored(why: String) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "NotStored", why)
    }

    /// The same, with another error code.
    pub(crate) fn with_code(mut self, code: &'static str) -> Self {
        self.code = code;
        self
    }

    /// The envelope.
    // API 1.4
    pub(crate) fn envelope(&self) -> Value {
        json!({ "isSuccess": false, "errorMessage": self.message, "errorCode": self.code })
    }
}
