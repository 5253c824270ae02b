//! How a receiver recognises the service.
// API 10.9

use super::received::Received;
use super::refusal::Reason;
use super::{Basic, Bearer, ObscureUrl, Profile, SignedUrl};
use crate::error::Result;
use crate::model::{Secret, Timestamp};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// One of the four strategies with its secret. As JSON it is an object with `strategy` and the strategy's fields, which
/// contains the secret in plain text: store it where secrets are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "the strategy of a webhook, an object with its secret")]
#[serde(tag = "strategy", rename_all = "camelCase")]
#[non_exhaustive]
pub enum Strategy {
    /// An unguessable address. The simplest strategy; but addresses end up in logs.
    ObscureUrl(ObscureUrl),
    /// User name and password.
    Basic(Basic),
    /// A long-lived token.
    Bearer(Bearer),
    /// A signed address.
    SignedUrl(SignedUrl),
}

impl Strategy {
    /// A new unguessable address: it will end in 32 hexadecimal digits. Store [`ObscureUrl::secret`].
    pub fn obscure_url() -> Result<Self> {
        ObscureUrl::random().map(Self::ObscureUrl)
    }

    /// The address with an existing secret of 32 characters or more.
    pub fn obscure_url_with(secret: impl Into<Secret>) -> Result<Self> {
        Self::ObscureUrl(ObscureUrl { secret: secret.into() }).checked()
    }

    /// User name and password.
    pub fn basic(user: impl Into<String>, password: impl Into<Secret>) -> Result<Self> {
        Self::Basic(Basic { user: user.into(), password: password.into() }).checked()
    }

    /// A token that is valid for this many days; a year is usual. The key has 32 bytes or more.
    pub fn bearer(key: impl Into<Secret>, audience: impl Into<String>, days: u32) -> Result<Self> {
        Self::Bearer(Bearer::new(key, audience, days)).checked()
    }

    /// An address that is signed by this library's rules and valid for this many days. The key has 32 bytes or more.
    pub fn signed_url(key: impl Into<Secret>, days: u32) -> Result<Self> {
        Self::SignedUrl(SignedUrl::new(key, Profile::Sondage, None, days)).checked()
    }

    /// An address that is signed by Azure's rules for a blob, with an account key in base64 and the resource
    /// `/blob/account/container/name`.
    pub fn azure_signed_url(key: impl Into<Secret>, resource: impl Into<String>, days: u32) -> Result<Self> {
        Self::SignedUrl(SignedUrl::new(key, Profile::Azure, Some(resource.into()), days)).checked()
    }

    fn checked(self) -> Result<Self> {
        self.check()?;
        Ok(self)
    }

    pub(super) fn check(&self) -> Result<()> {
        match self {
            Self::ObscureUrl(strategy) => strategy.check(),
            Self::Basic(strategy) => strategy.check(),
            Self::Bearer(strategy) => strategy.check(),
            Self::SignedUrl(strategy) => strategy.check(),
        }
    }

    /// The name, as in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            Self::ObscureUrl(_) => "obscureUrl",
            Self::Basic(_) => "basic",
            Self::Bearer(_) => "bearer",
            Self::SignedUrl(_) => "signedUrl",
        }
    }

    /// The earliest expiry of the registered certificates and secrets; none if none of them expires.
    pub fn ends(&self) -> Option<Timestamp> {
        match self {
            Self::ObscureUrl(_) | Self::Basic(_) => None,
            Self::Bearer(strategy) => Some(strategy.ends()),
            Self::SignedUrl(strategy) => Some(strategy.ends()),
        }
    }

    /// The validity of a token or an address in days; none if it does not expire.
    pub(super) fn days(&self) -> Option<u32> {
        match self {
            Self::ObscureUrl(_) | Self::Basic(_) => None,
            Self::Bearer(strategy) => Some(strategy.days),
            Self::SignedUrl(strategy) => Some(strategy.days),
        }
    }

    /// The same with a new token or address. Receivers accept both, because they have the key.
    pub(super) fn made_now(mut self) -> Self {
        match &mut self {
            Self::ObscureUrl(_) | Self::Basic(_) => {}
            Self::Bearer(strategy) => strategy.issued_at = Timestamp::now(),
            Self::SignedUrl(strategy) => strategy.issued_at = Timestamp::now(),
        }
        self
    }

    /// The value of `SecurityToken`: the complete `Authorization` header for Basic and Bearer, empty for the others.
    // API 10.1
    pub fn security_token(&self) -> Secret {
        match self {
            Self::Basic(strategy) => strategy.security_token(),
            Self::Bearer(strategy) => strategy.security_token(),
            Self::ObscureUrl(_) | Self::SignedUrl(_) => Secret::from(""),
        }
    }

    /// When the credential in a request expires, if it does.
    pub(super) fn verify(
        &self,
        received: &Received<'_>,
        now: DateTime<Utc>,
    ) -> std::result::Result<Option<Timestamp>, Reason> {
        match self {
            Self::ObscureUrl(strategy) => strategy.verify(received).map(|()| None),
            Self::Basic(strategy) => strategy.verify(received).map(|()| None),
            Self::Bearer(strategy) => strategy.verify(received, now),
            Self::SignedUrl(strategy) => strategy.verify(received, now),
        }
    }
}
