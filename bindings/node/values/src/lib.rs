//! Values of serde as plain JavaScript objects, and JavaScript values as those of serde.
//!
//! Whatever is wrong with a value that is read is told with the place at which it stands, such as
//! `members[3].fields.Email.value`.
//!
//! Nothing here knows an operation: of the core it takes timestamps, raw JSON, where unknown fields are kept, and what a
//! schema is.
#![allow(clippy::trivially_copy_pass_by_ref)] // the environment is lent: a value that belongs to it must not outlive it

mod fault;
mod read;
mod write;

pub use fault::Fault;
pub use read::from_js;
pub use write::to_js;
