//! What JSON does not say about an event: which of its texts are times.

use super::entity::Entity;
use super::event::Event;
use serde::Serialize;

macro_rules! times {
    (
        event from $ways:tt { $($event:tt)* }
        $($(#[doc = $text:literal])* $Name:ident $Entity:ident {
            $($(#[doc = $doc:literal])* $field:ident: $type:ty = $read:ident $($wire:literal)+;)*
        })*
    ) => {
        /// The fields of an entity that are times.
        fn times(entity: &Entity) -> Vec<&'static str> {
            let fields: &[(&str, &str)] = match entity {
                $(Entity::$Name(_) => &[$((stringify!($field), stringify!($read))),*],)*
                Entity::Unknown => &[],
            };
            fields.iter().filter(|(_, read)| *read == "time").map(|(field, _)| *field).collect()
        }
    };
}
crate::webhook_shapes!(times);

/// An event, and which fields of it and of its entity are times.
#[derive(Serialize)]
pub(super) struct Accepted<'a> {
    event: &'a Event,
    times: Vec<String>,
}

pub(super) fn accepted(event: &Event) -> Accepted<'_> {
    Accepted { event, times: times(&event.entity).into_iter().map(camel).collect() }
}

fn camel(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &word[..1].to_ascii_uppercase() + &word[1..])
}
