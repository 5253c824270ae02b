//! Retried deletions: an object that no longer exists counts as deleted.

use super::any_reader::{AnyReader, AnyValue};
use super::prepared::Call;
use super::reader::{Unreadable, Verdict};
use crate::error::{Error, Result};
use crate::response::Response;
use bytes::Bytes;
use http::header::HeaderMap;
use std::collections::HashMap;

/// A deletion that is retried after an unknown outcome finds nothing to delete, because the first attempt took effect.
/// Only an error code about the deleted object itself proves that.
pub fn is_gone(call: &Call, error: &Error) -> bool {
    let Some(gone) = &call.gone else { return false };
    error.error_code() == Some(gone.code) && gone.list.is_none_or(|list| names_one(&call.body, list))
}

/// Whether a list in the request has exactly one element. With several, the missing element may be the only
/// one that was deleted.
fn names_one(body: &[u8], list: &str) -> bool {
    let fields: HashMap<&str, &serde_json::value::RawValue> =
        serde_json::from_slice(body).unwrap_or_default();
    let elements = fields
        .get(list)
        .and_then(|list| serde_json::from_str::<Vec<&serde_json::value::RawValue>>(list.get()).ok());
    elements.is_some_and(|elements| elements.len() == 1)
}

/// The successful response to such a deletion.
pub fn already_gone(mut reader: AnyReader, error: &Error, attempts: u32) -> Result<Response<AnyValue>> {
    let body = Bytes::from_static(b"{\"isSuccess\":true}");
    let unreadable = |Unreadable(what)| Error::internal(what);
    reader.feed(&body).map_err(unreadable)?;
    match reader.finish().map_err(unreadable)? {
        Verdict::Success(value) => {
            let status = error.status().unwrap_or(404);
            Ok(Response { value, status, headers: HeaderMap::new(), body, attempts })
        }
        Verdict::Refused(_) => Err(Error::internal("a success was read as a refusal")),
    }
}
