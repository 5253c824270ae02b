//! Verifies requests and reads events by the source files of the core, compiled to WebAssembly. What those files use of the rest of the
//! core is here in a small form: errors, models and cryptography. It exports three functions, which `node/webhooks.mjs` calls.

// The core's files have more callers there.
#![allow(dead_code)]

mod call;
mod error;
mod hex;
mod model;
#[path = "../../../crates/sondage/src/readable.rs"]
mod readable;
mod schema;
mod webhook;

use error::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What the caller writes, and what it reads.
static EXCHANGED: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn exchanged() -> MutexGuard<'static, Vec<u8>> {
    EXCHANGED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The place of a request with this many bytes, or of a response if it is 0.
#[unsafe(no_mangle)]
pub extern "C" fn place(bytes: usize) -> *mut u8 {
    let mut exchanged = exchanged();
    if bytes > 0 {
        *exchanged = vec![0; bytes];
    }
    exchanged.as_mut_ptr()
}

/// Reads a webhook, and returns the length of what is known about it.
#[unsafe(no_mangle)]
pub extern "C" fn hook() -> usize {
    respond(|request| webhook::about(&serde_json::from_slice(request)?))
}

/// Verifies a request: JSON of this length, and then its body. Returns the length of the verdict.
#[unsafe(no_mangle)]
pub extern "C" fn judge(json: usize) -> usize {
    respond(|request| {
        let (json, body) = request.split_at_checked(json).unwrap_or_default();
        webhook::judge(&serde_json::from_slice(json)?, body)
    })
}

fn respond(answer: impl FnOnce(&[u8]) -> Result<String>) -> usize {
    let request = std::mem::take(&mut *exchanged());
    let response = match answer(&request) {
        Ok(json) => json,
        Err(error) => serde_json::json!({ "error": error.to_string() }).to_string(),
    };
    let response = response.into_bytes();
    let length = response.len();
    *exchanged() = response;
    length
}

/// A request, and the webhook that it is for.
#[derive(Deserialize)]
struct Request {
    hook: Value,
    url: String,
    /// Names, and values in base64.
    headers: Vec<(String, String)>,
    /// Milliseconds since 1970.
    now: i64,
}

/// What is known about a webhook.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct About {
    strategy: &'static str,
    largest_body: usize,
    ends: Option<model::Timestamp>,
}
