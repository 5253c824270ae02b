//! The fields of events and their entities, for the generators.

/// A struct whose fields are listed in `webhook_shapes!`.
pub struct Shape {
    /// Its name.
    pub name: &'static str,
    /// Its name in languages in which a model has the first name.
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
    /// Its type in Rust.
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
            docs: "An event of the service. Nothing signs its content, so read the entity from the API where it matters.",
            fields: &[
                $(expand!(@part $field, $type, true, $($doc)*),)*
                $(expand!(@part $rare, $Rare, false, $($about)*)),*
            ],
        };
        /// The entities of events.
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

/// The name that distinguishes an entity from the others: `optOut`.
pub fn kind(shape: &Shape) -> String {
    let (first, rest) = shape.name.split_at(1);
    first.to_lowercase() + rest
}
