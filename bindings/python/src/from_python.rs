//! Arguments as the core's requests. Whatever is wrong is told with the place at which it stands, such as
//! `members[3].fields.Email.value`.

mod fault;
mod read;

pub use fault::Fault;

use pyo3::prelude::*;
use serde::de::DeserializeOwned;

/// Reads a value as a type of the core.
pub fn from_python<T: DeserializeOwned>(value: &Bound<'_, PyAny>) -> Result<T, Fault> {
    T::deserialize(read::Reader(value.clone(), 0))
}
