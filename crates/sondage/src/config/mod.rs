//! The settings of a client: what they are, where they come from, and how they are validated.
//!
//! A setting has one name everywhere. It can be set in code ([`ClientBuilder`]), in the environment (`SONDAGE_` and the
//! name in capitals), or in a profile file:
//!
//! ```toml
//! [default]
//! account = "https://acme.survalyzer-eu.app"
//! client_secret = "…"
//!
//! [test]
//! account = "https://acme-test.survalyzer-eu.app"
//! username = "robot"
//! password = "…"
//! deadline = "2 min"
//! ```
//!
//! The file is `~/.config/sondage/config.toml`, or the one that `SONDAGE_CONFIG` names; `SONDAGE_PROFILE` selects the
//! section. The default file is ignored, with a line in the log, if this user cannot read it. Settings in code take precedence over the environment, the environment over the profile file, the profile
//! file over the account's address, and the address over the defaults. [`Config::explain`] shows each setting with its
//! source.

mod account;
mod address;
mod builder;
mod certificates;
mod environment;
mod explain;
mod grant;
mod layers;
mod limits;
mod origins;
mod permitted;
#[cfg_attr(not(feature = "profile"), path = "no_profile.rs")]
mod profile;
mod proxy;
mod replay;
mod resolve;
mod secret_length;
mod table;
mod value;

pub use account::DataCenter;
pub use builder::ClientBuilder;
pub use environment::Environment;
pub use explain::{Explained, Explanation};
pub use grant::Grant;
pub use layers::Source;
pub use limits::{Limits, RetryPolicy};
#[doc(hidden)]
pub(crate) use origins::{Contradiction, IgnoredFile, UnknownVariable, others_can_read};
pub use permitted::Permitted;
#[cfg(fuzzing)]
pub use profile::fuzzed;
pub(crate) use secret_length::{is_secret_length, too_long};
pub use table::{ALL as SETTINGS, SettingInfo};

pub use crate::transport::android_verifier_is_initialised;
pub use crate::transport::settings::HttpSettings;
pub use crate::transport::tls::ClientCertificate;

use crate::auth::clock::Clock;
use crate::auth::{Credentials, TokenStore};
use crate::budget::BudgetSettings;
use crate::error::Text;
use crate::facts::FactsSettings;
use crate::model::Secret;
use crate::text;
use crate::trace::TraceObserver;
use origins::Origins;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use url::Url;

/// Settings that are complete and validated. [`ClientBuilder::resolve`] makes them.
#[derive(Clone)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting")]
pub struct Config {
    /// The tenant.
    pub tenant: String,
    /// The data center of the account, if it is known.
    pub data_center: Option<DataCenter>,
    /// The address of the API: an origin, without a path.
    pub base_url: Url,
    /// The address of the authentication server: an origin, without a path.
    pub auth_url: Url,
    /// The path of the login page.
    pub authorize_path: String,
    /// The path of the token endpoint.
    pub token_path: String,
    /// The client id.
    pub client_id: String,
    /// The client secret, if there is one.
    pub client_secret: Option<Secret>,
    /// The registered redirect address, as it is sent with a refresh.
    pub redirect_uri: Option<String>,
    /// Whether a login sends a PKCE challenge.
    pub pkce: bool,
    /// The identity of the login, if there is one.
    pub identity: Option<String>,
    /// How to get tokens.
    pub credentials: Credentials,
    /// Where tokens are stored in addition to memory.
    pub token_store: Option<Arc<dyn TokenStore>>,
    /// The timeout of a token request, or of a call to the token provider.
    pub token_timeout: Duration,
    /// How long to wait for a person to log in.
    pub login_timeout: Duration,
    /// The clock that decides whether a token has expired.
    pub clock: Arc<dyn Clock>,
    /// How connections are made.
    pub http: HttpSettings,
    /// How much is read.
    pub limits: Limits,
    /// When calls are retried.
    pub retry: RetryPolicy,
    /// The daily budget, and what happens at its limit.
    pub budget: BudgetSettings,
    /// What was learned about the service, and where it is kept.
    pub facts: FactsSettings,
    /// Whether addresses that are not on this machine are refused.
    pub loopback_only: bool,
    /// Which operations may be called.
    pub permitted: Permitted,
    /// How many entries of the trace are kept.
    pub trace_entries: usize,
    /// Called with each entry of the trace.
    pub trace_observer: Option<TraceObserver>,
    /// Whether each request carries the id of its call.
    pub correlation_id: bool,
    /// How long a call may take, including retries, unless its options say otherwise.
    pub deadline: Duration,
    /// The number of the first page of a list.
    pub first_page: i64,
    /// Whether published paths are tried before those of the specification.
    pub published_paths: bool,
    /// Rows per page.
    pub page_size: i64,
    explanation: Explanation,
    origins: Origins,
}

impl Config {
    /// Every setting with its value and source; secrets are masked.
    pub fn explain(&self) -> &Explanation {
        &self.explanation
    }

    /// Settings for which the environment and the profile file have different values.
    pub(crate) fn contradictions(&self) -> &[Contradiction] {
        &self.origins.contradictions
    }

    /// Variables of the environment that look like settings, and are none.
    pub(crate) fn unknown_variables(&self) -> &[UnknownVariable] {
        &self.origins.unknown
    }

    /// The profile file, if secrets were read from it.
    pub(crate) fn file_with_secrets(&self) -> Option<&Path> {
        self.origins.file_with_secrets.as_deref()
    }

    /// The default profile file, if it cannot be read.
    pub(crate) fn ignored_file(&self) -> Option<&IgnoredFile> {
        self.origins.ignored.as_ref()
    }

    /// The secrets in the settings, for redaction.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &str> {
        let proxy = self.http.proxy.as_ref().and_then(Url::password);
        self.client_secret.iter().map(Secret::reveal).chain(proxy).chain(self.credentials.secrets())
    }

    /// A setting's name with its source, for a sentence.
    pub(crate) fn place(&self, setting: &'static str) -> Text {
        match self.explanation.source(setting) {
            Some(source) => layers::place(setting, source),
            None => text!("`{}`", Text::from(setting)),
        }
    }
}

/// The explanation, with secrets masked.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.explanation.0.iter().filter_map(|line| Some((line.setting, line.value.as_ref()?)));
        f.debug_map().entries(lines).finish()
    }
}
