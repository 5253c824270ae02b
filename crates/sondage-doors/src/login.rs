//! A login of a person, by a browser.

use crate::client::Client;
use crate::given::Call;
use crate::language::{Language, Taken};
use crate::outcome::{Done, Outcome};
use crate::settings;
use crate::thing::Verbs;
use sondage::Result;
use sondage::auth::{Credentials, Login, Redirect, TokenSet};
use sondage::config::ClientBuilder;
use std::sync::Arc;

/// A login under way.
pub struct Pending {
    builder: ClientBuilder,
    login: Arc<Login>,
}

impl Pending {
    /// Prepares a login. Nothing is sent. Among the settings is the address to come back to.
    pub fn new<L: Language>(call: &Call<'_, L>) -> Taken<Self, L> {
        let mut given = settings::given::<L>(call.given.clone())?;
        let redirect = given.shift_remove("redirect").and_then(settings::text);
        let builder = settings::builder::<L>(given)?;
        let login = Login::begin(&builder, redirect.map_or(Redirect::Loopback, Redirect::Address))?;
        Ok(Self { builder, login: Arc::new(login) })
    }

    fn client<L: Language>(
        &self,
        tokens: impl Future<Output = Result<TokenSet>> + Send + 'static,
    ) -> Done<L> {
        let builder = self.builder.clone();
        Outcome::thing_later(async move {
            builder.credentials(Credentials::Session(tokens.await?)).build().map(Client::from)
        })
    }
}

impl<L: Language> Verbs<L> for Pending {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        let login = self.login.clone();
        match call.verb {
            "url" => Outcome::value(login.url().to_string()),
            "canListen" => Outcome::value(login.can_listen()),
            "listen" => self.client(async move { login.listen().await }),
            "paste" => {
                let text: String = call.read_as("address")?;
                self.client(async move { login.paste(&text).await })
            }
            _ => Err(call.unknown()),
        }
    }
}
