//! `cargo xtask package`: the artefacts that users install, optimised, checked by the tools of each registry, and
//! installed for a test.
//!
//! Everything is put into `target/packages`, and docs/packages.md lists how each artefact was checked.

pub mod npm;
pub mod platform;

mod build;
mod command;
mod deploying;
mod kotlin;
mod maven;
mod node;
mod notices;
mod python;
mod rooms;
mod swift;
mod table;

use crate::stage::Stage;
use crate::{Result, crates, python as environment, workspace};
use std::path::{Path, PathBuf};
use table::Artefact;

pub const STAGES: &[Stage] = &[
    Stage { group: "python", name: "Python wheel, installed", run: python::installed },
    Stage { group: "node", name: "npm packages, installed", run: node::installed },
];

/// Builds and checks all artefacts of a kind.
type Pack = fn() -> Result<Vec<Artefact>>;

/// What can be packed, in the order of `all`.
const KINDS: [(&str, Pack); 4] =
    [("python", python::run), ("node", node::run), ("kotlin", kotlin::run), ("cli", command::run)];

pub fn run(kinds: &[&str]) -> Result {
    match kinds {
        ["kotlin-debug"] => return kotlin::debug().map(|made| table::show(&made)),
        ["swift"] => return swift::run(),
        ["crates"] => return crates::publish(),
        ["deploying"] => return deploying::run(),
        _ => {}
    }
    let known = |kind: &&&str| **kind == "all" || KINDS.iter().any(|(name, _)| name == *kind);
    if kinds.is_empty() || !kinds.iter().all(|kind| known(&kind)) {
        return Err(
            "name what to pack: python, node, kotlin, swift, crates, cli, deploying or all".into()
        );
    }
    let mut artefacts = Vec::new();
    for (name, pack) in KINDS {
        if kinds.contains(&"all") || kinds.contains(&name) {
            println!("\n== {name}");
            artefacts.extend(pack()?);
        }
    }
    table::show(&artefacts);
    if kinds.contains(&"all") {
        crates::publish()?;
        table::write(&artefacts)?;
    }
    Ok(())
}

/// A folder below `target/packages`, empty.
fn fresh(name: &str) -> Result<PathBuf> {
    let folder = workspace::target()?.join("packages").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The tools that build and check, in an environment of their own.
fn tools() -> Result<environment::VirtualEnvironment> {
    let folder = workspace::target()?.join("packages/tools");
    environment::environment(&folder, "tests/packages/requirements.txt")
}

/// The size of a file in bytes.
fn size(file: &Path) -> Result<u64> {
    Ok(std::fs::metadata(file)?.len())
}

/// Refuses a file that exceeds its maximum size.
fn at_most(file: &Path, bytes: u64) -> Result {
    let size = size(file)?;
    if size > bytes {
        return Err(format!("{} has {size} bytes, and may have {bytes}", file.display()).into());
    }
    Ok(())
}
