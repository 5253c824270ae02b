//! `cargo xtask package twice`: the same commit makes the same wheel in another folder.

use super::build::SourceTree;
use super::platform::here;
use super::{fresh, python, tools};
use crate::{Result, process, workspace};
use std::fs;
use std::process::Command;

/// Builds the wheel for this machine here and in a clone, and compares the two.
pub fn run() -> Result {
    let platform = here().ok_or("there is no wheel for this platform")?;
    let mut git = Command::new("git");
    let changed = process::output(git.args(["status", "--porcelain"]).current_dir(workspace::root()))?;
    if !changed.is_empty() {
        return Err(format!("commit or remove this first, because a clone has not got it:\n{changed}").into());
    }
    let (tools, room) = (tools()?, fresh("twice")?);
    let clone = SourceTree { root: room.join("clone"), target: room.join("target") };
    process::run(Command::new("git").args(["clone", "--quiet"]).arg(workspace::root()).arg(&clone.root))?;
    let first = python::wheel(&tools, &SourceTree::here()?, platform, &room.join("first"))?;
    let second = python::wheel(&tools, &clone, platform, &room.join("second"))?;
    let (first, second) = (fs::read(first)?, fs::read(second)?);
    if first != second {
        let at = first.iter().zip(&second).position(|(a, b)| a != b);
        return Err(format!(
            "the two wheels differ from byte {} on; both are in {}",
            at.unwrap_or(0),
            room.display()
        )
        .into());
    }
    println!("two wheels of {} bytes, built in two folders, are the same", first.len());
    Ok(fs::remove_dir_all(room)?)
}
