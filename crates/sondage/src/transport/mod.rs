//! A single exchange with the service, which is never retried.
//!
//! [`http`] performs it; its body ([`body`]) knows whether the service can have received the whole request. What to do
//! about the result is decided one layer up, in [`call`](crate::call).

pub(crate) mod address;
pub mod body;
#[doc(hidden)]
pub mod connections;
pub mod failure;
#[cfg(fuzzing)]
pub mod fuzzing;
mod gunzip;
pub mod http;
pub mod settings;
pub(crate) mod tls;

pub use tls::android_verifier_is_initialised;
