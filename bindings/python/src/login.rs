//! A login of a person, by a browser.

use crate::native::{Native, builder};
use crate::{error, work::Work};
use pyo3::prelude::*;
use sondage::auth::{Credentials, Login, Redirect, TokenSet};
use sondage::config::ClientBuilder;
use sondage::{CallOptions, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// A login under way.
#[pyclass(frozen, name = "Login", module = "sondage._native")]
pub struct NativeLogin {
    builder: ClientBuilder,
    login: Arc<Login>,
}

#[pymethods]
impl NativeLogin {
    #[new]
    #[pyo3(signature = (settings, redirect))]
    fn new(py: Python<'_>, settings: HashMap<String, String>, redirect: Option<String>) -> PyResult<Self> {
        let begin = || -> Result<Self> {
            let builder = builder(settings)?;
            let login = Login::begin(&builder, redirect.map_or(Redirect::Loopback, Redirect::Address))?;
            Ok(Self { builder, login: Arc::new(login) })
        };
        begin().map_err(|e| error::raise(py, &e))
    }

    /// The address that the person opens.
    #[getter]
    fn url(&self) -> String {
        self.login.url().to_string()
    }

    /// Whether the browser comes back to this program.
    #[getter]
    fn can_listen(&self) -> bool {
        self.login.can_listen()
    }

    /// Waits for the browser, and gives the client.
    fn listen(&self) -> Work {
        let login = self.login.clone();
        self.client(async move { login.listen().await })
    }

    /// Takes the address at which the browser ended up, and gives the client.
    fn paste(&self, text: String) -> Work {
        let login = self.login.clone();
        self.client(async move { login.paste(&text).await })
    }
}

impl NativeLogin {
    fn client(&self, tokens: impl Future<Output = Result<TokenSet>> + Send + 'static) -> Work {
        let builder = self.builder.clone();
        let client = async move { builder.credentials(Credentials::Session(tokens.await?)).build() };
        Work::new(client, |py, client| {
            Ok(Py::new(py, Native::of(client, CallOptions::new(), None))?.into_any())
        })
    }
}
