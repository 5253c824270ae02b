//! Values of serde as Python objects, and Python objects as values of serde.
//!
//! What is written becomes plain objects, and an instance of a generated class where there is one with the name of the
//! struct. What is read may be plain objects, such instances, or the scalars of numpy; whatever is wrong with it is told
//! with the place at which it stands, such as `members[3].fields.Email.value`.
//!
//! Nothing here knows an operation: of the core it takes timestamps, raw JSON, and where unknown fields are kept.

mod classes;
mod fault;
mod read;
mod write;

pub use fault::Fault;
pub use write::to_python;

use pyo3::prelude::*;
use serde::de::DeserializeOwned;

/// Reads a value as a type of Rust's.
pub fn from_python<T: DeserializeOwned>(value: &Bound<'_, PyAny>) -> Result<T, Fault> {
    T::deserialize(read::Reader(value.clone(), 0))
}
