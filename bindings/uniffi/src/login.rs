//! A person's login, by a browser.

#[cfg(feature = "blocking")]
use crate::BlockingClient;
use crate::connect::{self, Settings};
use crate::value::Secret;
use crate::{Client, SondageError, TokenStore};
use sondage::auth::{self, Credentials, Redirect, TokenSet};
use sondage::config::ClientBuilder;
use std::sync::Arc;

/// A person's login in progress: show `url` in a browser; then `listen` until the browser returns to this program, or
/// `paste` the address at which it ended up.
///
/// On a phone the browser returns to an address of the app, which a Custom Tab or an `ASWebAuthenticationSession` passes on:
/// give it to `paste`.
#[derive(uniffi::Object)]
pub struct Login {
    builder: ClientBuilder,
    login: Arc<auth::Login>,
}

#[uniffi::export]
#[allow(clippy::needless_pass_by_value)] // what comes from Kotlin and Swift is always ours
impl Login {
    /// Starts a login. Nothing is sent.
    ///
    /// - `settings`: For the login and the resulting client. They need the account, but no credentials; with `identity` a later
    ///   program can find this login again, by the grant `"login"`.
    /// - `redirect`: The address to which the browser is sent after the login, exactly as it is registered for the client.
    ///   Default: this program, on a free port of this machine.
    /// - `tokenStore`: Stores the tokens between runs. Without it, and without `tokenFile`, they are kept in memory.
    #[uniffi::constructor(default(settings = None, redirect = None, token_store = None))]
    pub fn new(
        settings: Option<Settings>,
        redirect: Option<String>,
        token_store: Option<Box<dyn TokenStore>>,
    ) -> Result<Arc<Self>, SondageError> {
        let builder = connect::build(settings, token_store)?;
        let login = auth::Login::begin(&builder, redirect.map_or(Redirect::Loopback, Redirect::Address))?;
        Ok(Arc::new(Self { builder, login: Arc::new(login) }))
    }

    /// Goes on with a login that this or another process has begun: Android and iOS may end an app while its person is in the browser.
    /// Nothing is sent.
    ///
    /// - `saved`: What `saved` returned there.
    /// - `settings`: Those of that login.
    /// - `tokenStore`: Stores the tokens between runs. Without it, and without `tokenFile`, they are kept in memory.
    #[uniffi::constructor(default(settings = None, token_store = None))]
    pub fn resume(
        saved: Secret,
        settings: Option<Settings>,
        token_store: Option<Box<dyn TokenStore>>,
    ) -> Result<Arc<Self>, SondageError> {
        let builder = connect::build(settings, token_store)?;
        let login = auth::Login::resume(&builder, &saved)?;
        Ok(Arc::new(Self { builder, login: Arc::new(login) }))
    }

    /// What `resume` needs to go on with this login in another process. It is a secret: with it and the address at which the browser
    /// ends up, anybody gets the tokens. Store it where the system encrypts, and delete it when the login has ended.
    pub fn saved(&self) -> Secret {
        self.login.saved()
    }

    /// The address that the person opens in a browser.
    pub fn url(&self) -> String {
        self.login.url().to_string()
    }

    /// Whether the browser returns to this program.
    pub fn can_listen(&self) -> bool {
        self.login.can_listen()
    }

    /// Waits until the browser returns to this program, at most for the setting `login_timeout`, and returns the client.
    pub async fn listen(&self) -> Result<Arc<Client>, SondageError> {
        Ok(Arc::new(Client::of(self.client(self.login.listen().await?)?)))
    }

    /// Takes the address at which the browser ended up, or the part of it after `?` or `#`, and returns the client.
    ///
    /// - `address`: The address.
    pub async fn paste(&self, address: String) -> Result<Arc<Client>, SondageError> {
        Ok(Arc::new(Client::of(self.client(self.login.paste(&address).await?)?)))
    }
}

#[cfg(feature = "blocking")]
#[uniffi::export]
#[allow(clippy::needless_pass_by_value)] // what comes from Kotlin and Swift is always ours
impl Login {
    /// `listen`, blocking.
    pub fn listen_blocking(&self) -> Result<Arc<BlockingClient>, SondageError> {
        Ok(Arc::new(BlockingClient::of(self.client(self.login.listen_blocking()?)?)))
    }

    /// `paste`, blocking.
    ///
    /// - `address`: The address.
    pub fn paste_blocking(&self, address: String) -> Result<Arc<BlockingClient>, SondageError> {
        Ok(Arc::new(BlockingClient::of(self.client(self.login.paste_blocking(&address)?)?)))
    }
}

impl Login {
    fn client(&self, tokens: TokenSet) -> sondage::Result<sondage::Client> {
        self.builder.clone().credentials(Credentials::Session(tokens)).build()
    }
}
