//! Webhooks: what is registered, which requests are accepted, and how each event is handled once. The core verifies the
//! requests.
#![allow(clippy::needless_pass_by_value)] // what comes from Kotlin and Swift is always ours

mod asking;
mod guard;
mod shapes;

pub use guard::{Claim, ClaimState, Guard};
pub use shapes::*;

use crate::SondageError;
use crate::convert::{ConversionError, IntoFfi, TryFromFfi, argument};
use crate::value::Secret;
use sondage::webhook::{Basic, Bearer, Hook as Core, ObscureUrl, Profile, SignedUrl, Strategy};
use sondage::{Error, Timestamp};
use std::sync::Arc;
use std::time::SystemTime;

/// A webhook: what is registered, and which requests are accepted. It is made with one of four strategies.
#[derive(uniffi::Object)]
pub struct Hook(Core);

/// A header of a request.
#[derive(uniffi::Record)]
pub struct Header {
    /// Its name, in any case.
    pub name: String,
    /// Its value, unchanged.
    pub value: Vec<u8>,
}

/// The verdict on a request.
#[allow(clippy::large_enum_variant)] // uniffi does not support boxes
#[derive(Debug, uniffi::Enum)]
pub enum WebHookVerdict {
    /// A genuine event.
    Accepted {
        /// The event.
        event: Event,
    },
    /// Not a genuine event. Respond with status 401 and an empty body, whatever the reason, so that a stranger learns
    /// nothing.
    Refused {
        /// The reason as a code, for the log; the same in every language.
        reason: String,
        /// The meaning, and what to do about it.
        explanation: String,
    },
}

impl Hook {
    /// The event as the core represents it.
    pub fn core(&self) -> &Core {
        &self.0
    }
}

type Made = Result<Arc<Hook>, SondageError>;

fn made(strategy: Strategy) -> Made {
    Ok(Arc::new(Hook(Core::new(strategy)?)))
}

/// A number from a user, in the core's range.
fn number<T: TryFrom<i64>>(name: &str, given: i64) -> Result<T, SondageError> {
    let wrong = |_| Error::invalid_argument(format!("`{name}` cannot be {given}"));
    T::try_from(given).map_err(|error| wrong(error).into())
}

fn time(name: &str, given: Option<SystemTime>) -> Result<Option<Timestamp>, SondageError> {
    Ok(argument(name, given)?)
}

#[uniffi::export]
impl Hook {
    /// An unguessable address. The simplest strategy; but addresses end up in logs.
    ///
    /// - `secret`: The end of the existing address, 32 characters or more. Default: a new one is generated.
    #[uniffi::constructor(default(secret = None))]
    pub fn obscure_url(secret: Option<Secret>) -> Made {
        made(match secret {
            Some(secret) => Strategy::ObscureUrl(ObscureUrl::new(secret)),
            None => Strategy::obscure_url()?,
        })
    }

    /// User name and password.
    ///
    /// - `user`: The name.
    /// - `password`: The password.
    #[uniffi::constructor]
    pub fn basic(user: String, password: Secret) -> Made {
        made(Strategy::Basic(Basic::new(user, password)))
    }

    /// A long-lived token, signed with HS256.
    ///
    /// - `key`: 32 bytes or more.
    /// - `audience`: The audience of the token: a name of your receiver, for example its address.
    /// - `days`: The validity of the token in days. Each event says when it expires soon.
    /// - `issuer`: The issuer of the token.
    /// - `issuedAt`: When it is issued. Default: now.
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

    /// A signed address.
    ///
    /// - `key`: 32 bytes or more.
    /// - `days`: The validity of the address in days.
    /// - `resource`: The resource: a name of your own, so that one key can sign for several receivers.
    /// - `permission`: The permission. Default: `"d"` (deliver).
    /// - `issuedAt`: When it is signed. Default: now.
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
    /// - `days`: The validity of the address in days.
    /// - `permission`: The permission. Default: `"w"`.
    /// - `issuedAt`: When it is signed. Default: now.
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

    /// A webhook from its stored JSON: the result of `toJson`, which `sondage webhooks listen --hook` reads as well.
    ///
    /// - `text`: The JSON.
    #[uniffi::constructor]
    pub fn from_json(text: String) -> Made {
        Ok(Arc::new(Self(text.parse()?)))
    }

    /// The webhook as JSON, with its secrets in plain text: store it where secrets are stored.
    pub fn to_json(&self) -> Secret {
        self.0.to_json()
    }

    /// `"obscureUrl"`, `"basic"`, `"bearer"` or `"signedUrl"`.
    pub fn strategy(&self) -> String {
        self.0.strategy().name().to_owned()
    }

    /// The security token to register; nothing if the strategy has none.
    pub fn security_token(&self) -> Option<Secret> {
        Some(self.0.security_token()).filter(|token| !token.is_empty())
    }

    /// When the registered credential expires: the webhook must be registered again before that.
    pub fn ends(&self) -> Option<SystemTime> {
        self.0.ends().into_ffi()
    }

    /// The address to register, derived from the address at which the receiver is reached: https, or http on this machine
    /// for testing. It may contain a secret.
    ///
    /// - `base`: The address of the receiver.
    pub fn url(&self, base: String) -> Result<Secret, SondageError> {
        Ok(self.0.url(&base)?.into())
    }

    /// Accepts the previous secret as well, while the registration is being changed to this one.
    ///
    /// - `previous`: The webhook that is still registered.
    pub fn accepting(&self, previous: &Hook) -> Made {
        Ok(Arc::new(Self(self.0.clone().accepting(previous.0.strategy().clone())?)))
    }

    /// Sets the event type for bodies that do not name one. Use a separate address for each event type then.
    ///
    /// - `kind`: The type of events.
    pub fn for_event(&self, kind: crate::EventType) -> Made {
        let kind = kind.try_from_ffi().map_err(ConversionError::into_argument_error)?;
        Ok(Arc::new(Self(self.0.clone().for_event(kind))))
    }

    /// The maximum size of a body, in bytes.
    pub fn largest_body(&self) -> i64 {
        self.0.largest_body().into_ffi()
    }

    /// The same webhook with another maximum size for bodies, in bytes. Default: 1 MiB.
    ///
    /// - `bytes`: The size.
    pub fn max_body(&self, bytes: i64) -> Made {
        Ok(Arc::new(Self(self.0.clone().max_body(number("bytes", bytes)?))))
    }

    /// Verifies a request.
    ///
    /// - `url`: Its address: complete, or path and query.
    /// - `headers`: All of its headers.
    /// - `body`: The bytes received, before any parser.
    /// - `now`: The current time, for tests.
    #[uniffi::method(default(now = None))]
    pub fn judge(
        &self,
        url: String,
        headers: Vec<Header>,
        body: Vec<u8>,
        now: Option<SystemTime>,
    ) -> Result<WebHookVerdict, SondageError> {
        let now = time("now", now)?.unwrap_or_else(Timestamp::now);
        let headers = headers.into_iter().map(|header| (header.name, header.value));
        Ok(match self.0.verify_at(now.0, &url, headers, &body) {
            Ok(event) => WebHookVerdict::Accepted { event: event.into_ffi() },
            Err(refusal) => WebHookVerdict::Refused {
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
