//! A rule about build times: a crate that is built by itself asks for the same features of what it shares as the whole
//! workspace does. Otherwise cargo builds the shared crates once for each.

use super::Problems;
use crate::{Result, process, workspace};
use std::collections::BTreeSet;

/// The packages that some command builds by themselves: this one, and those that become modules of other languages.
const ALONE: [&str; 3] = ["xtask", "sondage-python", "sondage-node"];

pub fn rules() -> Result<Problems> {
    let all = crates(&["--workspace", "--edges", "normal,build,dev"])?;
    let mut problems = Problems::new();
    for package in ALONE {
        let own = crates(&["--package", package, "--edges", "normal,build"])?;
        problems.extend(own.difference(&all).map(|line| {
            format!(
                "{package}: built alone it has `{line}`: the workspace asks for other features (Cargo.toml)"
            )
        }));
    }
    Ok(problems)
}

/// Each crate with its version and features.
fn crates(selection: &[&str]) -> Result<BTreeSet<String>> {
    let mut tree = workspace::cargo();
    tree.arg("tree").args(selection).args(["--prefix", "none", "--no-dedupe", "--format", "{p} {f}"]);
    Ok(process::output(&mut tree)?.lines().map(str::to_owned).collect())
}
