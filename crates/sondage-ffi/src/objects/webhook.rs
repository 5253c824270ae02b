//! Webhooks: the core verifies requests, and the verdicts are passed to the caller.

use crate::call::args::Attachment;
use crate::handle::Handle;
use crate::language::{ArgResult, Language};
use crate::methods::{core, kinds};
use chrono::Utc;
use indexmap::IndexMap;
use serde::Deserialize;
use sondage::arguments::{Bytes, FilePath, MissedOptions};
use sondage::job::Job;
use sondage::model::EventType;
use sondage::webhook::{self, Confirmation, Event, Guard, Hook, MissedEvents, Ticket, Verdict};
use sondage::{Client, Error, Json, Result, Timestamp};
use std::sync::{Mutex, PoisonError};

/// The result of claiming an event.
pub struct Claim(&'static str, Mutex<Option<Ticket>>);

/// Where a guard remembers events.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuardOptions {
    /// In memory: how many.
    capacity: Option<usize>,
    folder: Option<FilePath>,
    /// In a folder: how long an event stays claimed, in seconds.
    lease: Option<f64>,
}

/// An incoming request.
#[derive(Deserialize)]
pub struct ArrivedRequest {
    url: String,
    headers: Vec<(String, Bytes)>,
    body: Bytes,
    now: Option<Timestamp>,
}

/// What to register.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegistrationOptions {
    base: String,
    #[serde(alias = "eventType")]
    event_type: EventType,
    entity: String,
}

/// An event to be claimed or confirmed.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventToConfirm {
    /// The event as a value.
    raw: Option<Json>,
    /// The event as text.
    json: Option<String>,
    name: Option<EventType>,
    columns: Vec<String>,
}

impl<L: Language> core::hook::Methods<L> for Hook {
    fn settings(&self) -> ArgResult<String, L> {
        Ok(self.to_json().reveal().to_owned())
    }

    fn strategy(&self) -> ArgResult<&'static str, L> {
        Ok(self.strategy().name())
    }

    fn security_token(&self) -> ArgResult<String, L> {
        Ok(self.security_token().reveal().to_owned())
    }

    fn ends(&self) -> ArgResult<Option<Timestamp>, L> {
        Ok(self.ends())
    }

    fn url(&self, base: String) -> ArgResult<String, L> {
        Ok(self.url(&base)?)
    }

    fn registration(&self, options: RegistrationOptions) -> ArgResult<IndexMap<String, String>, L> {
        let RegistrationOptions { base, event_type, entity } = options;
        let request = self.registration(&base, event_type, entity)?;
        let arguments = [
            ("event_type", Some(request.event_type.to_string())),
            ("entity_identifier", Some(request.entity_identifier)),
            ("web_hook_url", Some(request.web_hook_url.reveal().to_owned())),
            ("security_token", request.security_token.map(|token| token.reveal().to_owned())),
        ];
        Ok(arguments.into_iter().filter_map(|(name, value)| Some((L::name(name), value?))).collect())
    }

    fn accepting(&self, previous: Attachment<'_, L>) -> ArgResult<Self, L> {
        let Attachment::Handle(Handle::Hook(previous)) = previous else {
            return Err(Error::invalid_argument("previous must be a webhook").into());
        };
        Ok(self.clone().accepting(previous.strategy().clone())?)
    }

    fn for_event(&self, event_type: String) -> ArgResult<Self, L> {
        Ok(self.clone().for_event(event_type))
    }

    fn largest_body(&self) -> ArgResult<usize, L> {
        Ok(self.largest_body())
    }

    fn max_body(&self, size: usize) -> ArgResult<Self, L> {
        Ok(self.clone().max_body(size))
    }

    fn judge(&self, request: ArrivedRequest) -> ArgResult<kinds::Blocking<Verdict>, L> {
        let (hook, ArrivedRequest { url, headers, body, now }) = (self.clone(), request);
        Ok(Box::new(move || {
            let now = now.map_or_else(Utc::now, |time| time.0);
            Ok(hook.judge(now, &url, headers, body.as_ref()))
        }))
    }
}

impl GuardOptions {
    pub fn guard(self) -> Result<Guard> {
        let only = |name, place| {
            Err(Error::invalid_argument(format!("`{name}` is for a guard {place}. Nothing was made.")))
        };
        match self {
            Self { folder: Some(_), capacity: Some(_), .. } => {
                only("capacity", "in memory: leave it or `folder` out")
            }
            Self { folder: None, lease: Some(_), .. } => only("lease", "in a folder: name the `folder` too"),
            Self { folder: Some(folder), lease, .. } => {
                Guard::in_folder(folder.0, Guard::checked_lease(lease)?)
            }
            Self { capacity: Some(capacity), .. } => Guard::new(capacity),
            _ => Ok(Guard::default()),
        }
    }
}

impl<L: Language> core::guard::Methods<L> for Guard {
    fn claim(&self, keys: Vec<String>) -> ArgResult<Claim, L> {
        Ok(match self.claim_keys(keys)? {
            webhook::Claim::New(ticket) => Claim("new", Mutex::new(Some(ticket))),
            webhook::Claim::Done => Claim("done", Mutex::default()),
            webhook::Claim::Busy => Claim("busy", Mutex::default()),
        })
    }

    fn remember(&self, keys: Vec<String>) -> ArgResult<(), L> {
        Ok(self.remember(keys)?)
    }

    fn keys(&self) -> ArgResult<Vec<String>, L> {
        Ok(self.keys()?)
    }

    fn prune(&self, days: f64) -> ArgResult<u64, L> {
        Ok(self.prune_days(days)?)
    }
}

impl<L: Language> core::claim::Methods<L> for Claim {
    fn state(&self) -> ArgResult<&'static str, L> {
        Ok(self.0)
    }

    fn end(&self, done: bool) -> ArgResult<(), L> {
        let ticket = self.1.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(ticket) = ticket.filter(|_| done) {
            ticket.done()?;
        }
        Ok(())
    }
}

/// Reads the entity of an event from the API.
pub fn confirm(client: &Client, asked: EventToConfirm) -> kinds::Call<Confirmation> {
    let client = client.clone();
    Box::pin(async move {
        let raw = match asked.raw {
            Some(raw) => raw,
            None => Json::parse(asked.json.unwrap_or_default())
                .map_err(|_| Error::invalid_argument("the event is not JSON"))?,
        };
        let event = Event::kept(raw, asked.name.as_ref())?;
        let columns: Vec<&str> = asked.columns.iter().map(String::as_str).collect();
        event.confirm(&client, &columns).await
    })
}

/// Finds events that no callback delivered.
pub fn missed(client: &Client, options: MissedOptions, guard: Option<&Guard>) -> kinds::Call<MissedEvents> {
    options.run(client, guard.cloned(), None)
}
