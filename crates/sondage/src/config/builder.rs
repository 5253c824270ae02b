//! Collects a client's settings from all sources.

use super::environment::Environment;
use super::value::{Value, types};
use super::{Config, resolve, table};
use crate::auth::clock::Clock;
use crate::auth::{Credentials, TokenProvider, TokenStore};
use crate::budget::BudgetStore;
use crate::error::{Error, Result, Text};
use crate::model::Secret;
use crate::text;
use crate::trace::{TraceEntry, TraceObserver};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// The settings of a client before they are complete. Precedence, highest first: settings made here, the environment
/// (`SONDAGE_*`), the profile file, what follows from the account's address, the defaults.
///
/// ```
/// # use sondage::config::{ClientBuilder, Environment};
/// let config = ClientBuilder::new()
///     .account("https://acme.survalyzer-eu.app")
///     .client_secret("from a safe place")
/// #   .environment(Environment::empty())
///     .resolve()?;
/// assert_eq!(config.tenant, "acme");
/// assert_eq!(config.base_url.as_str(), "https://api.survalyzer-eu.app/");
/// # Ok::<_, sondage::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct ClientBuilder {
    pub(super) explicit: BTreeMap<&'static str, Secret>,
    pub(super) credentials: Option<Credentials>,
    pub(super) token_store: Option<Arc<dyn TokenStore>>,
    pub(super) budget_store: Option<Arc<dyn BudgetStore>>,
    pub(super) clock: Option<Arc<dyn Clock>>,
    pub(super) trace_observer: Option<TraceObserver>,
    pub(super) environment: Option<Environment>,
}

impl ClientBuilder {
    /// Nothing set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a setting by its name, as text. The language bindings use this.
    pub fn set(mut self, name: &str, text: impl Into<Secret>) -> Result<Self> {
        let Some(row) = table::find(name) else {
            let error = Error::configuration(text!("there is no setting `{name}`"));
            return Err(match table::meant(name) {
                Some(row) => error.with_hint(text!("Did you mean `{}`?", Text::from(row.name))),
                None => error.with_hint("`config.explain()` of a client lists all settings."),
            });
        };
        self.explicit.insert(row.name, text.into());
        Ok(self)
    }

    /// Sets the credentials, instead of deriving them from the settings.
    #[must_use]
    pub fn credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = Some(credentials);
        self
    }

    /// Gets tokens from this provider.
    #[must_use]
    pub fn token_provider(self, provider: impl TokenProvider + 'static) -> Self {
        self.credentials(Credentials::Provider(Arc::new(provider)))
    }

    /// Keeps tokens in this store, instead of in memory, in `token_file` or in the keyring.
    #[must_use]
    pub fn token_store(mut self, store: impl TokenStore + 'static) -> Self {
        self.token_store = Some(Arc::new(store));
        self
    }

    /// Keeps the daily count of calls in this store, instead of in memory or in `budget_folder`.
    #[must_use]
    pub fn budget_store(mut self, store: impl BudgetStore + 'static) -> Self {
        self.budget_store = Some(Arc::new(store));
        self
    }

    /// Calls this with each entry of the client's trace, on the thread that did the work: it must not block.
    #[must_use]
    pub fn on_trace(mut self, observer: impl Fn(&TraceEntry) + Send + Sync + 'static) -> Self {
        self.trace_observer = Some(Arc::new(observer));
        self
    }

    /// Uses this clock for the expiry of tokens and for the day of the budget, instead of the computer's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = Some(clock);
        self
    }

    /// Reads settings from these variables, instead of from the process's environment.
    #[must_use]
    pub fn environment(mut self, environment: Environment) -> Self {
        self.environment = Some(environment);
        self
    }

    /// Reads and checks everything. Nothing is sent.
    pub fn resolve(&self) -> Result<Config> {
        resolve::resolve(self)
    }
}

macro_rules! setters {
    ($($(#[doc = $doc:literal])* $name:ident $variable:literal: $Type:ident $(= $default:literal)?;)*) => {
        impl ClientBuilder {
            $(
                $(#[doc = $doc])*
                #[doc = ""]
                #[doc = concat!("Environment: `", $variable, "`." $(, " Default: ", $default, ".")?)]
                #[must_use]
                pub fn $name(mut self, value: impl Into<<types::$Type as Value>::Given>) -> Self {
                    let text = <types::$Type as Value>::write(value.into());
                    self.explicit.insert(stringify!($name), text.into());
                    self
                }
            )*
        }
    };
}
crate::settings!(setters);

/// Prints names only: any value may be a secret.
impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("set", &self.explicit.keys().collect::<Vec<_>>())
            .field("credentials", &self.credentials)
            .finish_non_exhaustive()
    }
}
