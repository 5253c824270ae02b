//! What was learned about a service, so that later lists and calls need not ask for it again.
//!
//! A fact is kept with its evidence and time, for a service, a tenant and an operation. Only positive evidence is kept: an empty
//! page proves nothing, because a failure looks the same. A fact that an answer contradicts is forgotten in all processes that
//! share the file.

mod file;
mod list;
mod record;
mod report;
mod service;
mod settings;

pub use list::ListFacts;
pub use report::{FactReport, FactsReport};
pub use settings::{FactsMode, FactsSettings};

pub(crate) use record::Evidence;
pub(crate) use service::ServiceFacts;
