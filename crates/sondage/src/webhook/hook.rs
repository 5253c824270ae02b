//! One webhook, from both sides: what is registered, and which requests are accepted.

use super::event::Event;
use super::received::{Headers, Received};
use super::refusal::{Reason, Refusal};
use super::source::Source;
use super::strategy::Strategy;
use super::{body, event};
use crate::error::{Error, Result};
use crate::model::{EventType, Secret, Timestamp};
use crate::text;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The default maximum size of a body, in bytes. An interview with its answers is far smaller.
const MAX_BODY: usize = 1 << 20;

/// A webhook: its strategy, and which requests it accepts. It can be stored as JSON, which contains its secrets in plain
/// text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", try_from = "Unchecked")]
pub struct Hook {
    pub(super) strategy: Strategy,
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

    /// The security token to register; empty if the strategy has none.
    // API 10.1
    pub fn security_token(&self) -> Secret {
        self.strategy.security_token()
    }

    /// The hook as JSON, with its secrets in plain text: `str::parse` reads it again.
    pub fn to_json(&self) -> Secret {
        serde_json::to_string(self).unwrap_or_default().into()
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
