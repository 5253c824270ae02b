//! Webhooks: what is registered, what is accepted, and how each event is handled once. The core judges.
#![allow(clippy::needless_pass_by_value)] // what comes from Kotlin and Swift is always ours

mod asking;
mod guard;
mod shapes;

pub use guard::{Claim, ClaimState, Guard};
pub use shapes::*;

use crate::SondageError;
use crate::convert::{ConversionError, IntoFfi, TryFromFfi, argument};
use crate::value::Secret;
use sondage::webhook::{
    Basic, Bearer, EnsureOutcome, Hook as Core, ObscureUrl, Profile, SignedUrl, Strategy,
};
use sondage::{Error, Timestamp};
use std::sync::Arc;
use std::time::SystemTime;

/// A webhook: what is registered, and what is accepted. It is made from one of four strategies.
#[derive(uniffi::Object)]
pub struct Hook(Core);

/// A header of a request.
#[derive(uniffi::Record)]
pub struct Header {
    /// Its name, in any case.
    pub name: String,
    /// Its value, as it arrived.
    pub value: Vec<u8>,
}

/// What became of a request.
#[allow(clippy::large_enum_variant)] // uniffi knows no boxes
#[derive(Debug, uniffi::Enum)]
pub enum Verdict {
    /// It is an event of ours.
    Accepted {
        /// The event.
        event: Event,
    },
    /// It is not. Answer with status 401 and an empty body, whatever the reason: a stranger learns nothing from it.
    Refused {
        /// Why, in one word, for the log: the same in every language.
        reason: String,
        /// Its meaning, and what to do about it.
        explanation: String,
    },
}

impl Hook {
    /// What the core knows of it.
    pub fn core(&self) -> &Core {
        &self.0
    }
}

impl IntoFfi<String> for EnsureOutcome {
    fn into_ffi(self) -> String {
        self.as_str().to_owned()
    }
}

type Made = Result<Arc<Hook>, SondageError>;

fn made(strategy: Strategy) -> Made {
    Ok(Arc::new(Hook(Core::new(strategy)?)))
}

/// A number that a user gives, within what the core counts with.
fn number<T: TryFrom<i64>>(name: &str, given: i64) -> Result<T, SondageError> {
    let wrong = |_| Error::invalid_argument(format!("`{name}` cannot be {given}"));
    T::try_from(given).map_err(|error| wrong(error).into())
}

fn time(name: &str, given: Option<SystemTime>) -> Result<Option<Timestamp>, SondageError> {
    Ok(argument(name, given)?)
}

#[uniffi::export]
impl Hook {
    /// An address that nobody can guess. The simplest; but addresses end up in logs.
    ///
    /// - `secret`: The end of the address, 32 characters or more, from the last time. Without it a new one is made.
    #[uniffi::constructor(default(secret = None))]
    pub fn obscure_url(secret: Option<Secret>) -> Made {
        made(match secret {
            Some(secret) => Strategy::ObscureUrl(ObscureUrl::new(secret)),
            None => Strategy::obscure_url()?,
        })
    }

    /// User name and password.
    #[uniffi::constructor]
    pub fn basic(user: String, password: Secret) -> Made {
        made(Strategy::Basic(Basic::new(user, password)))
    }

    /// A token with a long life, signed with HS256.
    ///
    /// - `key`: 32 bytes or more.
    /// - `audience`: Who is to accept the token: a name of your receiver, for example its address.
    /// - `days`: For how long it is good. Each event says when it ends soon.
    /// - `issuer`: Who makes the token.
    /// - `issuedAt`: When it is made; now when left out.
    #[uniffi::constructor(default(days = 365, issuer = "sondage", issued_at = None))]
    pub fn bearer(
        key: Secret,
        audience: String,
        days: i64,
        issuer: String,
        issued_at: Option<SystemTime>,
    ) -> Made {
        let mut bearer = Bearer::new(key, audience, number("days", days)?);
        bearer.issuer = issuer;
        bearer.issued_at = time("issued_at", issued_at)?.unwrap_or(bearer.issued_at);
        made(Strategy::Bearer(bearer))
    }

    /// An address that carries its own signature.
    ///
    /// - `key`: 32 bytes or more.
    /// - `days`: For how long it is good.
    /// - `resource`: What the address is for: a name of your own, so that one key can sign for several receivers.
    /// - `permission`: What it allows; `d` (deliver) when left out.
    /// - `issuedAt`: When it is made; now when left out.
    #[uniffi::constructor(default(days = 365, resource = "webhook", permission = None, issued_at = None))]
    pub fn signed_url(
        key: Secret,
        days: i64,
        resource: String,
        permission: Option<String>,
        issued_at: Option<SystemTime>,
    ) -> Made {
        signed(Profile::Sondage, key, resource, days, permission, issued_at)
    }

