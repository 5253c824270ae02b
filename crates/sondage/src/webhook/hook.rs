//! One webhook, from both sides: what is registered, and which requests are accepted.

use super::event::{Event, Source};
use super::received::{Headers, Received};
use super::refusal::{Reason, Refusal};
use super::signed_url::SignedUrl;
use super::strategy::Strategy;
use super::{body, event};
use crate::Client;
use crate::error::{Error, Result};
use crate::model::{CreateWebHookRequest, CreateWebHookResponse, EventType, Secret, Timestamp};
use crate::text;
use crate::transport::settings::is_loopback;
use chrono::{DateTime, Utc};
use futures_util::{Stream, StreamExt};
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::str::FromStr;
use url::Url;

/// The default maximum size of a body, in bytes. An interview with its answers is far smaller.
const MAX_BODY: usize = 1 << 20;

/// A webhook: its strategy, and which requests it accepts. It can be stored as JSON, which contains its secrets in plain
/// text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Unchecked")]
pub struct Hook {
    strategy: Strategy,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<Strategy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_type: Option<EventType>,
    max_body: usize,
}

#[derive(Deserialize)]
#[serde(expecting = "the settings of a webhook, an object")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Unchecked {
    strategy: Strategy,
    previous: Option<Strategy>,
    event_type: Option<EventType>,
    #[serde(default = "max_body")]
    max_body: usize,
}

fn max_body() -> usize {
    MAX_BODY
}

