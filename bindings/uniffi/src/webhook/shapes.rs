//! Events and their entities, expanded from the core's list of fields.

use crate::convert::{IntoFfi, TryFromFfi};
use crate::{EventType, Map, MemberField};
use sondage::Error;
use sondage::webhook as core;
use std::time::SystemTime;

// The core's types, as Kotlin and Swift see them.
type Timestamp = SystemTime;
type Json = String;
type Fields = Map<MemberField>;
type Source = EventSource;

/// How an event was received.
#[derive(Clone, Copy, Debug, uniffi::Enum)]
pub enum EventSource {
    /// The service called.
    Delivered,
    /// Found by polling.
    Reconciled,
}

impl IntoFfi<EventSource> for core::Source {
    fn into_ffi(self) -> EventSource {
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
        /// An event of the service. Nothing signs its content, so read the entity from the API where it matters.
        #[derive(Debug, uniffi::Record)]
        pub struct Event {
            $($(#[doc = $doc])* pub $field: $type,)*
            $($(#[doc = $about])* #[uniffi(default = None)] pub $rare: Option<$Rare>,)*
        }

        impl IntoFfi<Event> for core::Event {
            fn into_ffi(self) -> Event {
                Event { $($field: self.$field.into_ffi(),)* $($rare: self.$rare.into_ffi(),)* }
            }
        }

        impl Event {
            /// The event as the core represents it.
            pub fn again(self) -> Result<core::Event, Error> {
                let raw = sondage::Json::parse(self.$raw);
                let raw = raw.map_err(|_| Error::invalid_argument("the event is not JSON"))?;
                let kind = self.$kind.try_from_ffi().map_err(crate::convert::ConversionError::into_argument_error)?;
                core::Event::kept(raw, kind.as_ref())
            }
        }

        $(
            $(#[doc = $text])*
            #[derive(Debug, uniffi::Record)]
            pub struct $Record {
                $($(#[doc = $what])* #[uniffi(default = None)] pub $part: Option<$Part>,)*
            }

            impl IntoFfi<$Record> for core::$Name {
                fn into_ffi(self) -> $Record {
                    $Record { $($part: self.$part.into_ffi(),)* }
                }
            }
        )*

        /// The entity of an event.
        #[derive(Debug, uniffi::Enum)]
        pub enum Entity {
            $(
                $(#[doc = $text])*
                $Name {
                    /// The known fields.
                    value: $Record,
                },
            )*
            /// An entity that this version cannot read: see the event's raw text.
            Unknown,
        }

        impl IntoFfi<Entity> for core::Entity {
            fn into_ffi(self) -> Entity {
                match self {
                    $(Self::$Name(value) => Entity::$Name { value: value.into_ffi() },)*
                    Self::Unknown => Entity::Unknown,
                }
            }
        }
    };
}
sondage::webhook_shapes!(shapes);
