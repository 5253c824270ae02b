//! Why a request was refused: for the log, never for the caller.

use serde::Serialize;
use std::fmt;

macro_rules! reasons {
    ($($(#[doc = $doc:literal])* $Name:ident = $code:literal;)*) => {
        /// Why a request is not a genuine event. The code is the same in every language, and in the test vectors.
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

            /// The meaning, and what to do about it.
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
    /// The body is longer than the hook allows (1 MiB by default).
    BodyTooLarge = "body_too_large";
    /// The given address is neither a path nor an http address.
    UrlMalformed = "url_malformed";
    /// The path does not end in a secret.
    SecretMissing = "secret_missing";
    /// The end of the path is not the secret.
    SecretWrong = "secret_wrong";
    /// The `Authorization` header is missing. A proxy may have removed it.
    AuthorizationMissing = "authorization_missing";
    /// There is more than one `Authorization` header.
    AuthorizationDoubled = "authorization_doubled";
    /// The `Authorization` header is longer than 8 KiB, or is not plain text.
    AuthorizationMalformed = "authorization_malformed";
    /// The `Authorization` header belongs to another strategy.
    SchemeWrong = "scheme_wrong";
    /// The user name and password are not the registered ones.
    CredentialsWrong = "credentials_wrong";
    /// The token is not a JSON Web Token in its compact form.
    TokenMalformed = "token_malformed";
    /// The token names an algorithm other than HS256, or none.
    AlgorithmRefused = "algorithm_refused";
    /// The token requires an extension (`crit`). None is supported.
    CriticalRefused = "critical_refused";
    /// The signature was not made with the key. After changing keys, accept the previous one for a while.
    SignatureWrong = "signature_wrong";
    /// The token is genuine, but its claims cannot be read.
    ClaimsMalformed = "claims_malformed";
    /// The token is genuine, but `exp`, `aud` or `iss` is missing.
    ClaimMissing = "claim_missing";
    /// The token or the address is genuine, but has expired: register the webhook again.
    Expired = "expired";
    /// The token is genuine, but not valid yet. The clocks may differ.
    NotYetValid = "not_yet_valid";
    /// The token is genuine, but for another audience.
    AudienceWrong = "audience_wrong";
    /// The token is genuine, but from another issuer.
    IssuerWrong = "issuer_wrong";
    /// One of `sv`, `se`, `sr`, `sp` and `sig` is missing in the address.
    ParameterMissing = "parameter_missing";
    /// One of `sv`, `se`, `sr`, `sp` and `sig` occurs twice in the address.
    ParameterDoubled = "parameter_doubled";
    /// One of `sv`, `se`, `sr`, `sp` and `sig` cannot be read.
    ParameterMalformed = "parameter_malformed";
    /// The address is signed by another version of the rules.
    VersionWrong = "version_wrong";
    /// The address is signed for another resource or permission.
    ResourceWrong = "resource_wrong";
    /// The caller is genuine, but sent no body.
    BodyEmpty = "body_empty";
    /// A body was announced, but it is empty: something has read it already. Verify before anything else reads the body.
    BodyConsumed = "body_consumed";
    /// This is an object made by a parser, not the body. Pass the raw bytes.
    BodyParsed = "body_parsed";
    /// The body is not the one that was received: it was parsed and serialised again. Pass the raw bytes.
    BodyReencoded = "body_reencoded";
    /// The caller is genuine, but the body is not UTF-8.
    BodyNotUtf8 = "body_not_utf8";
    /// The caller is genuine, but the body is not JSON.
    BodyNotJson = "body_not_json";
    /// The caller is genuine, but the body is nested more than 64 levels deep.
    BodyTooDeep = "body_too_deep";
    /// The caller is genuine, but a number in the body has more than 512 characters, which some languages cannot read.
    BodyNumberTooLong = "body_number_too_long";
    /// The caller is genuine, but a name occurs twice in the body, so that parsers would disagree about it.
    BodyAmbiguous = "body_ambiguous";
}

impl Reason {
    /// Whether the caller has proven that it has, or once had, the secret: of two reasons, the one of such a caller is
    /// more informative.
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

/// A request that is not a genuine event. Respond with [`Refusal::STATUS`] and an empty body, whatever the reason, so
/// that a stranger learns nothing. The reason has been logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Refusal {
    /// The reason. It is for you, not for the caller.
    pub reason: Reason,
}

impl Refusal {
    /// The status of the response: 401 for every reason.
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
