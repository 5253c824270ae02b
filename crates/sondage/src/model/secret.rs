//! Text that must not be seen.

use serde::{Deserialize, Serialize, Serializer};
use std::cell::RefCell;
use std::fmt;
use zeroize::Zeroize;

/// A password, a token or a client secret. It is sent, and shown nowhere: `Debug` and `Display` print stars. Its memory is
/// overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text itself, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Whether there is any text.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

thread_local! {
    /// The secrets of the request that is being written on this thread.
    static WRITTEN: RefCell<Option<Vec<Secret>>> = const { RefCell::new(None) };
}

impl Serialize for Secret {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WRITTEN.with_borrow_mut(|written| {
            if let Some(written) = written {
                written.push(self.clone());
            }
        });
        serializer.serialize_str(&self.0)
    }
}

/// Writes a request, and says which secrets stand in it: every one that is written, wherever in the request it is.
pub(crate) fn write_noting_secrets<T: Serialize>(request: &T) -> serde_json::Result<(Vec<u8>, Vec<Secret>)> {
    WRITTEN.set(Some(Vec::new()));
    let body = serde_json::to_vec(request);
    let secrets = WRITTEN.take().unwrap_or_default();
    body.map(|body| (body, secrets))
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
