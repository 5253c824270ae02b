//! Creates clients: from an account's address and a token provider, or from settings.

#[cfg(feature = "blocking")]
use crate::BlockingClient;
use crate::provider::{Keeper, Provider};
use crate::value::Secret;
use crate::{Client, SondageError, TokenProvider, TokenStore};
use sondage::config::ClientBuilder;
use std::time::Duration;

/// The types of settings in Kotlin and Swift.
#[allow(non_camel_case_types)]
mod types {
    pub use crate::methods::{BudgetMode, CountedBytes, DataCenter, FactsMode, Grant};
    pub use crate::value::Secret;
    pub use std::primitive::bool;
    pub use std::string::String;
    pub use std::time::Duration;
    pub type DayStart = String;
    pub type PathBuf = String;
    pub type Url = String;
    pub type f64 = std::primitive::f64;
    pub type i64 = std::primitive::i64;
    pub type u32 = std::primitive::i64;
    pub type u64 = std::primitive::i64;
}

/// A setting's value as text: the form in which the core takes it from every language.
pub trait IntoText {
    fn into_text(self) -> Secret;
}

macro_rules! into_text {
    ($($Type:ty: $value:ident => $text:expr;)*) => { $(
        impl IntoText for $Type {
            fn into_text(self) -> Secret {
                let $value = self;
                $text
            }
        }
    )* };
}
into_text! {
    String: text => text.into();
    Secret: secret => secret;
    i64: number => number.to_string().into();
    bool: yes => yes.to_string().into();
    f64: number => number.to_string().into();
    Duration: time => format!("{} s", time.as_secs_f64()).into();
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])* $name:ident $variable:literal: $Type:ident $(= $default:literal)?;)*) => {
        /// Settings of a client. Precedence, highest first: settings made here, the environment (`SONDAGE_*`), the profile
        /// file, what follows from the account's address, the defaults.
        #[allow(clippy::doc_markdown)] // so that names of variables stay on their own lines
        #[derive(Debug, uniffi::Record)]
        pub struct Settings {
            $(
                $(#[doc = $doc])*
                #[doc = ""]
                #[doc = "In the environment:"]
                #[doc = $variable]
                $(#[doc = "\nDefault:"]
                #[doc = $default])?
                #[uniffi(default = None)]
                pub $name: Option<types::$Type>,
            )*
        }

        impl Settings {
            fn into_builder(self) -> sondage::Result<ClientBuilder> {
                let mut builder = ClientBuilder::new();
                $(if let Some(value) = self.$name {
                    builder = builder.set(stringify!($name), value.into_text())?;
                })*
                Ok(builder)
            }
        }
    };
}
sondage::settings!(settings);

async_and_blocking! {
    exported {
        /// A client that gets its tokens from the application. Use this on phones: the app then contains no secret.
        ///
        /// - `accountUrl`: the account's own address, for example `https://acme.survalyzer-eu.app`.
        /// - `tokenProvider`: provides access tokens, for example from your own backend.
        /// - `settings`: everything else.
        #[uniffi::constructor(default(settings = None))]
        pub fn new(
            account_url: String,
            token_provider: Box<dyn TokenProvider>,
            settings: Option<Settings>,
        ) -> Result<Self, SondageError> {
            Ok(Self::of(provided(account_url, token_provider, settings)?))
        }

        /// A client with settings from code, the environment and the profile file. For servers and tools: a secret inside an
        /// app is not secret.
        ///
        /// - `settings`: the settings made in code.
        /// - `tokenStore`: stores tokens between runs. Without it, and without `tokenFile`, they are kept in memory.
        #[uniffi::constructor(default(settings = None, token_store = None))]
        pub fn configured(
            settings: Option<Settings>,
            token_store: Option<Box<dyn TokenStore>>,
        ) -> Result<Self, SondageError> {
            Ok(Self::of(build(settings, token_store)?.build()?))
        }
    }
}

fn provided(
    account_url: String,
    provider: Box<dyn TokenProvider>,
    settings: Option<Settings>,
) -> sondage::Result<sondage::Client> {
    build(settings, None)?.account(account_url).token_provider(Provider(provider)).build()
}

/// A builder with settings, and a store for tokens.
pub fn build(
    settings: Option<Settings>,
    store: Option<Box<dyn TokenStore>>,
) -> sondage::Result<ClientBuilder> {
    let builder = settings.map(Settings::into_builder).transpose()?.unwrap_or_default();
    Ok(match store {
        Some(store) => builder.token_store(Keeper(store.into())),
        None => builder,
    })
}
