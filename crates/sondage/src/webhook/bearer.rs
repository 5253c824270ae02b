//! Strategy 3: a long-lived token.
// API 10.9

use super::jwt;
use super::received::Received;
use super::refusal::Reason;
use crate::error::{Error, Result};
use crate::model::{Secret, Timestamp};
use chrono::{DateTime, TimeDelta, Timelike as _, Utc};
use serde::{Deserialize, Serialize};

/// The service sends `Authorization: Bearer` with a JSON Web Token that is created here, signed with HMAC-SHA256
/// (`HS256`).
///
/// The token is static: the service sends the same one until the webhook is registered again. To verify it, the receiver
/// needs only the key, the audience and the issuer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a bearer token, an object with its key")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Bearer {
    /// The key, 32 bytes or more.
    pub key: Secret,
    /// The audience of the token (`aud`): a name of your receiver, for example its address.
    pub audience: String,
    /// The issuer of the token (`iss`). Default: `sondage`.
    #[serde(default = "issuer")]
    pub issuer: String,
    /// The validity of the token, in days. Default: a year.
    #[serde(default = "days")]
    pub days: u32,
    /// When the token was issued. Default: now.
    #[serde(default = "Timestamp::now")]
    pub issued_at: Timestamp,
}

fn issuer() -> String {
    "sondage".to_owned()
}

pub(super) fn days() -> u32 {
    365
}

impl Bearer {
    /// A token issued now by `sondage`: set the fields for anything else.
    pub fn new(key: impl Into<Secret>, audience: impl Into<String>, days: u32) -> Self {
        let (key, audience) = (key.into(), audience.into());
        Self { key, audience, issuer: issuer(), days, issued_at: Timestamp::now() }
    }

    pub(super) fn check(&self) -> Result<()> {
        check_key(self.key.reveal().len())?;
        check_days(self.days)?;
        let wrong = |text: &str| text.is_empty() || text.len() > 256 || text.chars().any(char::is_control);
        if wrong(&self.audience) || wrong(&self.issuer) {
            return Err(Error::invalid_argument(
                "the audience and the issuer of a token must be 1 to 256 bytes of visible text",
            ));
        }
        Ok(())
    }

    pub(super) fn ends(&self) -> Timestamp {
        ends(self.issued_at, self.days)
    }

    /// The complete value of the header, as it is registered.
    pub(super) fn security_token(&self) -> Secret {
        let claims = jwt::Claims {
            iss: &self.issuer,
            aud: &self.audience,
            iat: self.issued_at.0.timestamp(),
            nbf: self.issued_at.0.timestamp(),
            exp: self.ends().0.timestamp(),
        };
        format!("Bearer {}", jwt::mint(self.key.reveal().as_bytes(), &claims)).into()
    }

    /// When the token in a request expires.
    pub(super) fn verify(
        &self,
        received: &Received<'_>,
        now: DateTime<Utc>,
    ) -> std::result::Result<Option<Timestamp>, Reason> {
        let token = received.credentials("Bearer")?;
        let expected =
            jwt::Expected { key: self.key.reveal().as_bytes(), aud: &self.audience, iss: &self.issuer };
        let exp = jwt::verify(token, &expected, now.timestamp())?;
        Ok(DateTime::from_timestamp(exp, 0).and_then(Timestamp::of))
    }
}

/// HMAC-SHA256 is only as strong as 32 bytes of key; a shorter key can be brute-forced.
pub(super) fn check_key(bytes: usize) -> Result<()> {
    if (32..=1024).contains(&bytes) {
        return Ok(());
    }
    Err(Error::invalid_argument("the key of a webhook must be 32 to 1,024 bytes long")
        .with_hint("Take 32 random bytes, written as text, for example what `openssl rand -hex 32` prints."))
}

pub(super) fn check_days(days: u32) -> Result<()> {
    if (1..=3650).contains(&days) {
        return Ok(());
    }
    Err(Error::invalid_argument(format!(
        "a webhook cannot be valid for {days} days; the range is 1 to 3,650"
    )))
}

/// Truncated to seconds, as in tokens and addresses.
pub(super) fn ends(from: Timestamp, days: u32) -> Timestamp {
    let end = from.0.checked_add_signed(TimeDelta::days(days.into()));
    let end = end.and_then(|end| end.with_nanosecond(0)).and_then(Timestamp::of);
    end.unwrap_or(from)
}
