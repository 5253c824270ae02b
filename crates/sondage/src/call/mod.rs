//! One call to the service, and what to do about the results of its exchanges.
//!
//! [`engine`] makes a call. Retries are decided in one place, [`retry`]; responses are read while they arrive, by a
//! [`reader`]. A single exchange is made by [`transport`](crate::transport).

mod advice;
pub mod any_reader;
pub mod engine;
pub mod envelope;
mod gate;
mod gone;
mod link;
pub mod measure;
pub mod once;
pub mod place;
pub mod prepared;
pub(crate) mod probe;
pub mod query;
pub mod reader;
mod reading;
pub mod retry;
mod retry_budget;
pub(crate) mod sent;
pub mod sent_writes;
pub mod service_clock;
pub mod state;
pub mod writes;
