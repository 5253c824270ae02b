//! What a client does for webhooks: registering them, reading an entity again, finding what no callback told.

use super::{Event, Guard, Hook};
use crate::{BlockingClient, Client, CreateWebHookResponse, EventType};
use sondage::Timestamp;
use sondage::webhook::Missed;
use sondage_uniffi_values::{Give, Take, Wrong};
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
pub struct MissedEvents {
    /// The events, each once, the oldest first.
    pub events: Vec<Event>,
    /// How many completed interviews were looked at.
    pub seen: i64,
    /// The time to begin with when the job runs again. Keep it only after the events were handled.
    pub until: SystemTime,
}

async fn subscribe(
    client: sondage::Client,
    hook: Arc<Hook>,
    base: String,
    kind: EventType,
    entity: String,
) -> sondage::Result<CreateWebHookResponse> {
    let kind: sondage::model::EventType = kind.take().map_err(Wrong::into_argument_error)?;
    Ok(hook.0.subscribe(&client, &base, kind, entity).await?.give())
}

async fn confirm_event(
    client: sondage::Client,
    event: Event,
    columns: Vec<String>,
) -> sondage::Result<Confirmation> {
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let found = event.again()?.confirm(&client, &columns).await?;
    Ok(Confirmation { holds: found.holds, current: found.current.give() })
}

async fn missed_events(
    client: sondage::Client,
    survey: i64,
    since: SystemTime,
    columns: Vec<String>,
    unknown_to: Option<Arc<Guard>>,
) -> sondage::Result<MissedEvents> {
    let wrong = |wrong: Wrong| wrong.in_field("since").into_argument_error();
    let since: Timestamp = since.take().map_err(wrong)?;
    let mut job = Missed::of_survey(survey, since).columns(columns);
    if let Some(guard) = &unknown_to {
        job = job.unknown_to(guard.memory());
    }
    let caught = job.read(&client).await?;
    let seen = i64::try_from(caught.seen).unwrap_or(i64::MAX);
    Ok(MissedEvents { events: caught.events.give(), seen, until: caught.until.give() })
}

waiting! {
    /// Registers a webhook: `base` is the address at which the receiver is reached, `entity` the survey to watch, or `*`.
    #[uniffi::method(default(entity = "*"))]
    subscribe(hook: Arc<Hook>, base: String, event: EventType, entity: String) -> CreateWebHookResponse;

    /// Reads the entity of an event again. Bounces and opt-outs cannot be read by an id.
    ///
    /// - `columns`: Questions and columns of an interview, or fields of a member, to read besides the service's own.
    #[uniffi::method(default(columns))]
    confirm_event(event: Event, columns: Vec<String>) -> Confirmation;

    /// Interviews of a survey that were completed since a time, as the same events that a webhook delivers.
    ///
    /// - `columns`: Questions and columns to read besides `Id`, `State` and `UpdatedAt`.
    /// - `unknownTo`: Leaves out what this guard knows as handled.
    #[uniffi::method(default(unknown_to = None, columns))]
    missed_events(
        survey: i64,
        since: SystemTime,
        columns: Vec<String>,
        unknown_to: Option<Arc<Guard>>,
    ) -> MissedEvents;
}
