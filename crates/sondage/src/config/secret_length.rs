//! How long a secret may be.

use super::Config;
use crate::auth::Credentials;
use crate::error::{Error, Result, Text};
use crate::model::Secret;
use crate::text;
use url::Url;

/// The maximum length of a token, a client secret or a password: no server takes a longer header. Every error of a call is
/// searched for each secret in all its encodings, so a limit is needed.
const LONGEST: usize = 64 * 1024;

/// Whether a secret is not longer than the limit.
pub(crate) fn is_secret_length(secret: &str) -> bool {
    secret.len() <= LONGEST
}

/// What is wrong with a secret, for a sentence: "the token is longer than 64 KiB".
pub(crate) fn too_long(what: &Text) -> Text {
    text!("{what} is longer than {} KiB", LONGEST / 1024)
}

impl Config {
    /// Refuses secrets that are too long.
    pub(crate) fn check_secrets(&self) -> Result<()> {
        let settings = [
            ("client_secret", self.client_secret.as_ref().map(Secret::reveal)),
            ("proxy", self.http.proxy.as_ref().and_then(Url::password)),
        ];
        let settings = settings.into_iter().filter_map(|(name, secret)| Some((self.place(name), secret?)));
        let name = match &self.credentials {
            Credentials::Password { .. } | Credentials::ApiToken { .. } => "password",
            Credentials::RefreshToken(_) => "refresh_token",
            _ => "token",
        };
        let own = self.credentials.secrets().into_iter().map(|secret| (self.place(name), secret));
        match settings.chain(own).find(|(_, secret)| !is_secret_length(secret)) {
            Some((place, _)) => Err(Error::configuration(too_long(&place))
                .with_hint("No token, password or client secret is that long: check where it comes from.")),
            None => Ok(()),
        }
    }
}
