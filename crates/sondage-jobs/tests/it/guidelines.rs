//! What the Rust API guidelines require of types, as far as a compiler can check it: see docs/rust-api.md.

use sondage_jobs::{Archive, ArchiveReport, SendPlan, Update, UpdatePlan, UpdateReport};
use std::fmt::Debug;

/// C-SEND-SYNC and C-DEBUG.
fn shared<T: Send + Sync + Debug>() {}

/// C-COMMON-TRAITS, where a clone makes sense.
fn copied<T: Clone + Send + Sync + Debug>() {}

#[test]
fn jobs_can_be_shared_between_threads_shown_and_copied() {
    copied::<Archive>();
    copied::<ArchiveReport>();
    shared::<SendPlan>();
    copied::<Update>();
    shared::<UpdatePlan>();
    copied::<UpdateReport>();
}
