//! A client of the public API of Survalyzer accounts: panels and samples, invitations, interviews, webhooks.
//!
//! sondage is an independent library. It is built on what the service has published, and says of each operation,
//! field and default where it comes from.
#![forbid(unsafe_code)]

pub mod answer;
pub mod auth;
pub mod blocking;
pub mod client;
pub mod condition;
pub mod config;
pub mod error;
pub mod files;
pub mod jobs;
pub mod model;
pub mod operation;
pub mod operations;
pub mod options;
pub mod paging;
mod per_process;
pub mod questionnaire;
pub mod runtime;
pub mod schema;
mod selection;
pub mod transport;
pub mod webhook;

pub use answer::Answer;
pub use client::Client;
pub use error::{Delivery, Error, ErrorKind, Result};
pub use model::{FieldValue, Json, Secret, Timestamp};
pub use operation::{Effect, RawCall};
pub use options::CallOptions;
