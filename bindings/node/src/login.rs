//! A login of a person, by a browser.

use crate::client::NativeClient;
use crate::error::thrown;
use crate::{settings, work::Work};
use napi::bindgen_prelude::{JavaScriptClassExt, Unknown};
use napi::{Env, JsValue};
use napi_derive::napi;
use sondage::Result;
use sondage::auth::{Credentials, Login, Redirect, TokenSet};
use sondage::config::ClientBuilder;
use std::sync::Arc;

/// A login under way.
#[napi]
pub struct NativeLogin {
    builder: ClientBuilder,
    login: Arc<Login>,
}

#[napi]
impl NativeLogin {
    /// Prepares a login. Nothing is sent.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: &Env, settings: Unknown<'_>, redirect: Option<String>) -> napi::Result<Self> {
        let begin = || {
            let builder = settings::read(settings)?;
            let login = Login::begin(&builder, redirect.map_or(Redirect::Loopback, Redirect::Address))?;
            Ok(Self { builder, login: Arc::new(login) })
        };
        begin().map_err(|error| thrown(env, &error))
    }

    /// The address that the person opens.
    #[napi(getter)]
    pub fn url(&self) -> String {
        self.login.url().to_string()
    }

    /// Whether the browser comes back to this program.
    #[napi(getter)]
    pub fn can_listen(&self) -> bool {
        self.login.can_listen()
    }

    /// Waits for the browser, and gives the client.
    #[napi(catch_unwind)]
    pub fn listen(&self) -> Work {
        let login = self.login.clone();
        self.client(async move { login.listen().await })
    }

    /// Takes the address at which the browser ended up, and gives the client.
    #[napi(catch_unwind)]
    pub fn paste(&self, text: String) -> Work {
        let login = self.login.clone();
        self.client(async move { login.paste(&text).await })
    }
}

impl NativeLogin {
    fn client(&self, tokens: impl Future<Output = Result<TokenSet>> + Send + 'static) -> Work {
        let builder = self.builder.clone();
        let client = async move { builder.credentials(Credentials::Session(tokens.await?)).build() };
        Work::with(client, |env, client| {
            Ok(NativeClient::of(client).into_instance(env)?.as_object(env).to_unknown())
        })
    }
}
