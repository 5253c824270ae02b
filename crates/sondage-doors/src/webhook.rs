//! Webhooks: the core judges, and hands its verdicts over.

use crate::bytes::Bytes;
use crate::given::{Call, With};
use crate::language::Language;
use crate::outcome::{Done, Gift, Outcome};
use crate::thing::{Thing, Verbs};
use chrono::Utc;
use serde::Deserialize;
use sondage::model::EventType;
use sondage::webhook::{Claim, Event, Guard, Hook, Missed, Strategy, Ticket};
use sondage::{Client, Error, Json, Result, Timestamp};
use std::sync::{Mutex, PoisonError};

/// A webhook: what is registered and what is accepted.
pub type Receiving = Hook;

/// Remembers which events were handled.
pub type Remembering = Guard;

/// What a guard knows about an event.
pub struct Claimed(&'static str, Mutex<Option<Ticket>>);

/// A request that arrived.
#[derive(Deserialize)]
struct Arrived {
    url: String,
    headers: Vec<(String, Bytes)>,
    body: Bytes,
    now: Option<Timestamp>,
}

/// An event that is asked about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    /// What arrived, as a value.
    raw: Option<Json>,
    /// Or as text.
    json: Option<String>,
    name: Option<EventType>,
    columns: Vec<String>,
}

/// Which events to look for.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Lost {
    survey_id: i64,
    since: Timestamp,
    columns: Option<Vec<String>>,
}

/// A webhook at a new address that nobody can guess.
pub fn obscure() -> Result<Hook> {
    Strategy::obscure_url().and_then(Hook::new)
}

impl<L: Language> Verbs<L> for Hook {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        let hook = self.clone();
        match call.verb {
            // Everything, secrets too, as JSON.
            "settings" => Outcome::value(self.to_json().reveal().to_owned()),
            "strategy" => Outcome::value(self.strategy().name()),
            "token" => Outcome::value(self.security_token().reveal().to_owned()),
            "ends" => Outcome::value(self.ends()),
            "url" => Outcome::value(self.url(&call.read_as::<String>("base")?)?),
            "accepting" => match call.with {
                With::Thing(Thing::Hook(previous)) => {
                    Outcome::thing(hook.accepting(previous.strategy().clone())?)
                }
                _ => Err(Error::invalid_argument("previous must be a webhook").into()),
            },
            "forEvent" => Outcome::thing(hook.for_event(call.read_as::<String>("eventType")?)),
            "largestBody" => Outcome::value(hook.largest_body()),
            "maxBody" => Outcome::thing(hook.max_body(call.read_as("size")?)),
            // Refusals are verdicts, not errors.
            "judge" => {
                let Arrived { url, headers, body, now } = call.read()?;
                Outcome::here(move || {
                    let now = now.map_or_else(Utc::now, |time| time.0);
                    Ok(Gift::told(hook.judge(now, &url, headers, body.as_ref())))
                })
            }
            _ => Err(call.unknown()),
        }
    }
}

impl<L: Language> Verbs<L> for Guard {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            // Asks for the right to handle an event.
            "claim" => Outcome::thing(match self.claim_keys(call.read_as("keys")?) {
                Claim::New(ticket) => Claimed("new", Mutex::new(Some(ticket))),
                Claim::Done => Claimed("done", Mutex::default()),
                Claim::Busy => Claimed("busy", Mutex::default()),
            }),
            "remember" => {
                self.remember(call.read_as::<Vec<String>>("keys")?);
                Outcome::value(())
            }
            "keys" => Outcome::value(self.keys()),
            _ => Err(call.unknown()),
        }
    }
}

impl<L: Language> Verbs<L> for Claimed {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            "state" => Outcome::value(self.0),
            // The event was handled, or it was not and the next one is new again.
            "end" => {
                let done: bool = call.read_as("done")?;
                let ticket = self.1.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(ticket) = ticket.filter(|_| done) {
                    ticket.done();
                }
                Outcome::value(())
            }
            _ => Err(call.unknown()),
        }
    }
}

/// Reads the entity of an event again.
pub fn confirm<L: Language>(client: &Client, call: &Call<'_, L>) -> Done<L> {
    let (client, asked): (_, Asked) = (client.clone(), call.read_as("event")?);
    Outcome::told_later(async move {
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

/// Finds what no callback told.
pub fn missed<L: Language>(client: &Client, call: &Call<'_, L>) -> Done<L> {
    let (client, lost): (_, Lost) = (client.clone(), call.read()?);
    let mut job = Missed::of_survey(lost.survey_id, lost.since).columns(lost.columns.unwrap_or_default());
    if let With::Thing(Thing::Guard(guard)) = call.with {
        job = job.unknown_to(guard);
    }
    Outcome::told_later(async move { job.read(&client).await })
}
