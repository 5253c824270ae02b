//! An event: what happened, to which entity, and its key.

use super::entity::Entity;
use super::object::Object;
use super::refusal::Reason;
use super::source::Source;
use crate::hex::sha256;
use crate::model::{EventType, Json, Timestamp};
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde::Serialize;
use std::sync::atomic::{AtomicI64, Ordering};

macro_rules! event {
    (
        event from $ways:tt {
            always { $($(#[doc = $doc:literal])* $field:ident: $type:ty;)* }
            maybe { $($(#[doc = $about:literal])* $rare:ident: $Rare:ty;)* }
        }
        $($entities:tt)*
    ) => {
        /// An event of the service. Nothing signs its content, so read the entity from the API
        /// ([`confirm`](Self::confirm)) where it matters.
        #[derive(Clone, Debug, PartialEq, Serialize)]
        #[serde(rename_all = "camelCase")]
        #[non_exhaustive]
        pub struct Event {
            $($(#[doc = $about])* #[serde(skip_serializing_if = "Option::is_none")] pub $rare: Option<$Rare>,)*
            $($(#[doc = $doc])* pub $field: $type,)*
        }
    };
}
crate::webhook_shapes!(event);

/// How long before a credential expires a warning is logged.
const SOON: TimeDelta = TimeDelta::days(30);

impl Event {
    /// An event from its stored raw text, and the event type that the hook had set, if any.
    pub fn kept(raw: Json, event_type: Option<&EventType>) -> crate::Result<Self> {
        Self::read(raw, event_type, Source::Delivered)
            .map_err(|reason| crate::Error::invalid_argument(format!("the event cannot be read ({reason})")))
    }

    /// Any JSON is an event. If its format is not known, its entity is [`Entity::Unknown`].
    pub(super) fn read(raw: Json, expected: Option<&EventType>, source: Source) -> Result<Self, Reason> {
        let body = Object::read(raw.as_str())?;
        let named = |body: &Object<'_>| body.text("eventtype").or_else(|| body.text("event"));
        let event_type = body.as_ref().and_then(named).map(EventType::from).or_else(|| expected.cloned());
        let entity_identifier = body.as_ref().and_then(|body| body.text("entityidentifier"));
        let entity = body.map_or(Ok(Entity::Unknown), |body| Entity::find(body, event_type.as_ref()))?;
        let mut event = Self {
            event_type,
            entity_identifier,
            entity,
            key: String::new(),
            also: None,
            source,
            credential_ends: None,
            credential_ends_soon: false,
            raw,
        };
        event.name();
        Ok(event)
    }

    /// Computes the keys of the event.
    fn name(&mut self) {
        let event_type = self.event_type.as_ref().map_or("", EventType::as_str);
        let (id, changed) = self.entity.identity();
        // An instant is always written in the same form here, however the service writes it.
        let changed = changed.map(|time| time.0.to_rfc3339_opts(SecondsFormat::Millis, true));
        let key = |changed: &str| {
            let parts = [event_type, self.entity.kind(), id.as_deref().unwrap_or_default(), changed];
            let text = serde_json::to_string(&parts).unwrap_or_default();
            sha256(text.as_bytes())
        };
        let interview = matches!(self.entity, Entity::Interview(_)) && id.is_some();
        let whole = || format!("body {}", sha256(self.raw.as_str().as_bytes()));
        let (own, also) = match changed {
            // A callback without a time is the same event as the row with one.
            Some(time) if interview && self.source == Source::Reconciled => (key(&time), Some(key(""))),
            Some(time) if id.is_some() => (key(&time), None),
            None if interview => (key(""), None),
            _ => (key(&whole()), None),
        };
        (self.key, self.also) = (own, also);
    }

    /// All its keys.
    pub(super) fn keys(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.key.as_str()).chain(self.also.as_deref())
    }
}

/// When a warning about an expiring credential was last logged, in seconds: once an hour is enough.
static LOGGED: AtomicI64 = AtomicI64::new(0);

/// Records when the credential expires, and warns before it does.
pub(super) fn note_end(event: &mut Event, ends: Option<Timestamp>, now: DateTime<Utc>) {
    event.credential_ends = ends;
    let Some(ends) = ends else { return };
    event.credential_ends_soon = ends.0 - now < SOON;
    let (last, seconds) = (LOGGED.load(Ordering::Relaxed), now.timestamp());
    if event.credential_ends_soon
        && (seconds - last).abs() >= 3600
        && LOGGED.compare_exchange(last, seconds, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    {
        log::warn!(
            "the credential of a webhook expires on {ends}: register the webhook again with a new one"
        );
    }
}
