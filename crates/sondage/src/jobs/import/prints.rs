//! Keyed digests of rows: they distinguish rows without containing values.

use base64::{Engine as _, engine::general_purpose::STANDARD_NO_PAD as BASE64};
use ring::hmac::{self, HMAC_SHA256};

/// The size of a [`Print`] in bytes.
const SIZE: usize = 16;

/// A row's key and its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Print {
    /// Of the exact key.
    pub key: u64,
    /// Of all values.
    pub values: u64,
}

/// Makes digests that are equal for equal values only, and other ones in every journal.
pub(in crate::jobs) struct Prints(hmac::Key);

impl Prints {
    pub fn new(salt: &str) -> Self {
        Self(hmac::Key::new(HMAC_SHA256, salt.as_bytes()))
    }

    pub fn of(&self, bytes: &[u8]) -> u64 {
        let tag = hmac::sign(&self.0, bytes);
        tag.as_ref().first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
    }
}

/// Encodes digests for a journal.
pub(super) fn packed(prints: &[Print]) -> String {
    let bytes: Vec<u8> = prints
        .iter()
        .flat_map(|print| [print.key.to_le_bytes(), print.values.to_le_bytes()])
        .flatten()
        .collect();
    BASE64.encode(bytes)
}

/// Decodes them; nothing if the text is invalid.
pub(super) fn unpacked(text: &str) -> Vec<Print> {
    let bytes = BASE64.decode(text).unwrap_or_default();
    let number = |bytes: &[u8]| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    bytes.chunks_exact(SIZE).map(|print| Print { key: number(print), values: number(&print[8..]) }).collect()
}

/// A file name for a job, derived from its parameters.
pub(super) fn short(parts: &[&str]) -> String {
    let tag = Prints::new("sondage").of(parts.join("\n").as_bytes());
    format!("{tag:016x}")
}