    /// An address that is signed by the rules of Azure for a blob.
    ///
    /// - `key`: The account's key, in base64.
    /// - `resource`: `/blob/account/container/name`.
    /// - `days`: For how long it is good.
    /// - `permission`: What it allows; `w` when left out.
    /// - `issuedAt`: When it is made; now when left out.
    #[uniffi::constructor(default(days = 365, permission = None, issued_at = None))]
    pub fn azure_signed_url(
        key: Secret,
        resource: String,
        days: i64,
        permission: Option<String>,
        issued_at: Option<SystemTime>,
    ) -> Made {
        signed(Profile::Azure, key, resource, days, permission, issued_at)
    }

    /// A webhook that was kept as JSON: what `toJson` gives, and what `sondage webhooks listen --hook` reads.
    #[uniffi::constructor]
    pub fn from_json(text: String) -> Made {
        Ok(Arc::new(Self(text.parse()?)))
    }

    /// The webhook as JSON. Its secrets are readable in it: keep it where secrets are kept.
    pub fn to_json(&self) -> Secret {
        self.0.to_json()
    }

    /// `obscureUrl`, `basic`, `bearer` or `signedUrl`.
    pub fn strategy(&self) -> String {
        self.0.strategy().name().to_owned()
    }

    /// What to register besides the address; nothing where the strategy has none.
    pub fn security_token(&self) -> Option<Secret> {
        Some(self.0.security_token()).filter(|token| !token.is_empty())
    }

    /// When what is registered ends, and the webhook must have been registered again.
    pub fn ends(&self) -> Option<SystemTime> {
        self.0.ends().into_ffi()
    }

    /// The address to register, from the one at which the receiver is reached: https, or http on this machine for trying
    /// things out. It may hold a secret.
    pub fn url(&self, base: String) -> Result<Secret, SondageError> {
        Ok(self.0.url(&base)?.into())
    }

    /// Accepts the secret from before as well, while the registration is moved to this one.
    pub fn accepting(&self, previous: &Hook) -> Made {
        Ok(Arc::new(Self(self.0.clone().accepting(previous.0.strategy().clone())?)))
    }

    /// Says which event is meant when a body does not. Give each event an address of its own then.
    pub fn for_event(&self, kind: crate::EventType) -> Made {
        let kind = kind.try_from_ffi().map_err(ConversionError::into_argument_error)?;
        Ok(Arc::new(Self(self.0.clone().for_event(kind))))
    }

    /// The largest body that is read, in bytes.
    pub fn largest_body(&self) -> i64 {
        self.0.largest_body().into_ffi()
    }

    /// The same webhook with another limit for bodies, in bytes. 1 MiB by default.
    pub fn max_body(&self, bytes: i64) -> Made {
        Ok(Arc::new(Self(self.0.clone().max_body(number("bytes", bytes)?))))
    }

    /// Judges a request.
    ///
    /// - `url`: Its address: the whole, or path and query.
    /// - `headers`: All of its headers.
    /// - `body`: The bytes that arrived, before any parser.
    /// - `now`: Another time than now, for tests.
    #[uniffi::method(default(now = None))]
    pub fn judge(
        &self,
        url: String,
        headers: Vec<Header>,
        body: Vec<u8>,
        now: Option<SystemTime>,
    ) -> Result<Verdict, SondageError> {
        let now = time("now", now)?.unwrap_or_else(Timestamp::now);
        let headers = headers.into_iter().map(|header| (header.name, header.value));
        Ok(match self.0.verify_at(now.0, &url, headers, &body) {
            Ok(event) => Verdict::Accepted { event: event.into_ffi() },
            Err(refusal) => Verdict::Refused {
                reason: refusal.reason.code().to_owned(),
                explanation: refusal.reason.explanation().to_owned(),
            },
        })
    }
}

fn signed(
    profile: Profile,
    key: Secret,
    resource: String,
    days: i64,
    permission: Option<String>,
    issued_at: Option<SystemTime>,
) -> Made {
    let mut url = SignedUrl::new(key, profile, Some(resource), number("days", days)?);
    url.permission = permission;
    url.issued_at = time("issued_at", issued_at)?.unwrap_or(url.issued_at);
    made(Strategy::SignedUrl(url))
}
