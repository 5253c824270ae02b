//! What exactly is signed in an address: the two profiles of [`SignedUrl`](super::SignedUrl).

use super::crypto;
use super::refusal::Reason;
use crate::error::{Error, Result};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// How a signed address is written. The specification names the parameters but not the rules, so both profiles are
/// assumed; what matters is that the receiver verifies what was registered.
// API 10.9
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Profile {
    /// This library's own. `sv` is `1`, `se` the expiry (`2027-05-01T12:30:00Z`), `sr` the resource's name, `sp` the
    /// permission `d` (deliver). `sig` is HMAC-SHA256 in base64url without padding, keyed with the bytes of the key's
    /// text, of these five lines joined with `\n`: `sondage-webhook`, `sv`, `se`, `sr`, `sp`, each decoded.
    #[default]
    Sondage,
    /// The rules by which the Azure libraries sign a blob URL with an account key. `sv` is a date from `2020-12-06` on,
    /// `sr` is `b`, `sp` the permission `w`; the key is base64. `sig` is HMAC-SHA256 in base64 of sixteen lines: `sp`,
    /// (start), `se`, the resource (`/blob/account/container/name`), (identifier), (addresses), (protocol), `sv`, `sr`,
    /// and seven empty ones. Addresses that use more than the five parameters are not accepted.
    Azure,
}

/// The five parameters, decoded.
pub(super) struct Parameters<'a> {
    pub(super) sv: &'a str,
    pub(super) se: &'a str,
    pub(super) sr: &'a str,
    pub(super) sp: &'a str,
}

/// The version of new Azure addresses, which is also the first that is signed by these rules.
const AZURE: &str = "2022-11-02";
const AZURE_FROM: &str = "2020-12-06";

impl Profile {
    /// `sv` of a new address.
    pub(super) fn version(self) -> &'static str {
        match self {
            Self::Sondage => "1",
            Self::Azure => AZURE,
        }
    }

    /// Whether these rules apply to a version.
    pub(super) fn knows(self, version: &str) -> bool {
        match self {
            Self::Sondage => version == "1",
            Self::Azure => NaiveDate::parse_from_str(version, "%Y-%m-%d")
                .is_ok_and(|date| date.to_string() == version && version >= AZURE_FROM),
        }
    }

    /// `sr` of an address.
    pub(super) fn resource(self, configured: &str) -> &str {
        match self {
            Self::Sondage => configured,
            Self::Azure => "b",
        }
    }

    /// The key's bytes, overwritten when they are dropped.
    pub(super) fn key(self, text: &str) -> Result<Zeroizing<Vec<u8>>> {
        let bytes = match self {
            Self::Sondage => text.as_bytes().to_vec(),
            Self::Azure => STANDARD
                .decode(text)
                .map_err(|_| Error::invalid_argument("the key of an Azure address is not base64"))?,
        };
        Ok(Zeroizing::new(bytes))
    }

    fn string_to_sign(self, given: &Parameters<'_>, resource: &str) -> String {
        let Parameters { sv, se, sr, sp } = given;
        match self {
            Self::Sondage => ["sondage-webhook", sv, se, sr, sp].join("\n"),
            Self::Azure => [sp, "", se, resource, "", "", "", sv, sr, "", "", "", "", "", "", ""].join("\n"),
        }
    }

    pub(super) fn sign(self, key: &[u8], given: &Parameters<'_>, resource: &str) -> String {
        let text = self.string_to_sign(given, resource);
        let signature = crypto::sign(key, text.as_bytes());
        match self {
            Self::Sondage => URL_SAFE_NO_PAD.encode(signature),
            Self::Azure => STANDARD.encode(signature),
        }
    }

    pub(super) fn verify(
        self,
        key: &[u8],
        given: &Parameters<'_>,
        resource: &str,
        sig: &str,
    ) -> std::result::Result<(), Reason> {
        let decoded = match self {
            Self::Sondage => URL_SAFE_NO_PAD.decode(sig),
            Self::Azure => STANDARD.decode(sig),
        };
        let signature = decoded.map_err(|_| Reason::ParameterMalformed)?;
        let text = self.string_to_sign(given, resource);
        if crypto::is_signed(key, text.as_bytes(), &signature) { Ok(()) } else { Err(Reason::SignatureWrong) }
    }

    /// `se` of a new address.
    pub(super) fn write_end(end: DateTime<Utc>) -> String {
        end.to_rfc3339_opts(SecondsFormat::Secs, true)
    }

    /// The expiry of an address. Azure also writes it without seconds or as a date.
    pub(super) fn read_end(self, text: &str) -> Option<DateTime<Utc>> {
        let exact = |format: &str| {
            let time = NaiveDateTime::parse_from_str(text, format).ok()?;
            (time.format(format).to_string() == text).then(|| time.and_utc())
        };
        let seconds = exact("%Y-%m-%dT%H:%M:%SZ");
        if self == Self::Sondage {
            return seconds;
        }
        let day = || {
            let day = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
            (day.to_string() == text).then(|| day.and_time(NaiveTime::MIN).and_utc())
        };
        seconds.or_else(|| exact("%Y-%m-%dT%H:%MZ")).or_else(day)
    }
}
