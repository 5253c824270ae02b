//! Descriptions of the models as data.
//!
//! The language surfaces, the sandbox's validation, the documentation and the test against the specification are derived
//! from these descriptions, so that nothing about a model is written twice.

use crate::model::{FieldValue, Json, Secret, Timestamp};
use indexmap::IndexMap;

/// The type of a value.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// A boolean.
    Bool,
    /// A 64-bit integer.
    Int,
    /// A floating point number.
    Float,
    /// Text.
    Text,
    /// Text that must not be displayed.
    Secret,
    /// A timestamp.
    Timestamp,
    /// The value of a member's field: text, number, boolean or empty.
    FieldValue,
    /// Any JSON.
    Json,
    /// Optional.
    Optional(&'static Type),
    /// A list.
    List(&'static Type),
    /// A map with text keys.
    Map(&'static Type),
    /// An open enumeration.
    Enum(&'static EnumSchema),
    /// Another model.
    Model(fn() -> &'static ModelSchema),
}

/// How a model is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A request: sent by a caller.
    Request,
    /// A whole response.
    Response,
    /// A part of a response.
    Record,
    /// A part of requests and responses.
    Value,
}

/// A model.
#[derive(Debug)]
pub struct ModelSchema {
    /// Its name, which is the same in every language.
    pub name: &'static str,
    /// How it is used.
    pub kind: Kind,
    /// The Rust module in which it is defined: the last segment is the area of the API.
    pub module: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Where the service documents it: a section of `docs/api` and its mark. `None` for a response that has the source
    /// of its request.
    pub source: Option<&'static str>,
    /// Its fields, in order.
    pub fields: &'static [FieldSchema],
}

impl ModelSchema {
    /// Whether this field selects what a call reaches.
    pub fn selects(&self, wire: &str) -> bool {
        self.fields.iter().any(|field| field.wire == wire && field.role == Role::Selects)
    }
}

/// Whether a field with this name selects what a call reaches, in the request of any operation.
pub fn selects_in_any(wire: &str) -> bool {
    crate::operations::ALL.iter().any(|operation| operation.request.selects(wire))
}

/// A field of a model.
#[derive(Debug)]
pub struct FieldSchema {
    /// Its name in Rust and Python.
    pub name: &'static str,
    /// Its name on the wire and in Node.js.
    pub wire: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Its source, if it differs from its model's.
    pub source: Option<&'static str>,
    /// Its type.
    pub ty: &'static Type,
    /// In a request: the service requires it. In a response: it is always present.
    pub required: bool,
    /// Required by the service, but filled in by the client if the caller leaves it out.
    pub filled_in: bool,
    /// The maximum length that the service accepts, in characters.
    pub max_length: Option<usize>,
    /// A regular expression that the text must match.
    pub pattern: Option<&'static str>,
    /// The purpose of a list in a request that writes.
    pub role: Role,
    /// For an optional field that selects: what it means to leave it out. A `null` is refused.
    pub absent: Option<&'static str>,
    /// Personal data: no error may show it when the service echoes it.
    pub personal: bool,
}

/// The purpose of a list in a request that writes, which determines what an empty list means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Additional data: an empty list is harmless.
    Plain,
    /// Selects what the call reaches: the service treats an empty list as absent, and so as everybody. Refused when empty,
    /// and when it is present without a value.
    Selects,
    /// The data to write: a call in which all such lists are empty would do nothing. Refused when all are empty.
    Changes,
}

/// An open enumeration.
#[derive(Debug, PartialEq, Eq)]
pub struct EnumSchema {
    /// Its name.
    pub name: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Where the service documents it: a section of `docs/api` and its mark.
    pub source: &'static str,
    /// The Rust module in which it is defined.
    pub module: &'static str,
    /// The values known to this version.
    pub values: &'static [&'static str],
}

/// A type that can describe itself.
pub trait Describe {
    /// The description.
    const TYPE: &'static Type;
}

/// A model: a struct with named fields.
pub trait Model {
    /// The description.
    const SCHEMA: &'static ModelSchema;
}

macro_rules! describe {
    ($($type:ty => $variant:ident),* $(,)?) => {
        $(impl Describe for $type {
            const TYPE: &'static Type = &Type::$variant;
        })*
    };
}
describe!(
    bool => Bool, i32 => Int, i64 => Int, f64 => Float, String => Text, Secret => Secret,
    Timestamp => Timestamp, FieldValue => FieldValue, Json => Json,
);

impl<T: Describe> Describe for Option<T> {
    const TYPE: &'static Type = &Type::Optional(T::TYPE);
}

impl<T: Describe> Describe for Vec<T> {
    const TYPE: &'static Type = &Type::List(T::TYPE);
}

impl<T: Describe> Describe for IndexMap<String, T> {
    const TYPE: &'static Type = &Type::Map(T::TYPE);
}
