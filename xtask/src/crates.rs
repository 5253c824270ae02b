//! Checks the crates as a registry would receive them.
//!
//! `cargo xtask publish` packages and builds them all, but publishes nothing. The quick checks are a stage of the tests.

use crate::package::table;
use crate::stage::Stage;
use crate::{Result, process, workspace};
use std::collections::BTreeSet;
use std::fs;

pub const STAGES: &[Stage] = &[Stage::check("lint", "packages", stage)];

/// The published crates. All others have `publish = false`.
const PUBLISHED: [&str; 8] = [
    "sondage",
    "sondage-cli",
    "sondage-data",
    "sondage-jobs",
    "sondage-macros",
    "sondage-mcp",
    "sondage-openapi",
    "sondage-sandbox",
];

/// A larger file is not source but was left in the folder by mistake.
const LARGEST: u64 = 2 << 20;

/// All checks of a registry, without publishing.
pub fn publish() -> Result<Vec<String>> {
    forget_unpacked()?;
    let mut publish = workspace::cargo();
    process::run(publish.args(["publish", "--workspace", "--dry-run", "--locked"]))?;
    // A dry run keeps no files.
    let mut package = workspace::cargo();
    package.args(["package", "--locked", "--no-verify"]);
    process::run(package.args(PUBLISHED.iter().flat_map(|name| ["--package", name])))?;
    let (folder, version) = (workspace::target()?.join("package"), workspace::version()?);
    let file = |name: &&str| folder.join(format!("{name}-{version}.crate"));
    PUBLISHED.iter().map(|name| table::row(&file(name), "source", LARGEST, table::CHECKED)).collect()
}

/// Removes the crates that an earlier dry run has unpacked. cargo keeps them by name and version, and would build the others against
/// them although the sources have changed since.
fn forget_unpacked() -> Result {
    let (sources, version) = (workspace::cargo_home()?.join("registry/src"), workspace::version()?);
    for registry in fs::read_dir(sources).into_iter().flatten().flatten() {
        // A registry in a folder has no host before its hash.
        let is_folder = registry.file_name().to_string_lossy().starts_with('-');
        let unpacked = PUBLISHED.map(|name| registry.path().join(format!("{name}-{version}")));
        for folder in unpacked.iter().filter(|folder| is_folder && folder.exists()) {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

fn stage() -> Result {
    let metadata = workspace::metadata()?;
    let packages = metadata["packages"].as_array().ok_or("cargo names no packages")?.iter();
    let published = packages.filter(|package| package["publish"].is_null());
    let published: BTreeSet<_> = published.filter_map(|package| package["name"].as_str()).collect();
    if !published.iter().eq(&PUBLISHED) {
        return Err(format!(
            "xtask/src/crates.rs and the manifests differ on what is published: {published:?}"
        )
        .into());
    }
    let mut problems = Vec::new();
    for name in PUBLISHED {
        problems.extend(packed(name)?);
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// Errors in the files that would be packaged.
fn packed(name: &str) -> Result<Vec<String>> {
    let mut list = workspace::cargo();
    list.args(["package", "--list", "--allow-dirty", "--package", name]);
    let files = process::output(&mut list)?;
    let mut problems = Vec::new();
    for wanted in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        if !files.lines().any(|file| file == wanted) {
            problems.push(format!("{name}: its package has no {wanted}"));
        }
    }
    let folder = workspace::root().join("crates").join(name);
    let packed = files.lines().filter_map(|file| fs::metadata(folder.join(file)).ok());
    let bytes: u64 = packed.map(|file| file.len()).sum();
    if bytes > LARGEST {
        problems.push(format!("{name}: its package holds {bytes} bytes, and at most {LARGEST} are expected"));
    }
    Ok(problems)
}
