//! The sentence that people read. The one place where error texts are put together.

use super::{Delivery, Error, ErrorKind};
use std::fmt::{Formatter, Result};

pub(super) fn write(error: &Error, f: &mut Formatter<'_>) -> Result {
    if let Some(operation) = error.operation() {
        write!(f, "{operation}: ")?;
    }
    write!(f, "{}.", error.what().trim_end_matches('.'))?;
    if let Some(changed) = changed(error) {
        write!(f, " {changed}")?;
    }
    match (error.reconcile(), error.own_hint()) {
        (Some(reconcile), Some(hint)) => write!(f, " {reconcile} {hint}")?,
        (Some(reconcile), None) => write!(f, " {reconcile}")?,
        (None, _) => write!(f, " {}", error.hint())?,
    }
    details(error, f)
}

/// Whether anything was changed, said only where a reader would ask.
fn changed(error: &Error) -> Option<&'static str> {
    match (error.kind(), error.delivery()) {
        (ErrorKind::OutcomeUnknown, _) if error.attempts() > 1 => {
            Some("Whether anything was changed is unknown.")
        }
        (ErrorKind::OutcomeUnknown, _) => {
            Some("Whether anything was changed is unknown; it was not repeated.")
        }
        (
            ErrorKind::Network
            | ErrorKind::RateLimited
            | ErrorKind::Authentication
            | ErrorKind::PermissionDenied,
            _,
        )
        | (ErrorKind::InvalidArgument | ErrorKind::Configuration, Delivery::No) => {
            Some("Nothing was changed.")
        }
        _ => None,
    }
}

fn details(error: &Error, f: &mut Formatter<'_>) -> Result {
    let mut parts = Vec::new();
    if let Some(status) = error.status() {
        parts.push(format!("HTTP {status}"));
    }
    if let Some(code) = error.error_code() {
        parts.push(format!("errorCode {code}"));
    }
    if error.attempts() > 1 {
        parts.push(format!("{} attempts", error.attempts()));
    }
    if let Some(id) = error.request_id() {
        parts.push(format!("request {id}"));
    }
    if parts.is_empty() { Ok(()) } else { write!(f, " ({})", parts.join(", ")) }
}
