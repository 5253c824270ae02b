//! The client's methods for webhooks: registering them, and reading an entity.

use super::{Event, Hook};
#[cfg(feature = "blocking")]
use crate::BlockingClient;
use crate::convert::{ConversionError, IntoFfi, TryFromFfi};
use crate::{Client, Confirmation, CreateWebHookResponse, EventType};
use std::sync::Arc;

async fn subscribe(
    client: sondage::Client,
    hook: Arc<Hook>,
    base: String,
    kind: EventType,
    entity: String,
) -> sondage::Result<CreateWebHookResponse> {
    let kind = kind.try_from_ffi().map_err(ConversionError::into_argument_error)?;
    Ok(hook.0.subscribe(&client, &base, kind, entity).await?.into_ffi())
}

async fn confirm_event(
    client: sondage::Client,
    event: Event,
    columns: Vec<String>,
) -> sondage::Result<Confirmation> {
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let confirmation = event.again()?.confirm(&client, &columns).await?;
    Ok(confirmation.into_ffi())
}

blocking_and_async! {
    /// Registers a webhook.
    ///
    /// - `hook`: The webhook.
    /// - `base`: The address at which the receiver is reached.
    /// - `event`: The events.
    /// - `entity`: The survey to watch, or `*`.
    #[uniffi::method(default(entity = "*"))]
    subscribe(hook: Arc<Hook>, base: String, event: EventType, entity: String) -> CreateWebHookResponse;

    /// Reads the entity of an event from the API. Bounces and opt-outs cannot be read by an id.
    ///
    /// - `event`: The event.
    /// - `columns`: Questions and columns of an interview, or fields of a member, to read in addition to the service's
    ///   own.
    #[uniffi::method(default(columns))]
    confirm_event(event: Event, columns: Vec<String>) -> Confirmation;
}
