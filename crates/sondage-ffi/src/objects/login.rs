//! A login of a person, by a browser.

use crate::language::{ArgResult, Language};
use crate::methods::{core, kinds};
use crate::objects::client::Client;
use crate::objects::settings::{self, SettingsByName};
use sondage::auth::{self, Credentials, Redirect, TokenSet};
use sondage::config::ClientBuilder;
use sondage::{Error, FieldValue, Result};
use std::sync::Arc;

/// A login in progress.
pub struct Login {
    builder: ClientBuilder,
    login: Arc<auth::Login>,
}

impl Login {
    /// Prepares a login, or goes on with a saved one. Nothing is sent. The settings include the redirect address, or what was saved.
    pub fn new<L: Language>(mut settings: SettingsByName) -> Result<Self> {
        let redirect = settings.shift_remove("redirect").and_then(settings::text);
        let saved = settings.shift_remove("saved");
        let builder = settings::builder::<L>(settings)?;
        let login = match (saved, redirect) {
            (None, redirect) => {
                auth::Login::begin(&builder, redirect.map_or(Redirect::Loopback, Redirect::Address))?
            }
            (Some(FieldValue::Text(saved)), None) => auth::Login::resume(&builder, &saved.into())?,
            (Some(_), None) => return Err(Error::invalid_argument("saved must be a text")),
            (Some(_), Some(_)) => {
                return Err(Error::invalid_argument(
                    "a saved login has its redirect address: leave `redirect` out",
                ));
            }
        };
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

    fn saved(&self) -> ArgResult<String, L> {
        Ok(self.login.saved().reveal().to_owned())
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
