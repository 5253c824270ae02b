//! Strategy 3: a token with a long life.
// API 10.9

use super::jwt;
use super::received::Received;
use super::refusal::Reason;
use crate::error::{Error, Result};
use crate::model::{Secret, Timestamp};
use chrono::{DateTime, TimeDelta, Timelike as _, Utc};
use serde::{Deserialize, Serialize};

/// The service sends `Authorization: Bearer` with a JSON Web Token that is made here, signed with HMAC-SHA256 (`HS256`).
///
/// The token is static: the service repeats it until the webhook is registered again. The receiver needs only the key,
/// the audience and the issuer to verify it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Bearer {
    /// The key, 32 bytes or more.
    pub key: Secret,
    /// Who is to accept the token (`aud`): a name of your receiver, for example its address.
    pub audience: String,
    /// Who made the token (`iss`). `sondage` unless it is set.
    #[serde(default = "issuer")]
    pub issuer: String,
    /// How long the token is good, in days. A year unless it is set.
    #[serde(default = "days")]
    pub days: u32,
    /// When the token was made. Now unless it is set.
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
    /// A token that is made now, by `sondage`: set the fields for other ones.
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
                "the audience and the issuer of a token are not 1 to 256 bytes of visible text",
            ));
        }
        Ok(())
    }

    pub(super) fn ends(&self) -> Timestamp {
        ends(self.issued_at, self.days)
    }

    /// The whole value of the header, as it is registered.
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

    /// When the token that arrived ends.
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

/// HMAC-SHA256 is as strong as 32 bytes of key; a shorter one can be searched for.
pub(super) fn check_key(bytes: usize) -> Result<()> {
    if (32..=1024).contains(&bytes) {
        return Ok(());
    }
    Err(Error::invalid_argument("the key of a webhook is not 32 to 1,024 bytes long")
        .with_hint("Take 32 random bytes, written as text, for example what `openssl rand -hex 32` prints."))
}

pub(super) fn check_days(days: u32) -> Result<()> {
    if (1..=3650).contains(&days) {
        return Ok(());
    }
    Err(Error::invalid_argument(format!("a webhook cannot be good for {days} days; 1 to 3,650 are possible")))
}

/// To the second, as it is written into tokens and addresses.
pub(super) fn ends(from: Timestamp, days: u32) -> Timestamp {
    let end = from.0.checked_add_signed(TimeDelta::days(days.into()));
    let end = end.and_then(|end| end.with_nanosecond(0)).and_then(Timestamp::of);
    end.unwrap_or(from)
}
