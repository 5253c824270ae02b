//! Paths and environment of the workspace.

use crate::Result;
use crate::process;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn root() -> &'static Path {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest)
}

/// Cargo's target directory, wherever the machine's settings put it.
pub fn target() -> Result<PathBuf> {
    let metadata = metadata()?;
    let target = metadata["target_directory"].as_str().ok_or("cargo names no target directory")?;
    Ok(target.into())
}

/// A program that cargo has built, such as `debug/sondage`.
pub fn built(program: &str) -> Result<PathBuf> {
    Ok(target()?.join(program).with_extension(std::env::consts::EXE_EXTENSION))
}

/// What cargo tells about the workspace's packages.
pub fn metadata() -> Result<serde_json::Value> {
    let metadata = process::output(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    Ok(serde_json::from_str(&metadata)?)
}

/// The version of all published artefacts: that of the workspace.
pub fn version() -> Result<String> {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml"))?;
    let version = manifest.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    Ok(version.ok_or("Cargo.toml names no version")?.to_owned())
}

/// The cargo that runs xtask, at the root of the repository.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    undescribed(command.current_dir(root()));
    command
}

/// The arguments with which cargo builds the language packages that are published: their command serves assistants, too.
pub const PUBLISHED: [&str; 2] = ["--features", "mcp"];

/// The features with which a package is published.
pub fn published(package: &str) -> &'static [&'static str] {
    if ["sondage-python", "sondage-node"].contains(&package) { &PUBLISHED } else { &[] }
}

/// Removes the variables with which cargo describes xtask to its child processes. Build scripts watch some of them, so
/// crates would be rebuilt each time cargo is called without xtask.
pub fn undescribed(command: &mut Command) -> &mut Command {
    for (name, _) in std::env::vars_os() {
        let described = name.to_string_lossy();
        if described.starts_with("CARGO_PKG_") || described.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    command
}

/// Whether this is a CI run: then nothing may be skipped.
pub fn is_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// The folder in which cargo keeps the sources of crates.
pub fn cargo_home() -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    Ok(home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).ok_or("cargo has no home")?)
}
