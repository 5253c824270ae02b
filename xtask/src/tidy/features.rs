//! A rule about build times: a package that is built alone requests the same features of shared crates as the whole
//! workspace. Otherwise cargo builds the shared crates once for each.

use super::Problems;
use crate::{Result, mobile, process, workspace};
use std::collections::BTreeSet;

/// The packages that some command builds alone, or together with a few others: this one, and the language bindings.
const ALONE: [&[&str]; 4] = [&["xtask"], &["sondage-python"], &["sondage-node"], &mobile::PACKAGES];

/// Crates that must not be in apps for phones: tables, and the sandbox.
const NOT_ON_PHONES: [&str; 3] = ["arrow-", "sondage-data ", "sondage-sandbox "];

pub fn rules() -> Result<Problems> {
    let all = crates(&["--workspace", "--edges", "normal,build,dev"])?;
    let mut problems = Problems::new();
    let phones = crates(&["--package", "sondage-uniffi", "--edges", "normal"])?;
    let heavy = phones.iter().filter(|line| NOT_ON_PHONES.iter().any(|name| line.starts_with(name)));
    problems.extend(heavy.map(|line| format!("sondage-uniffi: `{line}` must not be in apps for phones")));
    for packages in ALONE {
        let selection = packages.iter().flat_map(|package| ["--package", package]);
        let own = crates(&selection.chain(["--edges", "normal,build"]).collect::<Vec<_>>())?;
        // The command is published with the server for assistants, and built without it for the demo.
        let own = own.difference(&all).filter(|line| !line.starts_with("sondage-cli "));
        problems.extend(own.map(|line| {
            let packages = packages.join(", ");
            format!(
                "{packages}: built alone it has `{line}`: the workspace asks for other features (Cargo.toml)"
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
