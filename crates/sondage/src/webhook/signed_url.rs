//! Strategy 4: a signed address.
// API 10.9

use super::bearer::{check_days, check_key, days, ends};
use super::received::Received;
use super::refusal::Reason;
use super::signing::{Parameters, Profile};
use crate::error::{Error, Result};
use crate::model::{Secret, Timestamp};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The address contains `sv`, `se`, `sr`, `sp` and `sig`. There is no security token, and the key is never sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a signed URL, an object with its key")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct SignedUrl {
    /// The key, 32 bytes or more; for Azure in base64.
    pub key: Secret,
    /// The rules by which it is signed.
    #[serde(default)]
    pub profile: Profile,
    /// The resource: a name of your own (default `webhook`), so that one key can sign for several receivers; for Azure
    /// the path of the resource.
    #[serde(default = "resource")]
    pub resource: String,
    /// The permission. Default: `d` by this library's rules, `w` by Azure's.
    #[serde(default)]
    pub permission: Option<String>,
    /// The validity of the address, in days. Default: a year.
    #[serde(default = "days")]
    pub days: u32,
    /// When the address was signed. Default: now.
    #[serde(default = "Timestamp::now")]
    pub issued_at: Timestamp,
}

fn resource() -> String {
    "webhook".to_owned()
}

/// The parameters in the order in which they are written.
const NAMES: [&str; 5] = ["sv", "se", "sr", "sp", "sig"];

impl SignedUrl {
    /// An address signed now: set the fields for anything else that is not the default.
    pub fn new(key: impl Into<Secret>, profile: Profile, resource: Option<String>, days: u32) -> Self {
        let resource = resource.unwrap_or_else(self::resource);
        Self { key: key.into(), profile, resource, permission: None, days, issued_at: Timestamp::now() }
    }

    pub(super) fn check(&self) -> Result<()> {
        check_key(self.profile.key(self.key.reveal())?.len())?;
        check_days(self.days)?;
        // A line feed could make one signed line look like two.
        let wrong = |text: &str| text.is_empty() || text.len() > 256 || text.chars().any(char::is_control);
        if wrong(&self.resource) || wrong(self.permission()) {
            return Err(Error::invalid_argument(
                "the resource and the permission of a signed address must be 1 to 256 bytes of visible text",
            ));
        }
        Ok(())
    }

    fn permission(&self) -> &str {
        let usual = if self.profile == Profile::Azure { "w" } else { "d" };
        self.permission.as_deref().unwrap_or(usual)
    }

    pub(super) fn ends(&self) -> Timestamp {
        ends(self.issued_at, self.days)
    }

    /// The parameters of a new address, as a query string.
    pub(super) fn query(&self) -> Result<String> {
        let end = Profile::write_end(self.ends().0);
        let (sv, sr) = (self.profile.version(), self.profile.resource(&self.resource));
        let parameters = Parameters { sv, se: &end, sr, sp: self.permission() };
        let sig = self.profile.sign(&self.profile.key(self.key.reveal())?, &parameters, &self.resource);
        let values = [sv, &end, sr, self.permission(), &sig];
        let pairs = NAMES.iter().zip(values).map(|(name, value)| format!("{name}={}", encode(value)));
        Ok(pairs.collect::<Vec<_>>().join("&"))
    }

    /// Whether a query already holds one of the parameters.
    pub(super) fn clashes(query: &str) -> bool {
        pairs(query).iter().any(|(name, _)| name.as_ref().is_some_and(|name| NAMES.contains(&name.as_ref())))
    }

    /// When the address of a request expires.
    pub(super) fn verify(
        &self,
        received: &Received<'_>,
        now: DateTime<Utc>,
    ) -> std::result::Result<Option<Timestamp>, Reason> {
        let [sv, se, sr, sp, sig] = read(received.query)?;
        let key = self.profile.key(self.key.reveal()).map_err(|_| Reason::SignatureWrong)?;
        if !self.profile.knows(&sv) {
            return Err(Reason::VersionWrong);
        }
        let parameters = Parameters { sv: &sv, se: &se, sr: &sr, sp: &sp };
        self.profile.verify(&key, &parameters, &self.resource, &sig)?;
        // From here on the address is known to be signed with the key.
        let end = self.profile.read_end(&se).ok_or(Reason::ParameterMalformed)?;
        if sr != self.profile.resource(&self.resource) || sp != self.permission() {
            return Err(Reason::ResourceWrong);
        }
        if end <= now {
            return Err(Reason::Expired);
        }
        Ok(Timestamp::of(end))
    }
}

/// Each parameter exactly once. Names are decoded before they are counted: `%73ig` is a second `sig`. Other parameters
/// belong to the receiver, and are not signed.
fn read(query: &str) -> std::result::Result<[Cow<'_, str>; 5], Reason> {
    let mut parameters: [Option<Cow<'_, str>>; 5] = Default::default();
    for (name, value) in pairs(query) {
        let Some(name) = name else { continue };
        let Some(at) = NAMES.iter().position(|known| *known == name) else { continue };
        let value = value.filter(|value| !value.is_empty()).ok_or(Reason::ParameterMalformed)?;
        if value.chars().any(char::is_control) {
            return Err(Reason::ParameterMalformed);
        }
        if parameters[at].replace(value).is_some() {
            return Err(Reason::ParameterDoubled);
        }
    }
    match parameters {
        [Some(sv), Some(se), Some(sr), Some(sp), Some(sig)] => Ok([sv, se, sr, sp, sig]),
        _ => Err(Reason::ParameterMissing),
    }
}

/// Decoded text; nothing if it cannot be decoded.
type Decoded<'a> = Option<Cow<'a, str>>;

/// Names and values.
fn pairs(query: &str) -> Vec<(Decoded<'_>, Decoded<'_>)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty()).map(|pair| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        (decode(name), decode(value))
    });
    pairs.collect()
}

/// Percent-decoding only: `+` stays unchanged, because base64 uses it.
fn decode(text: &str) -> Decoded<'_> {
    if !text.contains('%') {
        return Some(Cow::Borrowed(text));
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        rest = after;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let digit = |at: usize| char::from(*after.get(at)?).to_digit(16);
        bytes.push(u8::try_from(digit(0)? * 16 + digit(1)?).ok()?);
        rest = &after[2..];
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn encode(text: &str) -> String {
    use std::fmt::Write as _;
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(byte.into());
        } else {
            let _ = write!(encoded, "%{byte:02X}"); // Writing into a String cannot fail.
        }
    }
    encoded
}
