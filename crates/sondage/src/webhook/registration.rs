//! What of a webhook needs a client or a server: its registration, and reading a body within its limit.

use super::hook::Hook;
use super::signed_url::SignedUrl;
use super::strategy::Strategy;
use crate::error::{Error, Result};
use crate::model::{CreateWebHookRequest, CreateWebHookResponse, EventType};
use crate::spelling::did_you_mean;
use crate::transport::settings::is_loopback;
use crate::{Client, text};
use futures_util::{Stream, StreamExt};
use std::io::{self, Read};
use url::Url;

impl Hook {
    /// The same hook with renewed credentials, if they expire.
    pub(super) fn made_now(mut self) -> Self {
        self.strategy = self.strategy.made_now();
        self
    }

    /// The address to register, derived from the address at which the receiver is reached: https, or http on this machine
    /// for testing. It may contain a secret.
    pub fn url(&self, base: &str) -> Result<String> {
        let url = Url::parse(base).map_err(|e| {
            Error::invalid_argument(format!("the address of a webhook receiver is invalid ({e})"))
        })?;
        if !(url.scheme() == "https" && url.has_host() || url.scheme() == "http" && is_loopback(&url)) {
            return Err(Error::invalid_argument("a webhook's address is not https")
                .with_hint("Use https; http is allowed to this machine only."));
        }
        let named = url.fragment().is_some() || !url.username().is_empty() || url.password().is_some();
        if named || base.len() > 2000 {
            return Err(Error::invalid_argument(
                "the address of a webhook receiver has a fragment or a user name, or more than 2,000 bytes",
            ));
        }
        match &self.strategy {
            Strategy::Basic(_) | Strategy::Bearer(_) => Ok(base.to_owned()),
            Strategy::ObscureUrl(_) if url.query().is_some() => Err(Error::invalid_argument(
                "an obscure URL ends in its secret, so its address must not have a query",
            )),
            Strategy::ObscureUrl(strategy) => {
                Ok(format!("{}/{}", base.trim_end_matches('/'), strategy.secret.reveal()))
            }
            Strategy::SignedUrl(_) if SignedUrl::clashes(url.query().unwrap_or_default()) => {
                Err(Error::invalid_argument("the address already has one of sv, se, sr, sp and sig"))
            }
            Strategy::SignedUrl(strategy) => {
                let join = if url.query().is_some() { '&' } else { '?' };
                Ok(format!("{base}{join}{}", strategy.query()?))
            }
        }
    }

    /// The subscribing call: pass it to `create_web_hook`. `entity` is the id of a survey, or `*` for all.
    pub fn registration(
        &self,
        base: &str,
        event_type: impl Into<EventType>,
        entity: impl Into<String>,
    ) -> Result<CreateWebHookRequest> {
        let event_type = event_type.into();
        refuse_misspelt(&event_type)?;
        let request = CreateWebHookRequest::new(event_type, entity, self.url(base)?);
        let token = self.security_token();
        Ok(if token.is_empty() { request } else { request.security_token(token) })
    }

    /// Registers it: makes the call of [`registration`](Self::registration).
    pub async fn subscribe(
        &self,
        client: &Client,
        base: &str,
        event_type: impl Into<EventType>,
        entity: impl Into<String>,
    ) -> Result<CreateWebHookResponse> {
        client.create_web_hook(self.registration(base, event_type, entity)?).await
    }

    /// Reads the body of a request while it arrives, from the stream of its pieces: `request.into_body().into_data_stream()` in
    /// axum, a `Payload` in actix-web. It stops at one byte more than [`largest_body`](Self::largest_body), which
    /// [`verify`](Self::verify) refuses, so that a stranger cannot fill the memory. The rest stays unread: close the connection.
    pub async fn read<B: AsRef<[u8]>, E>(
        &self,
        body: impl Stream<Item = std::result::Result<B, E>>,
    ) -> std::result::Result<Vec<u8>, E> {
        let (mut body, mut read) = (std::pin::pin!(body), Vec::new());
        while read.len() <= self.largest_body()
            && let Some(piece) = body.next().await
        {
            let piece = piece?;
            let room = self.largest_body().saturating_add(1) - read.len();
            read.extend(piece.as_ref().iter().take(room));
        }
        Ok(read)
    }

    /// The same from a blocking reader, such as the `as_reader()` of a request of `tiny_http`.
    pub fn read_from(&self, body: impl Read) -> io::Result<Vec<u8>> {
        let mut read = Vec::new();
        body.take((self.largest_body() as u64).saturating_add(1)).read_to_end(&mut read)?;
        Ok(read)
    }
}

/// The service may have new events, but one that is spelt almost like a known event would only never arrive.
fn refuse_misspelt(event_type: &EventType) -> Result<()> {
    let EventType::Unknown(name) = event_type else { return Ok(()) };
    let Some(meant) = did_you_mean(name, EventType::KNOWN) else { return Ok(()) };
    let hint = format!(
        "{meant} `create_web_hook` of a client subscribes to an event that this version does not know."
    );
    Err(Error::invalid_argument(text!("there is no event `{}`", name.clone())).with_hint(hint))
}
