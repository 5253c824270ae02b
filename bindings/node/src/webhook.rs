//! Webhooks behind `webhooks`: the core judges, and hands its verdicts over as plain objects.

use crate::client::NativeClient;
use crate::error::{refused, thrown};
use crate::from_js::from_js;
use crate::to_js::to_js;
use crate::work::Work;
use chrono::{DateTime, Utc};
use napi::Env;
use napi::bindgen_prelude::{Buffer, Unknown};
use napi_derive::napi;
use serde::Deserialize;
use sondage::model::EventType;
use sondage::webhook::{Claim, Event, Guard, Hook, Missed, Strategy, Ticket};
use sondage::{Json, Result, Timestamp};

/// A webhook: what is registered and what is accepted.
#[napi]
pub struct NativeHook(Hook);

fn made<T>(env: &Env, result: Result<T>) -> napi::Result<T> {
    result.map_err(|error| thrown(env, &error))
}

#[napi]
impl NativeHook {
    /// A webhook from its settings as JSON.
    #[napi(constructor, catch_unwind)]
    pub fn new(env: &Env, settings: String) -> napi::Result<Self> {
        made(env, settings.parse()).map(Self)
    }

    /// A new address that nobody can guess.
    #[napi(factory, catch_unwind)]
    pub fn obscure(env: &Env) -> napi::Result<Self> {
        made(env, Strategy::obscure_url().and_then(Hook::new)).map(Self)
    }

    /// Everything, secrets too, as JSON.
    #[napi(getter, catch_unwind)]
    pub fn settings(&self) -> String {
        self.0.to_json().reveal().to_owned()
    }

    /// The strategy's name.
    #[napi(getter)]
    pub fn strategy(&self) -> &'static str {
        self.0.strategy().name()
    }

    /// What to register besides the address.
    #[napi(getter, catch_unwind)]
    pub fn token(&self) -> String {
        self.0.security_token().reveal().to_owned()
    }

    /// When what is registered ends.
    #[napi(catch_unwind)]
    pub fn ends<'env>(&self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        to_js(env, &self.0.ends())
    }

    /// The address to register.
    #[napi(catch_unwind)]
    pub fn url(&self, env: &Env, base: String) -> napi::Result<String> {
        made(env, self.0.url(&base))
    }

    /// Accepts the secret from before, too.
    #[napi(catch_unwind)]
    pub fn accepting(&self, env: &Env, previous: &NativeHook) -> napi::Result<NativeHook> {
        made(env, self.0.clone().accepting(previous.0.strategy().clone())).map(Self)
    }

    /// Says which event is meant when a body does not.
    #[napi(catch_unwind)]
    pub fn for_event(&self, name: String) -> NativeHook {
        Self(self.0.clone().for_event(name))
    }

    /// The largest body in bytes.
    #[napi(catch_unwind)]
    pub fn max_body(&self, bytes: u32) -> NativeHook {
        Self(self.0.clone().max_body(bytes as usize))
    }

    /// The verdict. Refusals are verdicts, not exceptions. `now`: milliseconds.
    #[napi(catch_unwind)]
    pub fn judge<'env>(
        &self,
        env: &'env Env,
        url: String,
        names: Vec<String>,
        values: Vec<Buffer>,
        body: Buffer,
        now: Option<f64>,
    ) -> napi::Result<Unknown<'env>> {
        #[allow(clippy::cast_possible_truncation)] // a Date holds whole milliseconds
        let now = now.and_then(|millis| DateTime::from_timestamp_millis(millis as i64));
        let headers = names.iter().zip(&values);
        to_js(env, &self.0.judge(now.unwrap_or_else(Utc::now), &url, headers, &body))
    }
}

/// Remembers which events were handled.
#[napi]
pub struct NativeGuard(Guard);

#[napi]
impl NativeGuard {
    /// Remembers so many.
    #[napi(constructor, catch_unwind)]
    pub fn new(capacity: u32) -> Self {
        Self(Guard::new(capacity as usize))
    }

    /// Asks for the right to handle an event, by its keys.
    #[napi(catch_unwind)]
    pub fn claim(&self, keys: Vec<String>) -> NativeClaim {
        NativeClaim(match self.0.claim_keys(keys) {
            Claim::New(ticket) => ("new", Some(ticket)),
            Claim::Done => ("done", None),
            Claim::Busy => ("busy", None),
        })
    }

    /// Takes events as handled.
    #[napi(catch_unwind)]
    pub fn remember(&self, keys: Vec<String>) {
        self.0.remember(keys);
    }

    /// The keys of the events that were handled.
    #[napi(catch_unwind)]
    pub fn keys(&self) -> Vec<String> {
        self.0.keys()
    }
}

/// What a guard knows about an event.
#[napi]
pub struct NativeClaim((&'static str, Option<Ticket>));

#[napi]
impl NativeClaim {
    /// `new`, `done` or `busy`.
    #[napi(getter)]
    pub fn state(&self) -> &'static str {
        self.0.0
    }

    /// The event was handled, or it was not and the next one is new again.
    #[napi(catch_unwind)]
    pub fn end(&mut self, done: bool) {
        if let Some(ticket) = self.0.1.take().filter(|_| done) {
            ticket.done();
        }
    }
}

/// An event that is asked about.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    raw: Json,
    name: Option<EventType>,
    columns: Vec<String>,
}

/// Which events to look for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lost {
    survey: i64,
    since: Timestamp,
    columns: Option<Vec<String>>,
}

#[napi]
impl NativeClient {
    /// Reads the entity of an event again.
    #[napi(catch_unwind)]
    pub fn confirm(&self, env: &Env, asked: Unknown<'_>) -> napi::Result<Work> {
        let asked: Asked = from_js(asked, None).map_err(|fault| refused(env, &fault.under("event"), None))?;
        let client = self.core();
        Ok(Work::new(async move {
            let event = Event::kept(asked.raw, asked.name.as_ref())?;
            let columns: Vec<&str> = asked.columns.iter().map(String::as_str).collect();
            event.confirm(&client, &columns).await
        }))
    }

    /// Finds what no callback told.
    #[napi(catch_unwind)]
    pub fn missed(&self, env: &Env, lost: Unknown<'_>, guard: Option<&NativeGuard>) -> napi::Result<Work> {
        let lost: Lost = from_js(lost, None).map_err(|fault| refused(env, &fault, None))?;
        let client = self.core();
        let mut job = Missed::of_survey(lost.survey, lost.since).columns(lost.columns.unwrap_or_default());
        if let Some(guard) = guard {
            job = job.unknown_to(&guard.0);
        }
        Ok(Work::new(async move { job.read(&client).await }))
    }
}
