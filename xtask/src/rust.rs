//! The tests in Rust.
//!
//! Cargo is always asked for the whole workspace: asked for one crate, it may choose other features for what the crates
//! share, and build it again.

use crate::stage::{Stage, Tally};
use crate::{Result, process, workspace};

pub const STAGES: &[Stage] = &[Stage { group: "rust", name: "Rust tests", run: tests }];

fn tests() -> Result<Tally> {
    let (output, succeeded) =
        process::watch(workspace::cargo().args(["test", "--workspace", "--no-fail-fast"]))?;
    Tally::read(&output, succeeded)
}
