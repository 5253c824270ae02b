//! The objects that callers hold, and the bodies of their methods, one file for each.

pub(crate) mod answer;
pub(crate) mod cells;
pub(crate) mod change_set;
pub mod client;
mod create;
pub(crate) mod import;
pub(crate) mod jobs;
pub(crate) mod journal;
pub(crate) mod library;
pub(crate) mod load;
pub(crate) mod login;
pub(crate) mod message;
pub mod operations;
pub(crate) mod pages;
pub(crate) mod query;
pub(crate) mod rows;
pub(crate) mod sandbox;
pub(crate) mod settings;
pub(crate) mod stack;
pub(crate) mod store;
pub(crate) mod table;
pub(crate) mod types;
pub(crate) mod update;
pub(crate) mod watch;
pub(crate) mod webhook;
