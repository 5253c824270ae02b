//! `cargo xtask package`: the artefacts that users install, optimised, checked by the tools of each registry, and
//! installed for a test.
//!
//! Everything is put into `target/packages`, and docs/packages.md lists how each artefact was checked: a run replaces the rows of
//! what it has built.

pub mod npm;
pub mod platform;
pub mod table;

mod android;
mod build;
mod check;
mod command;
mod kotlin;
mod maven;
mod node;
mod notices;
mod phone;
mod python;
mod swift;
mod times;

use crate::stage::Stage;
use crate::{Result, crates, files, python as environment, workspace};
use platform::Platform;
use std::path::{Path, PathBuf};
use std::process::Command;
use table::{Artefact, Proof};

pub const STAGES: &[Stage] = &[
    Stage::check("python", "Python wheel, installed", python::installed),
    Stage::check("node", "npm packages, installed", node::installed),
    Stage::tests("systems", "compiled for other systems", check::run),
];

/// Builds and checks the artefacts of a kind for some platforms.
type Pack = fn(&[&'static Platform]) -> Result<Vec<Artefact>>;

/// What can be packed, in the order of `all`.
const KINDS: [(&str, Pack); 7] = [
    ("python", python::run),
    ("node", node::run),
    ("kotlin", kotlin::run),
    ("android", |_| android::run()),
    ("swift", |_| swift::run()),
    ("cli", command::run),
    ("crates", |_| crates::publish()),
];

pub fn run(words: &[&str]) -> Result {
    match words {
        ["kotlin-debug"] => {
            println!("\n{}{}", table::HEAD, table::rows(&kotlin::debug()?));
            return Ok(());
        }
        ["deploying"] => return node::deploying(),
        ["times"] => return times::run(),
        ["twice"] => return python::twice(),
        _ => {}
    }
    let resumes = words.contains(&"--resume");
    let (chosen, kinds): (Vec<&str>, Vec<&str>) =
        words.iter().filter(|word| **word != "--resume").partition(|word| platform::find(word).is_some());
    let known = |kind: &&str| *kind == "all" || KINDS.iter().any(|(name, _)| name == kind);
    if kinds.is_empty() || !kinds.iter().all(known) {
        return Err("name what to pack: python, node, kotlin, android, swift, cli, crates or all; \
                    then, to have only these, platforms as docs/packages.md names them for npm"
            .into());
    }
    let is_chosen = |platform: &&Platform| chosen.is_empty() || chosen.contains(&platform.npm);
    let platforms: Vec<&Platform> = platform::built().iter().filter(is_chosen).collect();
    if platforms.is_empty() {
        return Err(format!("{} cannot be linked on this machine", chosen.join(", ")).into());
    }
    // A kind that fails does not keep the others from being made.
    let (mut rows, mut problems) = (String::new(), Vec::new());
    let is_wanted = |name: &str| kinds.contains(&"all") || kinds.contains(&name);
    for (name, pack) in KINDS.into_iter().filter(|(name, _)| is_wanted(name)) {
        println!("\n== {name}");
        let kind = if chosen.is_empty() { name.to_owned() } else { format!("{name}-{}", chosen.join("-")) };
        match one(&kind, pack, &platforms, resumes) {
            Ok(made) => rows.push_str(&made),
            Err(error) => problems.push(format!("{name}: {error}")),
        }
    }
    println!("\n== summary\n{}{rows}", table::HEAD);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// Packs one kind, and returns its rows of the table. What is too large is an error, after its row is written.
fn one(kind: &str, pack: Pack, platforms: &[&'static Platform], resumes: bool) -> Result<String> {
    if let Some(rows) = resumes.then(|| table::resumed(kind)).transpose()?.flatten() {
        println!("made from this commit before: docs/packages.md has its rows");
        return Ok(rows);
    }
    table::keep(kind, None)?;
    let artefacts = pack(platforms)?;
    let rows = table::rows(&artefacts);
    println!("\n{}{rows}", table::HEAD);
    table::write(&rows)?;
    let problems: Vec<String> = artefacts.iter().filter_map(Artefact::problem).collect();
    if !problems.is_empty() {
        return Err(problems.join("\n").into());
    }
    table::keep(kind, Some(&rows))?;
    Ok(rows)
}

/// A folder below `target/packages`.
fn folder(name: &str) -> Result<PathBuf> {
    let folder = workspace::target()?.join("packages").join(name);
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A folder below `target/packages`, empty.
fn fresh(name: &str) -> Result<PathBuf> {
    let folder = folder(name)?;
    files::fresh(&folder)?;
    Ok(folder)
}

/// The tools that build and check, in an environment of their own.
fn tools() -> Result<environment::VirtualEnvironment> {
    let folder = workspace::target()?.join("packages/tools");
    environment::environment(&folder, "tests/packages/requirements.txt")
}

/// A program of cargo's registry, installed below `target/packages`.
fn cargo_tool(name: &str, version: &str, features: &str) -> Result<PathBuf> {
    let folder = folder(name)?.join(version);
    let program = folder.join("bin").join(name).with_extension(std::env::consts::EXE_EXTENSION);
    if !program.exists() {
        println!("installing {name} {version} into {}", folder.display());
        let mut cargo = workspace::cargo();
        cargo.args([
            "install",
            "--quiet",
            "--locked",
            "--version",
            version,
            "--features",
            features,
            "--root",
        ]);
        crate::process::run(cargo.arg(folder).arg(name))?;
    }
    Ok(program)
}

/// Installs an artefact in a clean room, uses it there, and removes it again: `tests/packages/room.sh`. Without such a room on this
/// machine it says what is missing, and the artefact was only checked.
fn room(kind: &str, platform: &Platform, artefacts: &[&Path]) -> Result<Proof> {
    let mut room = Command::new("bash");
    room.arg(workspace::root().join("tests/packages/room.sh")).args([kind, platform.npm]).args(artefacts);
    room.env("ROOMS", workspace::target()?.join("packages")).env("PYTHON", tools()?.program("python"));
    match room.status()?.code() {
        Some(0) => Ok(Proof::Run),
        Some(75) => Ok(Proof::Checked),
        _ => Err(format!("{} does not work in a clean room", artefacts[0].display()).into()),
    }
}
