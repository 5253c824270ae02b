//! An access token in the form in which a request carries it.

use crate::config::{is_secret_length, too_long};
use crate::error::{Error, Result};
use bytes::Bytes;
use http::HeaderValue;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use zeroize::Zeroizing;

/// An access token. Clones are the same token.
#[derive(Clone)]
pub struct AccessToken(Arc<AccessTokenInner>);

struct AccessTokenInner {
    header: HeaderValue,
    worked: AtomicBool,
}

impl AccessToken {
    /// The token as the service returned it.
    pub(super) fn new(text: &str) -> Result<Self> {
        let text = text.trim();
        if !is_secret_length(text) {
            return Err(Error::authentication(too_long(&"the token".into()))
                .with_hint("No token is that long: check where it comes from."));
        }
        let visible = !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic());
        // Dropping the last clone overwrites the memory of the header.
        let value = Zeroizing::new(format!("Bearer {text}").into_bytes());
        let shared = || HeaderValue::from_maybe_shared(Bytes::from_owner(value)).ok();
        let header = visible.then(shared).flatten();
        let Some(mut header) = header else {
            return Err(Error::authentication("the token is empty or contains invalid characters")
                .with_hint(
                    "A token is one word of letters, digits and punctuation. Check where it comes from.",
                ));
        };
        header.set_sensitive(true);
        Ok(Self(Arc::new(AccessTokenInner { header, worked: AtomicBool::new(false) })))
    }

    /// The value of the header `Authorization`, marked as sensitive.
    pub fn header_value(&self) -> HeaderValue {
        self.0.header.clone()
    }

    /// The token itself, for redaction: the service's messages are searched for it.
    pub(crate) fn reveal(&self) -> &str {
        self.0.header.to_str().ok().and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default()
    }

    /// Records that the service has accepted the token.
    pub fn accepted(&self) {
        if !self.has_worked() {
            self.0.worked.store(true, Ordering::Relaxed);
        }
    }

    pub(super) fn has_worked(&self) -> bool {
        self.0.worked.load(Ordering::Relaxed)
    }
}

impl PartialEq for AccessToken {
    fn eq(&self, other: &Self) -> bool {
        self.0.header == other.0.header
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(***)")
    }
}
