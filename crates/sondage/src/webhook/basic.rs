//! Strategy 2: user name and password.
// API 10.9

use super::crypto::same;
use super::received::Received;
use super::refusal::Reason;
use crate::error::{Error, Result};
use crate::model::Secret;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

/// The service sends `Authorization: Basic` with the base64 of user name, colon and password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "a user name and a password, an object")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Basic {
    /// The user name. It must not contain a colon, which would end it.
    pub user: String,
    /// The password.
    pub password: Secret,
}

impl Basic {
    /// Makes the strategy from a user name without a colon, and a password.
    pub fn new(user: impl Into<String>, password: impl Into<Secret>) -> Self {
        Self { user: user.into(), password: password.into() }
    }

    pub(super) fn check(&self) -> Result<()> {
        let password = self.password.reveal();
        let wrong = |text: &str| text.is_empty() || text.len() > 1024 || text.chars().any(char::is_control);
        if wrong(&self.user) || self.user.contains(':') || wrong(password) {
            return Err(Error::invalid_argument(
                "a webhook's user name and password must be 1 to 1,024 bytes of visible text, the user name without a colon",
            ));
        }
        Ok(())
    }

    fn credentials(&self) -> String {
        STANDARD.encode(format!("{}:{}", self.user, self.password.reveal()))
    }

    /// The complete value of the header, as it is registered.
    pub(super) fn security_token(&self) -> Secret {
        format!("Basic {}", self.credentials()).into()
    }

    pub(super) fn verify(&self, received: &Received<'_>) -> std::result::Result<(), Reason> {
        // The service sends exactly what was registered, so it is compared as text and never decoded: there is only one
        // spelling.
        let credentials = received.credentials("Basic")?;
        if same(credentials.as_bytes(), self.credentials().as_bytes()) {
            Ok(())
        } else {
            Err(Reason::CredentialsWrong)
        }
    }
}
