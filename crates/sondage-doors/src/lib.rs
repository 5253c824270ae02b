//! What the bindings of sondage have in common.
//!
//! A binding shows a [`Thing`] (a client, a query, a sandbox, ...) as one class with one method: [`Thing::call`] takes the
//! name of a verb and its arguments, and gives a value, another thing, or work to wait for. What a verb takes and gives are
//! values of serde, which a [`Language`] reads and makes. So a new verb is written here, once, and a binding's crate does not
//! change: its own part of Python or JavaScript calls the verb by its name.
//!
//! The operations of the table do not go this way: [`Client::call`](client::Client::call) is their shortest one.
#![forbid(unsafe_code)]

mod answer;
mod archive;
mod bytes;
mod cells;
mod choices;
pub mod client;
mod create;
mod failure;
mod fault;
mod given;
mod language;
mod load;
mod login;
mod make;
pub mod operations;
mod outbox;
mod outcome;
mod pages;
mod query;
mod rows;
mod sandbox;
mod settings;
mod table;
mod thing;
mod update;
mod watch;
mod webhook;

pub use failure::Failure;
pub use given::{Call, With};
pub use language::{About, Language, Taken, Unit};
pub use make::make;
pub use outbox::Outbox;
pub use outcome::{Done, Gift, Outcome, Work};
pub use sandbox::Running;
pub use thing::Thing;
