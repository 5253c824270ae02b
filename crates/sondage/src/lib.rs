//! A client of the public API of Survalyzer accounts: panels and samples, invitations, interviews, webhooks.
//!
//! sondage is an independent library. It is built on what the service has published, and says of each operation,
//! field and default where it comes from.
#![forbid(unsafe_code)]

pub mod error;
pub mod model;
pub mod operation;
pub mod operations;
pub mod schema;
pub mod transport;

pub use error::{Delivery, Error, ErrorKind, Result};
pub use model::{FieldValue, Json, Secret, Timestamp};
