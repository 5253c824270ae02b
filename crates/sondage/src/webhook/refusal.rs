//! Why a request was refused: for the log, never for the caller.

use serde::Serialize;
use std::fmt;

macro_rules! reasons {
    ($($(#[doc = $doc:literal])* $Name:ident = $code:literal;)*) => {
        /// Why a request is not an event of ours. The code is the same in every language, and in the test vectors.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Reason { $($(#[doc = $doc])* $Name,)* }

        impl Reason {
            /// Every reason.
            pub const ALL: &'static [Self] = &[$(Self::$Name),*];

            /// The code: words joined with `_`.
            pub fn code(self) -> &'static str {
                match self { $(Self::$Name => $code,)* }
            }

            /// Its meaning, and what to do about it.
            pub fn explanation(self) -> &'static str {
                match self { $(Self::$Name => concat!($($doc),*).trim_ascii(),)* }
            }
        }
    };
}
reasons! {
    /// The address is longer than 8 KiB.
    UrlTooLong = "url_too_long";
    /// More than 200 headers, or more than 64 KiB of them.
    HeadersTooLarge = "headers_too_large";
    /// The body is longer than the hook allows (1 MiB unless it was set).
    BodyTooLarge = "body_too_large";
    /// What was handed over as the address is neither a path nor an http address.
    UrlMalformed = "url_malformed";
    /// The path does not end in a secret.
    SecretMissing = "secret_missing";
    /// The end of the path is not the secret.
    SecretWrong = "secret_wrong";
    /// There is no `Authorization` header. A proxy may have taken it away.
    AuthorizationMissing = "authorization_missing";
    /// There is more than one `Authorization` header.
    AuthorizationDoubled = "authorization_doubled";
    /// The `Authorization` header is longer than 8 KiB, or is not plain text.
    AuthorizationMalformed = "authorization_malformed";
    /// The `Authorization` header is of another strategy.
    SchemeWrong = "scheme_wrong";
    /// User name and password are not the ones registered.
    CredentialsWrong = "credentials_wrong";
    /// The token is not a JSON Web Token in its compact form.
    TokenMalformed = "token_malformed";
    /// The token names another algorithm than HS256, or none.
    AlgorithmRefused = "algorithm_refused";
    /// The token demands an extension (`crit`). None is supported.
    CriticalRefused = "critical_refused";
    /// The signature was not made with the key. After a change of keys, accept the previous one for a while.
    SignatureWrong = "signature_wrong";
    /// The token is ours, but its claims cannot be read.
    ClaimsMalformed = "claims_malformed";
    /// The token is ours, but `exp`, `aud` or `iss` is missing.
    ClaimMissing = "claim_missing";
    /// The token or the address is ours, but its time is over: register the webhook again.
    Expired = "expired";
    /// The token is ours, but its time has not begun. The clocks may differ.
    NotYetValid = "not_yet_valid";
    /// The token is ours, but for another audience.
    AudienceWrong = "audience_wrong";
    /// The token is ours, but of another issuer.
    IssuerWrong = "issuer_wrong";
    /// One of `sv`, `se`, `sr`, `sp` and `sig` is missing in the address.
    ParameterMissing = "parameter_missing";
    /// One of `sv`, `se`, `sr`, `sp` and `sig` stands in the address twice.
    ParameterDoubled = "parameter_doubled";
    /// One of `sv`, `se`, `sr`, `sp` and `sig` cannot be read.
    ParameterMalformed = "parameter_malformed";
    /// The address is signed by another version of the rules.
    VersionWrong = "version_wrong";
    /// The address is signed for another resource or permission.
    ResourceWrong = "resource_wrong";
    /// The caller is ours, but sent no body.
    BodyEmpty = "body_empty";
    /// A body was announced and none is left: something read it first. Verify before the body is read by anything else.
    BodyConsumed = "body_consumed";
    /// This is an object that a parser made, not the body. Hand over the raw bytes.
    BodyParsed = "body_parsed";
    /// The body is not the one that arrived: it was parsed and written again. Hand over the raw bytes.
    BodyReencoded = "body_reencoded";
    /// The caller is ours, but the body is not UTF-8.
    BodyNotUtf8 = "body_not_utf8";
    /// The caller is ours, but the body is not JSON.
    BodyNotJson = "body_not_json";
    /// The caller is ours, but the body is nested more than 64 levels deep.
    BodyTooDeep = "body_too_deep";
    /// The caller is ours, but a number in the body has more than 512 characters, which some languages refuse to read.
    BodyNumberTooLong = "body_number_too_long";
    /// The caller is ours, but a name stands in the body twice, so that readers would disagree about it.
    BodyAmbiguous = "body_ambiguous";
}

impl Reason {
    /// Whether the caller has proven to hold the secret, or to have held it: the more telling reason of two.
    pub(super) fn is_proven(self) -> bool {
        matches!(
            self,
            Self::ClaimsMalformed
                | Self::ClaimMissing
                | Self::Expired
                | Self::NotYetValid
                | Self::AudienceWrong
                | Self::IssuerWrong
                | Self::ResourceWrong
        )
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

/// A request that is not an event of ours. Answer it with [`Refusal::STATUS`] and an empty body, whatever the reason: a
/// stranger learns nothing from it. The reason has been logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Refusal {
    /// Why. It is for you, not for the caller.
    pub reason: Reason,
}

impl Refusal {
    /// The status of the answer: 401 for every reason.
    pub const STATUS: u16 = 401;
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Self {
        Self { reason }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the request was refused ({}). {}", self.reason, self.reason.explanation())
    }
}

impl std::error::Error for Refusal {}
