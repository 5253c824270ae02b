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
mod deploying;
mod earlier;
mod kotlin;
mod maven;
mod node;
mod notices;
mod phone;
mod python;
mod registry;
mod rooms;
mod swift;
mod times;
mod twice;

use crate::stage::Stage;
use crate::{Result, crates, python as environment, workspace};
use platform::Platform;
use std::path::{Path, PathBuf};
use table::Artefact;

pub const STAGES: &[Stage] = &[
    Stage { group: "python", name: "Python wheel, installed", run: python::installed },
    Stage { group: "node", name: "npm packages, installed", run: node::installed },
    Stage { group: "systems", name: "compiled for other systems", run: check::run },
];

/// Builds and checks the artefacts of a kind for some platforms.
type Pack = fn(&[&'static Platform]) -> Result<Vec<Artefact>>;

/// What can be packed, in the order of `all`.
const KINDS: [(&str, Pack); 7] = [
    ("python", python::run),
    ("node", node::run),
    ("kotlin", kotlin::run),
    ("android", android::run),
    ("swift", |_| swift::run()),
    ("cli", command::run),
    ("crates", |_| crates::publish()),
];

pub fn run(words: &[&str]) -> Result {
    match words {
        ["kotlin-debug"] => return kotlin::debug().map(|made| table::show(&made)),
        ["deploying"] => return deploying::run(),
        ["times"] => return times::run(),
        ["twice"] => return twice::run(),
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
    let is_wanted = |name: &str| kinds.contains(&"all") || kinds.contains(&name);
    let mut ended = Vec::new();
    for (name, pack) in KINDS.into_iter().filter(|(name, _)| is_wanted(name)) {
        println!("\n== {name}");
        let kind = if chosen.is_empty() { name.to_owned() } else { format!("{name}-{}", chosen.join("-")) };
        ended.push((name, one(&kind, pack, &platforms, resumes)));
    }
    summary(ended)
}

/// Packs one kind, and returns its rows of the table. What is too large is an error, after its row is written.
fn one(kind: &str, pack: Pack, platforms: &[&'static Platform], resumes: bool) -> Result<String> {
    if let Some(rows) = resumes.then(|| earlier::rows(kind)).transpose()?.flatten() {
        println!("made from this commit before: docs/packages.md has its rows");
        return Ok(rows);
    }
    earlier::forget(kind)?;
    let artefacts = pack(platforms)?;
    table::show(&artefacts);
    table::write(&artefacts)?;
    let problems: Vec<String> = artefacts.iter().filter_map(Artefact::problem).collect();
    if !problems.is_empty() {
        return Err(problems.join("\n").into());
    }
    let rows = table::rows(&artefacts);
    earlier::keep(kind, &rows)?;
    Ok(rows)
}

/// All rows, and then what failed. A kind that fails does not keep the others from being made.
fn summary(ended: Vec<(&str, Result<String>)>) -> Result {
    let (mut rows, mut problems) = (String::new(), Vec::new());
    for (name, result) in ended {
        match result {
            Ok(made) => rows.push_str(&made),
            Err(error) => problems.push(format!("{name}: {error}")),
        }
    }
    println!("\n== summary\n{}{rows}", table::HEAD);
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// A folder below `target/packages`.
fn folder(name: &str) -> Result<PathBuf> {
    let folder = workspace::target()?.join("packages").join(name);
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// A folder below `target/packages`, empty.
fn fresh(name: &str) -> Result<PathBuf> {
    std::fs::remove_dir_all(folder(name)?)?;
    folder(name)
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
