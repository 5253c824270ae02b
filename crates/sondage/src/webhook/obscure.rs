//! Strategy 1: an unguessable address.
// API 10.9

use super::crypto::{random, same};
use super::received::Received;
use super::refusal::Reason;
use crate::error::{Error, Result};
use crate::hex::hex;
use crate::model::Secret;
use serde::{Deserialize, Serialize};

/// The address ends in a secret of 32 characters or more. There is no security token.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an obscure URL, an object with its secret")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct ObscureUrl {
    /// The last segment of the path.
    pub secret: Secret,
}

impl ObscureUrl {
    /// The secret of an address that is already registered.
    pub fn new(secret: impl Into<Secret>) -> Self {
        Self { secret: secret.into() }
    }

    /// A new secret: 128 random bits from the operating system, as 32 hexadecimal digits.
    pub(super) fn random() -> Result<Self> {
        Ok(Self::new(hex(&random()?)))
    }

    /// The service's own examples have 32 characters in one place and a GUID of 36 in another: any length from 32 on is
    /// accepted.
    pub(super) fn check(&self) -> Result<()> {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
        let text = self.secret.reveal();
        if (32..=256).contains(&text.len()) && text.bytes().all(plain) {
            return Ok(());
        }
        Err(Error::invalid_argument(
            "the secret of an obscure URL must be 32 to 256 characters of A-Z, a-z, 0-9, `-`, `.`, `_` and `~`",
        ))
    }

    pub(super) fn verify(&self, received: &Received<'_>) -> std::result::Result<(), Reason> {
        // Compared undecoded: `%61` is not `a`, and case matters. The query is not part of the secret.
        match received.path.rsplit('/').next() {
            None | Some("") => Err(Reason::SecretMissing),
            Some(last) if same(last.as_bytes(), self.secret.reveal().as_bytes()) => Ok(()),
            Some(_) => Err(Reason::SecretWrong),
        }
    }
}
