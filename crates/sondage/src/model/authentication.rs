//! The deprecated token call. For current ways to get a token see [`crate::auth`].

use super::Secret;
use sondage_macros::{request, response};

/// Requests a token with a user name and a password.
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

/// A token that is valid for 12 hours and cannot be refreshed. The service may return an object or a bare JSON string:
/// both are accepted.
// API 2.8
#[response]
pub struct GetApiTokenResponse {
    /// The token.
    #[wire(bare)]
    pub access_token: Secret,
}