/// A hook from its stored JSON. The error says what is wrong with it, and contains no secret.
impl FromStr for Hook {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let unchecked: Unchecked = serde_json::from_str(text).map_err(|why| {
            // The position in generated JSON is useless to a reader, and the value found there may be a secret.
            let text = why.to_string();
            let text = text.split(" at line ").next().unwrap_or_default();
            match text.split_once(", expected ") {
                // The masked form of a webhook, as it appears in logs.
                Some((_, expected)) if expected.starts_with("the strategy of a webhook") => {
                    Error::invalid_argument("the webhook's `strategy` is not an object with its secret")
                        .with_hint(
                            "Store the settings of a webhook with their secrets, and read them from there.",
                        )
                }
                Some((_, expected)) => {
                    Error::invalid_argument(text!("a value of the webhook is not {expected}"))
                }
                None => match text.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`')) {
                    Some(field) => {
                        Error::invalid_argument(text!("`{}` of the webhook is missing", field.to_owned()))
                    }
                    None => Error::invalid_argument(text.to_owned()),
                },
            }
        })?;
        unchecked.try_into()
    }
}

impl TryFrom<Unchecked> for Hook {
    type Error = Error;

    fn try_from(read: Unchecked) -> Result<Self> {
        read.strategy.check()?;
        read.previous.as_ref().map_or(Ok(()), Strategy::check)?;
        let Unchecked { strategy, previous, event_type, max_body } = read;
        Ok(Self { strategy, previous, event_type, max_body })
    }
}

/// The verdict on a request, as data: `{"verdict": "accepted", "event": ..}` or `{"verdict": "refused", "reason": ..}`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "camelCase")]
pub enum Verdict {
    /// A genuine event.
    Accepted {
        /// The event.
        event: Box<Event>,
    },
    /// Not a genuine event. Respond with [`Refusal::STATUS`] and an empty body.
    Refused {
        /// The reason, for the log.
        reason: Reason,
        /// The meaning of the reason.
        explanation: &'static str,
    },
}

impl Hook {
    /// A webhook with one secret.
    pub fn new(strategy: Strategy) -> Result<Self> {
        Unchecked { strategy, previous: None, event_type: None, max_body: MAX_BODY }.try_into()
    }

    /// Accepts the previous secret as well, while the registration is being changed to the new one. It may belong to
    /// another strategy. The new one is always the one that is registered.
    pub fn accepting(mut self, previous: Strategy) -> Result<Self> {
        previous.check()?;
        self.previous = Some(previous);
        Ok(self)
    }

    /// Sets the event type for bodies that do not name one. Use a separate address for each event type then.
    #[must_use]
    pub fn for_event(mut self, event_type: impl Into<EventType>) -> Self {
        self.event_type = Some(event_type.into());
        self
    }

    /// Sets the maximum size of a body in bytes. Default: 1 MiB.
    #[must_use]
    pub fn max_body(mut self, bytes: usize) -> Self {
        self.max_body = bytes;
        self
    }

    /// The maximum size of a body in bytes. A server need not read more than one byte beyond it.
    pub fn largest_body(&self) -> usize {
        self.max_body
    }

    /// The strategy that is registered.
    pub fn strategy(&self) -> &Strategy {
        &self.strategy
    }

    /// When the registered credential expires: the webhook must be registered again before that.
    pub fn ends(&self) -> Option<Timestamp> {
        self.strategy.ends()
    }

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

    /// The security token to register; empty if the strategy has none.
    // API 10.1
    pub fn security_token(&self) -> Secret {
        self.strategy.security_token()
    }

    /// The subscribing call: pass it to `create_web_hook`. `entity` is the id of a survey, or `*` for all.
    pub fn registration(
        &self,
        base: &str,
        event_type: impl Into<EventType>,
        entity: impl Into<String>,
    ) -> Result<CreateWebHookRequest> {
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

    /// The hook as JSON, with its secrets in plain text: `str::parse` reads it again.
    pub fn to_json(&self) -> Secret {
        serde_json::to_string(self).unwrap_or_default().into()
    }

    /// Reads the body of a request while it arrives, from the stream of its pieces: `request.into_body().into_data_stream()` in
    /// axum, a `Payload` in actix-web. It stops at one byte more than [`largest_body`](Self::largest_body), which
    /// [`verify`](Self::verify) refuses, so that a stranger cannot fill the memory. The rest stays unread: close the connection.
    pub async fn read<B: AsRef<[u8]>, E>(
        &self,
        body: impl Stream<Item = std::result::Result<B, E>>,
    ) -> std::result::Result<Vec<u8>, E> {
        let (mut body, mut read) = (std::pin::pin!(body), Vec::new());
        while read.len() <= self.max_body
            && let Some(piece) = body.next().await
        {
            let piece = piece?;
            let room = self.max_body.saturating_add(1) - read.len();
            read.extend(piece.as_ref().iter().take(room));
        }
        Ok(read)
    }

    /// The same from a blocking reader, such as the `as_reader()` of a request of `tiny_http`.
    pub fn read_from(&self, body: impl Read) -> io::Result<Vec<u8>> {
        let mut read = Vec::new();
        body.take((self.max_body as u64).saturating_add(1)).read_to_end(&mut read)?;
        Ok(read)
    }

    /// Verifies a request: its address (complete, or path and query), its headers, and its body as the bytes received.
    ///
    /// The reason of a refusal is logged and must not be shown to the caller: respond with [`Refusal::STATUS`] and
    /// nothing else.
    pub fn verify<N, V>(
        &self,
        url: &str,
        headers: impl IntoIterator<Item = (N, V)>,
        body: &[u8],
    ) -> std::result::Result<Event, Refusal>
    where
        N: AsRef<str>,
        V: AsRef<[u8]>,
    {
        self.verify_at(Utc::now(), url, headers, body)
    }

    /// [`verify`](Self::verify) as of another time than now.
    pub fn verify_at<N, V>(
        &self,
        now: DateTime<Utc>,
        url: &str,
        headers: impl IntoIterator<Item = (N, V)>,
        body: &[u8],
    ) -> std::result::Result<Event, Refusal>
    where
        N: AsRef<str>,
        V: AsRef<[u8]>,
    {
        let judged = Headers::read(headers)
            .and_then(|headers| self.examine(now, &Received::new(url, &headers, body, self.max_body)?));
        judged.map_err(|reason| {
            log::warn!("a webhook request was refused ({reason}): {}", reason.explanation());
            Refusal { reason }
        })
    }

    /// [`verify_at`](Self::verify_at) with the verdict as data, for other languages.
    pub fn judge<N, V>(
        &self,
        now: DateTime<Utc>,
        url: &str,
        headers: impl IntoIterator<Item = (N, V)>,
        body: &[u8],
    ) -> Verdict
    where
        N: AsRef<str>,
        V: AsRef<[u8]>,
    {
        match self.verify_at(now, url, headers, body) {
            Ok(event) => Verdict::Accepted { event: Box::new(event) },
            Err(Refusal { reason }) => Verdict::Refused { reason, explanation: reason.explanation() },
        }
    }

    /// The body is read last, and only for a caller who has the secret.
    fn examine(&self, now: DateTime<Utc>, received: &Received<'_>) -> std::result::Result<Event, Reason> {
        // Both secrets are always tried, so that the time does not show which of them almost matched.
        let first = self.strategy.verify(received, now);
        let second = self.previous.as_ref().map(|previous| previous.verify(received, now));
        let ends = match (first, second) {
            (Ok(ends), _) | (Err(_), Some(Ok(ends))) => ends,
            (Err(first), Some(Err(second))) if second.is_proven() && !first.is_proven() => {
                return Err(second);
            }
            (Err(first), _) => return Err(first),
        };
        let raw = body::read(received)?;
        let mut event = Event::read(raw, self.event_type.as_ref(), Source::Delivered)?;
        event::note_end(&mut event, ends, now);
        Ok(event)
    }
}
