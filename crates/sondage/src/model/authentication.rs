//! The deprecated token call. The current ways to a token are in [`crate::auth`].

use super::Secret;
use sondage_macros::{request, response};

/// Asks for a token with a user name and a password.
#[request]
#[source("API 2.8, specified")]
pub struct GetApiTokenRequest {
    /// The tenant; the client's own when left out.
    #[wire(required)]
    pub tenant: Option<String>,
    /// The user.
    pub username: String,
    /// The user's password.
    pub password: Secret,
}

/// A token that is good for 12 hours and cannot be refreshed. The service may answer
/// with an object or with a bare JSON text: both are accepted.
// API 2.8
#[response]
pub struct GetApiTokenResponse {
    /// The token.
    #[wire(bare)]
    pub access_token: Secret,
}
