//! The models described as data.
//!
//! The language surfaces, the sandbox's validation, the documentation and the test against the specification are made
//! from these descriptions, so that nothing about a model is written down twice.

use crate::model::{FieldValue, Json, Secret, Timestamp};
use indexmap::IndexMap;

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// True or false.
    Bool,
    /// An integer of 64 bits.
    Int,
    /// A floating point number.
    Float,
    /// Text.
    Text,
    /// Text that must not be shown.
    Secret,
    /// A timestamp.
    Timestamp,
    /// The value of a member's field: text, number, boolean or nothing.
    FieldValue,
    /// Any JSON.
    Json,
    /// May be absent.
    Optional(&'static Type),
    /// A list.
    List(&'static Type),
    /// A map from text.
    Map(&'static Type),
    /// An open enumeration.
    Enum(&'static EnumSchema),
    /// Another model.
    Model(fn() -> &'static ModelSchema),
}

/// How a model travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Sent by a caller.
    Request,
    /// The whole of an answer.
    Response,
    /// A part of an answer.
    Record,
    /// A part of requests and answers.
    Value,
}

/// A model.
#[derive(Debug)]
pub struct ModelSchema {
    /// Its name, the same in every language.
    pub name: &'static str,
    /// How it travels.
    pub kind: Kind,
    /// The Rust module in which it is defined: its last part is the area of the API.
    pub module: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Where it is known from: a section of `docs/api` and its mark. `None` for an answer: as its request.
    pub source: Option<&'static str>,
    /// Its fields, in order.
    pub fields: &'static [FieldSchema],
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
    /// Where it is known from, where that differs from its model.
    pub source: Option<&'static str>,
    /// What it holds.
    pub ty: &'static Type,
    /// The service insists on it (a request), or it is always there (an answer).
    pub required: bool,
    /// Required by the service, but filled in by the client when the caller leaves it out.
    pub filled_in: bool,
    /// The longest text that the service takes, in characters.
    pub max_length: Option<usize>,
    /// A regular expression that the text must match.
    pub pattern: Option<&'static str>,
    /// What a list is for in a request that writes.
    pub role: Role,
    /// It speaks of a person: what a service repeats of it stands in no error.
    pub personal: bool,
}

/// What a list is for in a request that writes, and so what an empty one means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It adds to the call: an empty list says nothing.
    Plain,
    /// It selects people: the service takes an empty list for none given, and so for everybody. Refused when empty.
    Selects,
    /// It holds what the call writes: a call in which all such lists are empty does nothing. Refused when all are empty.
    Changes,
}

/// An open enumeration.
#[derive(Debug)]
pub struct EnumSchema {
    /// Its name.
    pub name: &'static str,
    /// Its documentation.
    pub docs: &'static str,
    /// Where it is known from: a section of `docs/api` and its mark.
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
