//! Events and what they are about, as the core lists their fields.

use crate::border::{Give, Take};
use crate::{EventType, Map, MemberField};
use sondage::Error;
use sondage::webhook as core;
use std::time::SystemTime;

// The types of the core, as Kotlin and Swift get them.
type Timestamp = SystemTime;
type Json = String;
type Fields = Map<MemberField>;
type Source = EventSource;

/// How an event became known.
#[derive(Clone, Copy, Debug, uniffi::Enum)]
pub enum EventSource {
    /// The service called.
    Delivered,
    /// The service was asked.
    Reconciled,
}

impl Give<EventSource> for core::Source {
    fn give(self) -> EventSource {
        match self {
            Self::Delivered => EventSource::Delivered,
            _ => EventSource::Reconciled,
        }
    }
}

macro_rules! shapes {
    (
        event from ($raw:ident, $kind:ident) {
            always { $($(#[doc = $doc:literal])* $field:ident: $type:ty;)* }
            maybe { $($(#[doc = $about:literal])* $rare:ident: $Rare:ty;)* }
        }
        $($(#[doc = $text:literal])* $Name:ident $Record:ident {
            $($(#[doc = $what:literal])* $part:ident: $Part:ty = $read:ident $($wire:literal)+;)*
        })*
    ) => {
        /// Something that happened at the service. It is a hint: nothing signs its content, so ask again where it matters.
        #[derive(Debug, uniffi::Record)]
        pub struct Event {
            $($(#[doc = $doc])* pub $field: $type,)*
            $($(#[doc = $about])* #[uniffi(default = None)] pub $rare: Option<$Rare>,)*
        }

        impl Give<Event> for core::Event {
            fn give(self) -> Event {
                Event { $($field: self.$field.give(),)* $($rare: self.$rare.give(),)* }
            }
        }

        impl Event {
            /// The event as the core knows it.
            pub fn again(self) -> Result<core::Event, Error> {
                let raw = sondage::Json::parse(self.$raw);
                let raw = raw.map_err(|_| Error::invalid_argument("the event is not JSON"))?;
                let kind = self.$kind.take().map_err(crate::border::Wrong::into_argument_error)?;
                core::Event::kept(raw, kind.as_ref())
            }
        }

        $(
            $(#[doc = $text])*
            #[derive(Debug, uniffi::Record)]
            pub struct $Record {
                $($(#[doc = $what])* #[uniffi(default = None)] pub $part: Option<$Part>,)*
            }

            impl Give<$Record> for core::$Name {
                fn give(self) -> $Record {
                    $Record { $($part: self.$part.give(),)* }
                }
            }
        )*

        /// What an event is about.
        #[derive(Debug, uniffi::Enum)]
        pub enum Entity {
            $(
                $(#[doc = $text])*
                $Name {
                    /// What is known of it.
                    value: $Record,
                },
            )*
            /// Something that this version cannot read: see the event's raw text.
            Unknown,
        }

        impl Give<Entity> for core::Entity {
            fn give(self) -> Entity {
                match self {
                    $(Self::$Name(value) => Entity::$Name { value: value.give() },)*
                    Self::Unknown => Entity::Unknown,
                }
            }
        }
    };
}
sondage::webhook_shapes!(shapes);
