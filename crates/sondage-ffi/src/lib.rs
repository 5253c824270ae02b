//! Code that the bindings of sondage share.
//!
//! A binding exposes a [`Handle`] (a client, a query, a sandbox, ...) as one class with one function: [`Handle::call`] takes
//! the name of a method and its argument, and returns a value, another handle, or pending work. Arguments and results are serde
//! values, which a [`Language`] reads and creates.
//!
//! The methods are the rows of `sondage::methods!` and its parts in `sondage-jobs`, `sondage-data` and `sondage-sandbox`. They are expanded
//! here into a trait for each object: a row without a body does not compile, and a new row changes no file of a binding's
//! crate.
//!
//! Operations are not called through these methods: [`Client::call`](client::Client::call) is a shorter path.
#![forbid(unsafe_code)]

mod call;
mod completions;
mod failure;
mod handle;
mod interrupted;
mod keys;
mod language;
mod methods;
mod objects;

pub use call::args::{Attachment, Call};
pub use call::reply::{CallResult, Output, Reply, Work};
pub use completions::CompletionQueue;
pub use failure::Failure;
pub use handle::{Handle, rows};
pub use interrupted::interrupted;
pub use language::{ArgContext, ArgResult, Language, Unit};
pub use methods::Row;
pub use objects::journal::{LineStore, offer_journal};
pub use objects::library::make;
pub use objects::store::TextStore;
pub use objects::{client, operations};
