//! serde for Python objects.
//!
//! Values become plain objects, or instances of a generated class if there is one with the name of the struct. Arguments
//! may be plain objects, such instances, or numpy scalars; any error names its path, such as
//! `members[3].fields.Email.value`.
//!
//! Nothing here knows an operation: from the core it uses timestamps, raw JSON, and the key of unknown fields.

mod classes;
mod fault;
mod json;
mod read;
mod write;

pub use fault::Fault;
pub use write::to_python;

use pyo3::prelude::*;
use serde::de::DeserializeOwned;

/// Reads a value as a Rust type.
pub fn from_python<T: DeserializeOwned>(value: &Bound<'_, PyAny>) -> Result<T, Fault> {
    T::deserialize(read::Reader(value.clone(), 0))
}
