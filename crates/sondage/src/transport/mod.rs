//! One exchange with the service, and what follows from how it went.
//!
//! [`http`] does a single exchange and never repeats anything. Its body ([`body`]) knows whether the service can have
//! received it whole. What may be repeated is decided in one place, [`retry`].

pub mod body;
pub mod failure;
pub mod http;
mod tls;
