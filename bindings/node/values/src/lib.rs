//! serde for plain JavaScript objects.
//!
//! Any error in a value names its path, such as `members[3].fields.Email.value`.
//!
//! Nothing here knows an operation: from the core it uses timestamps, raw JSON, the key of unknown fields, and schemas.
#![allow(clippy::trivially_copy_pass_by_ref)] // environments are borrowed: a value of one must not outlive it

mod fault;
mod own;
mod read;
mod write;

pub use fault::Fault;
pub use own::check_own;
pub use read::from_js;
pub use write::to_js;
