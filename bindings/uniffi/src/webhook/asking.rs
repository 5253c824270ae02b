//! What a client does for webhooks: registering them, reading an entity again, finding what no callback told.

use super::{Event, Guard, Hook};
use crate::at_border::{Give, Take, Wrong};
use crate::{BlockingClient, Client, CreateWebHookResponse, EventType, SondageError};
use sondage::webhook::Missed;
use sondage::{Timestamp, runtime};
use std::sync::Arc;
use std::time::SystemTime;

/// What the API says about the entity of an event.
#[derive(Debug, uniffi::Record)]
pub struct Confirmation {
    /// Whether the API agrees: a completed interview is completed, a removed member is gone, anything else is there.
    pub holds: bool,
    /// The entity as it is now, as a JSON text; none if it does not exist.
    #[uniffi(default = None)]
    pub current: Option<String>,
}

/// What was found by asking.
#[derive(Debug, uniffi::Record)]
pub struct Caught {
    /// The events, each once, the oldest first.
    pub events: Vec<Event>,
    /// How many completed interviews were looked at.
    pub seen: i64,
    /// The time to begin with when the job runs again. Keep it only after the events were handled.
    pub until: SystemTime,
}

async fn subscribe(
    client: sondage::Client,
    hook: sondage::webhook::Hook,
    base: String,
    kind: EventType,
    entity: String,
) -> sondage::Result<CreateWebHookResponse> {
    let kind: sondage::model::EventType = kind.take().map_err(Wrong::into_argument_error)?;
    Ok(hook.subscribe(&client, &base, kind, entity).await?.give())
}

async fn confirm(
    client: sondage::Client,
    event: Event,
    columns: Vec<String>,
) -> sondage::Result<Confirmation> {
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let found = event.again()?.confirm(&client, &columns).await?;
    Ok(Confirmation { holds: found.holds, current: found.current.give() })
}

async fn missed(
    client: sondage::Client,
    survey: i64,
    since: SystemTime,
    columns: Vec<String>,
    guard: Option<Arc<Guard>>,
) -> sondage::Result<Caught> {
    let wrong = |wrong: Wrong| wrong.in_field("since").into_argument_error();
    let since: Timestamp = since.take().map_err(wrong)?;
    let mut job = Missed::of_survey(survey, since).columns(columns);
    if let Some(guard) = &guard {
        job = job.unknown_to(guard.memory());
    }
    let caught = job.read(&client).await?;
    let seen = i64::try_from(caught.seen).unwrap_or(i64::MAX);
    Ok(Caught { events: caught.events.give(), seen, until: caught.until.give() })
}

#[uniffi::export]
impl Client {
    /// Registers a webhook: `base` is the address at which the receiver is reached, `entity` the survey to watch, or `*`.
    #[uniffi::method(default(entity = "*"))]
    pub async fn subscribe(
        &self,
        hook: Arc<Hook>,
        base: String,
        event: EventType,
        entity: String,
    ) -> Result<CreateWebHookResponse, SondageError> {
        Ok(subscribe(self.core(), hook.0.clone(), base, event, entity).await?)
    }

    /// Reads the entity of an event again. Bounces and opt-outs cannot be read by an id.
    ///
    /// - `columns`: Questions and columns of an interview, or fields of a member, to read besides the service's own.
    #[uniffi::method(default(columns))]
    pub async fn confirm_event(
        &self,
        event: Event,
        columns: Vec<String>,
    ) -> Result<Confirmation, SondageError> {
        Ok(confirm(self.core(), event, columns).await?)
    }

    /// Interviews of a survey that were completed since a time, as the same events that a webhook delivers.
    ///
    /// - `columns`: Questions and columns to read besides `Id`, `State` and `UpdatedAt`.
    /// - `unknownTo`: Leaves out what this guard knows as handled.
    #[uniffi::method(default(unknown_to = None, columns))]
    pub async fn missed_events(
        &self,
        survey: i64,
        since: SystemTime,
        columns: Vec<String>,
        unknown_to: Option<Arc<Guard>>,
    ) -> Result<Caught, SondageError> {
        Ok(missed(self.core(), survey, since, columns, unknown_to).await?)
    }
}

#[uniffi::export]
impl BlockingClient {
    /// Registers a webhook: `base` is the address at which the receiver is reached, `entity` the survey to watch, or `*`.
    #[uniffi::method(default(entity = "*"))]
    pub fn subscribe(
        &self,
        hook: &Hook,
        base: String,
        event: EventType,
        entity: String,
    ) -> Result<CreateWebHookResponse, SondageError> {
        Ok(runtime::block_on(subscribe(self.core(), hook.0.clone(), base, event, entity))?)
    }

    /// Reads the entity of an event again. Bounces and opt-outs cannot be read by an id.
    ///
    /// - `columns`: Questions and columns of an interview, or fields of a member, to read besides the service's own.
    #[uniffi::method(default(columns))]
    pub fn confirm_event(&self, event: Event, columns: Vec<String>) -> Result<Confirmation, SondageError> {
        Ok(runtime::block_on(confirm(self.core(), event, columns))?)
    }

    /// Interviews of a survey that were completed since a time, as the same events that a webhook delivers.
    ///
    /// - `columns`: Questions and columns to read besides `Id`, `State` and `UpdatedAt`.
    /// - `unknownTo`: Leaves out what this guard knows as handled.
    #[uniffi::method(default(unknown_to = None, columns))]
    pub fn missed_events(
        &self,
        survey: i64,
        since: SystemTime,
        columns: Vec<String>,
        unknown_to: Option<Arc<Guard>>,
    ) -> Result<Caught, SondageError> {
        Ok(runtime::block_on(missed(self.core(), survey, since, columns, unknown_to))?)
    }
}
