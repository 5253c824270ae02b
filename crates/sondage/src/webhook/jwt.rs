//! JSON Web Tokens, in the only form that is created and accepted here: compact, `HS256`, with `exp`, `aud` and `iss`.
//!
//! A general library accepts what the token asks for; this code accepts what the receiver expects. The algorithm is
//! pinned, so that neither `none` nor algorithm confusion is possible, and the claims are read only after the signature
//! has been verified.

use super::crypto::{is_signed, sign};
use super::refusal::Reason;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Deserializer, Serialize};

/// The allowed clock skew for the start of a token, in seconds. Its end, a year later, has none.
const LEEWAY: i64 = 60;
/// Our tokens have about 300 bytes.
const MAX_TOKEN: usize = 4 << 10;
const HEADER: &str = r#"{"alg":"HS256","typ":"JWT"}"#;

#[derive(Serialize)]
pub(super) struct Claims<'a> {
    pub(super) iss: &'a str,
    pub(super) aud: &'a str,
    pub(super) iat: i64,
    pub(super) nbf: i64,
    pub(super) exp: i64,
}

pub(super) struct Expected<'a> {
    pub(super) key: &'a [u8],
    pub(super) aud: &'a str,
    pub(super) iss: &'a str,
}

pub(super) fn mint(key: &[u8], claims: &Claims<'_>) -> String {
    // Numbers and texts always have a JSON form.
    let claims = serde_json::to_string(claims).unwrap_or_default();
    let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(HEADER), URL_SAFE_NO_PAD.encode(claims));
    let signature = sign(key, signed.as_bytes());
    format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature))
}

/// Unknown fields are ignored, including `jwk` and `jku`: the key is the receiver's own. A duplicate field is an error.
#[derive(Deserialize)]
struct Header {
    alg: Option<String>,
    #[serde(default, deserialize_with = "present")]
    crit: bool,
}

/// Present with any value, including null.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

#[derive(Deserialize)]
struct Arrived {
    iss: Option<String>,
    aud: Option<Audience>,
    exp: Option<i64>,
    nbf: Option<i64>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// When the token expires, in seconds since 1970.
pub(super) fn verify(token: &str, expected: &Expected<'_>, now: i64) -> Result<i64, Reason> {
    if token.len() > MAX_TOKEN {
        return Err(Reason::TokenMalformed);
    }
    let mut parts = token.split('.');
    let (Some(header), Some(claims), Some(signature), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(Reason::TokenMalformed);
    };
    let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| Reason::TokenMalformed);
    let head: Header = object(&decode(header)?).ok_or(Reason::TokenMalformed)?;
    if head.alg.as_deref() != Some("HS256") {
        return Err(Reason::AlgorithmRefused);
    }
    if head.crit {
        return Err(Reason::CriticalRefused);
    }
    let signature = decode(signature)?;
    let signed = &token[..header.len() + 1 + claims.len()];
    if !is_signed(expected.key, signed.as_bytes(), &signature) {
        return Err(Reason::SignatureWrong);
    }
    let claims = decode(claims).ok().and_then(|json| object(&json)).ok_or(Reason::ClaimsMalformed)?;
    judge(claims, expected, now)
}

/// A JSON object. serde would also fill a struct from a list, by position.
fn object<T: DeserializeOwned>(json: &[u8]) -> Option<T> {
    if json.trim_ascii_start().first() == Some(&b'{') { serde_json::from_slice(json).ok() } else { None }
}

fn judge(claims: Arrived, expected: &Expected<'_>, now: i64) -> Result<i64, Reason> {
    let (Some(exp), Some(aud), Some(iss)) = (claims.exp, claims.aud, claims.iss) else {
        return Err(Reason::ClaimMissing);
    };
    let ours = match aud {
        Audience::One(name) => name == expected.aud,
        Audience::Many(names) => names.iter().any(|name| name == expected.aud),
    };
    if !ours {
        return Err(Reason::AudienceWrong);
    }
    if iss != expected.iss {
        return Err(Reason::IssuerWrong);
    }
    if exp <= now {
        return Err(Reason::Expired);
    }
    if claims.nbf.is_some_and(|nbf| nbf > now.saturating_add(LEEWAY)) {
        return Err(Reason::NotYetValid);
    }
    Ok(exp)
}
