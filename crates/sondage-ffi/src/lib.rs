//! What the bindings of sondage have in common.
//!
//! A binding shows a [`Handle`] (a client, a query, a sandbox, ...) as one class with one function: [`Handle::call`] takes the
//! name of a method and its argument, and gives a value, another handle, or work to wait for. What a method takes and gives are
//! values of serde, which a [`Language`] reads and makes.
//!
//! The methods are the rows of the second table (`sondage::methods!` and its parts in `sondage-data` and `sondage-sandbox`).
//! They are expanded here into a trait for each object: a row without a body does not compile, and a new row opens no file of a
//! binding's crate.
//!
//! The operations of the first table do not go this way: [`Client::call`](client::Client::call) is their shortest one.
#![forbid(unsafe_code)]

mod call;
mod completions;
mod failure;
mod handle;
mod keys;
mod language;
mod methods;
mod objects;

pub use call::args::{Attachment, Call};
pub use call::reply::{CallResult, Output, Reply, Work};
pub use completions::CompletionQueue;
pub use failure::Failure;
pub use handle::{Handle, rows};
pub use language::{ArgContext, ArgResult, Language, Unit};
pub use methods::Row;
pub use objects::library::make;
pub use objects::{client, operations};
