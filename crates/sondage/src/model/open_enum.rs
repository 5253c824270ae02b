//! Enumerations that the service may extend at any time.

/// Declares an open enumeration: an unknown value is not an error, but is kept and written back unchanged.
macro_rules! open_enum {
    ($($(#[doc = $text:literal])* #[source($source:literal)] $name:ident { $($(#[$doc:meta])* $variant:ident),* $(,)? })*) => { $(
        $(#[doc = $text])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$doc])* $variant,)*
            /// A value that this version of the library does not know, unchanged.
            Unknown(String),
        }

        impl $name {
            /// The values that this version of the library knows, in the API's spelling.
            pub const KNOWN: &'static [&'static str] = &[$(stringify!($variant)),*];

            /// The value in the API's spelling.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => stringify!($variant),)*
                    Self::Unknown(text) => text,
                }
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                match text {
                    $(stringify!($variant) => Self::$variant,)*
                    _ => Self::Unknown(text.to_owned()),
                }
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self::from(text.as_str())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }

        impl $name {
            /// The description.
            #[doc(hidden)] // for the language surfaces
            pub const SCHEMA: &'static $crate::schema::EnumSchema = &$crate::schema::EnumSchema {
                name: stringify!($name),
                docs: concat!($($text, "\n"),*),
                source: $source,
                module: module_path!(),
                values: Self::KNOWN,
            };
        }

        impl $crate::schema::Describe for $name {
            const TYPE: &'static $crate::schema::Type = &$crate::schema::Type::Enum(Self::SCHEMA);
        }
    )* };
}
pub(crate) use open_enum;
