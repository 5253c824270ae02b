//! A login of a person, by a browser.

use crate::language::{ArgResult, Language};
use crate::methods::{core, kinds};
use crate::objects::client::Client;
use crate::objects::settings::{self, SettingsByName};
use sondage::Result;
use sondage::auth::{self, Credentials, Redirect, TokenSet};
use sondage::config::ClientBuilder;
use std::sync::Arc;

/// A login in progress.
pub struct Login {
    builder: ClientBuilder,
    login: Arc<auth::Login>,
}

impl Login {
    /// Prepares a login. Nothing is sent. The settings include the redirect address.
    pub fn new<L: Language>(mut settings: SettingsByName) -> Result<Self> {
        let redirect = settings.shift_remove("redirect").and_then(settings::text);
        let builder = settings::builder::<L>(settings)?;
        let login = auth::Login::begin(&builder, redirect.map_or(Redirect::Loopback, Redirect::Address))?;
        Ok(Self { builder, login: Arc::new(login) })
    }

    fn client(&self, tokens: impl Future<Output = Result<TokenSet>> + Send + 'static) -> kinds::Call<Client> {
        let builder = self.builder.clone();
        Box::pin(
            async move { builder.credentials(Credentials::Session(tokens.await?)).build().map(Client::from) },
        )
    }
}

impl<L: Language> core::login::Methods<L> for Login {
    fn url(&self) -> ArgResult<String, L> {
        Ok(self.login.url().to_string())
    }

    fn can_listen(&self) -> ArgResult<bool, L> {
        Ok(self.login.can_listen())
    }

    fn listen(&self) -> ArgResult<kinds::Call<Client>, L> {
        let login = self.login.clone();
        Ok(self.client(async move { login.listen().await }))
    }

    fn paste(&self, address: String) -> ArgResult<kinds::Call<Client>, L> {
        let login = self.login.clone();
        Ok(self.client(async move { login.paste(&address).await }))
    }
}
