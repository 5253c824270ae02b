//! What events and their entities have, as the surfaces see it.

/// A struct whose fields are listed in `webhook_shapes!`.
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// Its name where a model has taken the first.
    pub other_name: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Its fields, in order.
    pub fields: &'static [Part],
}

/// A field.
pub struct Part {
    /// Its name in Rust.
    pub name: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Its type, as it is written in Rust.
    pub ty: &'static str,
    /// Whether it is always there.
    pub always: bool,
}

macro_rules! expand {
    (
        event from $ways:tt {
            always { $($(#[doc = $doc:literal])* $field:ident: $type:ty;)* }
            maybe { $($(#[doc = $about:literal])* $rare:ident: $Rare:ty;)* }
        }
        $($(#[doc = $text:literal])* $Name:ident $Entity:ident {
            $($(#[doc = $what:literal])* $part:ident: $Part:ty = $read:ident $($wire:literal)+;)*
        })*
    ) => {
        /// An event.
        pub const EVENT: Shape = Shape {
            name: "Event",
            other_name: "Event",
            docs: "Something that happened at the service. It is a hint: nothing signs its content.",
            fields: &[
                $(expand!(@part $field, $type, true, $($doc)*),)*
                $(expand!(@part $rare, $Rare, false, $($about)*)),*
            ],
        };
        /// What events are about.
        pub const ENTITIES: &[Shape] = &[$(Shape {
            name: stringify!($Name),
            other_name: stringify!($Entity),
            docs: concat!($($text, "\n"),*),
            fields: &[$(expand!(@part $part, $Part, false, $($what)*)),*],
        }),*];
    };
    (@part $name:ident, $type:ty, $always:literal, $($doc:literal)*) => {
        Part { name: stringify!($name), docs: concat!($($doc, "\n"),*), ty: stringify!($type), always: $always }
    };
}
sondage::webhook_shapes!(expand);

/// The word by which languages tell an entity from the others: `optOut`.
pub fn kind(shape: &Shape) -> String {
    let (first, rest) = shape.name.split_at(1);
    first.to_lowercase() + rest
}
