//! The fields of events and their entities, for the generators.

use super::prelude::*;
use sondage::reports::{Confirmation, MissedEvents};

/// A struct whose fields are listed in `webhook_shapes!`.
pub struct Shape {
    /// Its description. What may be absent is optional.
    pub schema: ReportSchema,
    /// Its name in languages in which a model has the other one.
    pub other_name: &'static str,
}

macro_rules! expand {
    (
        event from $ways:tt {
            always { $($(#[doc = $doc:literal])* $field:ident: $type:ident;)* }
            maybe { $($(#[doc = $about:literal])* $rare:ident: $Rare:ident;)* }
        }
        $($(#[doc = $text:literal])* $Name:ident $Entity:ident {
            $($(#[doc = $what:literal])* $part:ident: $Part:ident = $read:ident $($wire:literal)+;)*
        })*
    ) => {
        pub const EVENT: Shape = expand!(@shape "Event", "Event",
            "An event of the service. Nothing signs its content, so read the entity from the API where it matters.",
            $(expand!(@field $field, expand!(@type $type), $($doc)*),)*
            $(expand!(@field $rare, ReportType::Optional(&expand!(@type $Rare)), $($about)*),)*
        );
        pub const ENTITIES: &[Shape] = &[$(
            expand!(@shape stringify!($Name), stringify!($Entity), concat!($($text, "\n"),*),
                $(expand!(@field $part, ReportType::Optional(&expand!(@type $Part)), $($what)*),)*
            )
        ),*];
    };
    (@shape $name:expr, $other:expr, $docs:expr, $($field:expr,)*) => {
        Shape { schema: ReportSchema { name: $name, docs: $docs, fields: &[$($field),*] }, other_name: $other }
    };
    (@field $name:ident, $type:expr, $($doc:literal)*) => {
        FieldOfReport { name: stringify!($name), docs: concat!($($doc, "\n"),*), ty: &$type }
    };
    (@type i64) => { ReportType::Int };
    (@type bool) => { ReportType::Bool };
    (@type String) => { ReportType::Text };
    (@type Timestamp) => { ReportType::Timestamp };
    (@type Json) => { ReportType::Json };
    (@type Source) => { ReportType::Word(sondage::webhook::Source::WORDS) };
    (@type $Other:ident) => { ReportType::Named(stringify!($Other)) };
}
sondage::webhook_shapes!(expand);

/// Reports that are declared next to the events to which they belong.
pub const REPORTS: [&ReportSchema; 2] = [Confirmation::SCHEMA, MissedEvents::SCHEMA];

pub fn is_of_events(schema: &ReportSchema) -> bool {
    REPORTS.iter().any(|report| report.name == schema.name)
}

impl Shape {
    /// The name that distinguishes an entity from the others: `optOut`.
    pub fn kind(&self) -> String {
        camel(&self.schema.name.to_snake_case())
    }
}
