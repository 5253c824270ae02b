//! Checks the crates as a registry would receive them.
//!
//! `cargo xtask publish` packages and builds them all, but publishes nothing. The quick checks are a stage of the tests.

use crate::package::table;
use crate::stage::Stage;
use crate::{Result, process, workspace};
use std::fs;

pub const STAGES: &[Stage] = &[Stage::check("lint", "packages", stage)];

/// The page that lists them.
const PAGE: &str = "docs/packages.md";

/// A larger file is not source but was left in the folder by mistake.
const LARGEST: u64 = 2 << 20;

/// All checks of a registry, without publishing.
pub fn publish() -> Result<Vec<String>> {
    let published = published()?;
    forget_unpacked(&published)?;
    let mut publish = workspace::cargo();
    process::run(publish.args(["publish", "--workspace", "--dry-run", "--locked"]))?;
    // A dry run keeps no files.
    let mut package = workspace::cargo();
    package.args(["package", "--locked", "--no-verify"]);
    process::run(package.args(published.iter().flat_map(|name| ["--package", name])))?;
    let (folder, version) = (workspace::target()?.join("package"), workspace::version()?);
    let file = |name: &String| folder.join(format!("{name}-{version}.crate"));
    published.iter().map(|name| table::row(&file(name), "source", LARGEST, table::CHECKED)).collect()
}

/// Removes the crates that an earlier dry run has unpacked. cargo keeps them by name and version, and would build the others against
/// them although the sources have changed since.
fn forget_unpacked(published: &[String]) -> Result {
    let (sources, version) = (workspace::cargo_home()?.join("registry/src"), workspace::version()?);
    for registry in fs::read_dir(sources).into_iter().flatten().flatten() {
        // A registry in a folder has no host before its hash.
        let is_folder = registry.file_name().to_string_lossy().starts_with('-');
        let unpacked = published.iter().map(|name| registry.path().join(format!("{name}-{version}")));
        for folder in unpacked.filter(|folder| is_folder && folder.exists()) {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

/// The published crates. All others have `publish = false`.
fn published() -> Result<Vec<String>> {
    let metadata = workspace::metadata()?;
    let packages = metadata["packages"].as_array().ok_or("cargo names no packages")?.iter();
    let published = packages.filter(|package| package["publish"].is_null());
    Ok(published.filter_map(|package| Some(package["name"].as_str()?.to_owned())).collect())
}

/// Each is named as one that is published, and a registry would receive its licences and its page.
fn stage() -> Result {
    let (page, version) = (fs::read_to_string(workspace::root().join(PAGE))?, workspace::version()?);
    for name in published()? {
        if !page.contains(&format!("| `{name}-{version}.crate` |")) {
            return Err(format!("{PAGE} has no row of {name}: is it meant to be published?").into());
        }
        let mut list = workspace::cargo();
        list.args(["package", "--list", "--allow-dirty", "--package", &name]);
        let files = process::output(&mut list)?;
        for wanted in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"] {
            if !files.lines().any(|file| file == wanted) {
                return Err(format!("{name}: its package has no {wanted}").into());
            }
        }
    }
    Ok(())
}
