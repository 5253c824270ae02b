//! Tokens. (The grants come with their own modules.)
#![allow(missing_docs)]
use crate::{
    config::Config,
    error::{Error, Result},
    transport::http::Http,
};
use http::HeaderValue;
use std::sync::Arc;

#[derive(Clone)]
pub struct AccessToken(HeaderValue);

impl AccessToken {
    pub fn header_value(&self) -> HeaderValue {
        self.0.clone()
    }
}

pub struct Tokens(AccessToken);

impl Tokens {
    pub fn new(config: &Config, _: Arc<Http>) -> Result<Self> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", config.token.reveal()))
            .map_err(|_| Error::configuration("the token holds characters that cannot be sent"))?;
        value.set_sensitive(true);
        Ok(Self(AccessToken(value)))
    }

    pub async fn token(&self, _: Option<&AccessToken>) -> Result<AccessToken> {
        Ok(self.0.clone())
    }

    pub fn grant_name(&self) -> &'static str {
        "a token"
    }
}
