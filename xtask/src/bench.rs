//! `cargo xtask bench`: builds the measuring programs, and runs the report in `bench/`. They are optimised, but not across crates like
//! the published artefacts, because that takes longer than all measurements.

use crate::{Result, node, process, python, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One profile for all, so that they share their dependencies.
const SETTINGS: [(&str, &str); 4] = [
    ("CARGO_PROFILE_RELEASE_LTO", "false"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only"),
    ("CARGO_PROFILE_RELEASE_STRIP", "none"),
];

/// As the packages are published.
const RELEASE: [&str; 3] = ["--release", workspace::PUBLISHED[0], workspace::PUBLISHED[1]];

/// Parts that need neither Python nor Node.js, and those that need only Python.
const RUST: [&str; 4] = ["instructions", "scale", "memory", "trace"];
const PYTHON: [&str; 7] = ["answers", "files", "sync", "results", "download", "members", "start"];

/// `bench [--quick] [PART ...]`: prints the measurements as Markdown, for docs/benchmarks.md.
pub fn run(words: &[&str]) -> Result {
    let folder = workspace::target()?.join("bench");
    fs::create_dir_all(&folder)?;
    let parts: Vec<&str> = words.iter().copied().filter(|word| *word != "--quick").collect();
    let need = |without: &[&str]| parts.is_empty() || parts.iter().any(|part| !without.contains(part));
    let mut report = Command::new(program()?);
    let python = if need(&RUST) { python(&folder)? } else { PathBuf::new() };
    let node = if need(&[&RUST[..], &PYTHON].concat()) { node(&folder)? } else { PathBuf::new() };
    process::run(report.arg("report").args([python, node, folder]).args(words))
}

pub fn program() -> Result<PathBuf> {
    let mut build = workspace::cargo();
    build.args(["build", "--release"]).env("CARGO_TARGET_DIR", workspace::target()?);
    process::run(build.envs(SETTINGS).current_dir(workspace::root().join("bench")))?;
    workspace::built("release/sondage-bench")
}

/// An environment with the wheel and the libraries that it is compared with.
fn python(folder: &Path) -> Result<PathBuf> {
    let environment = python::environment(&folder.join("python"), "bench/requirements.txt")?;
    let wheel = python::wheel(&folder.join("wheel"), &RELEASE, &SETTINGS)?;
    environment.install(&wheel)?;
    Ok(environment.program("python"))
}

/// A folder with the package and the libraries that it is compared with.
fn node(folder: &Path) -> Result<PathBuf> {
    let (folder, source) = (folder.join("node"), workspace::root().join("bench"));
    fs::create_dir_all(&folder)?;
    let (wanted, there) = (fs::read(source.join("package.json"))?, folder.join("package.json"));
    if fs::read(&there).ok().as_ref() != Some(&wanted) || !folder.join("node_modules/undici").exists() {
        fs::write(&there, wanted)?;
        let mut npm = node::program("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]);
        process::run(npm.current_dir(&folder))?;
    }
    fs::copy(source.join("calls.mjs"), folder.join("calls.mjs"))?;
    node::put(&folder.join("node_modules"), &RELEASE, &SETTINGS)?;
    Ok(folder)
}
