//! One call to the service, and what follows from how it went.
//!
//! [`engine`] makes a call. [`http`] does a single exchange and never repeats anything; its body ([`body`]) knows
//! whether the service can have received it whole. What is repeated is decided in one place, [`retry`]; answers are read
//! while they arrive, by a [`reader`].

mod address;
pub mod body;
mod budget;
#[doc(hidden)]
pub mod connections;
pub mod engine;
pub mod envelope;
pub mod failure;
#[cfg(fuzzing)]
pub mod fuzzing;
mod gate;
mod gunzip;
pub mod http;
mod link;
pub mod measure;
pub mod query;
pub mod reader;
mod reading;
pub mod retry;
mod sent;
pub mod state;
mod tls;
pub mod writes;

pub use tls::android_verifier_is_initialised;
