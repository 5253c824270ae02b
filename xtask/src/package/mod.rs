//! `cargo xtask package`: the artefacts that users install, optimised, checked by the tools of each registry, and
//! installed for a test.
//!
//! Everything is put into `target/packages`, and docs/packages.md lists how each artefact was checked: a run replaces the rows of
//! what it has built.

pub mod build;
pub mod node;
pub mod table;

mod android;
mod command;
mod kotlin;
mod python;
mod swift;

use crate::platform::{self, Platform};
use crate::python::{self as python_of_xtask, VirtualEnvironment};
use crate::stage::Stage;
use crate::{Result, crates, files, process, workspace};
use std::path::{Path, PathBuf};
use std::process::Command;
use xshell::{Cmd, Shell, cmd};

pub const STAGES: &[Stage] = &[
    Stage::check("python", "Python wheel, installed", python::installed),
    Stage::check("node", "npm packages, installed", node::installed),
];

/// Builds and checks the artefacts of a kind for some platforms, and returns their rows of the table.
type Pack = fn(&[&'static Platform]) -> Result<Vec<String>>;

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
        ["kotlin-debug"] => return kotlin::debug(),
        ["deploying"] => {
            let packages = node::packed(&fresh("deploying")?)?;
            return process::run(bash(&fresh("rooms/deploying")?, "deploying.sh")?.args(packages));
        }
        ["times"] => return process::run(bash(workspace::root(), "times.sh")?.arg(fresh("times")?)),
        ["twice"] => {
            let (room, npm, target) = (fresh("twice")?, platform::here()?.npm, workspace::target()?);
            return process::run(bash(workspace::root(), "twice.sh")?.arg(room).arg(npm).arg(target));
        }
        _ => {}
    }
    let (chosen, kinds): (Vec<&str>, Vec<&str>) =
        words.iter().partition(|word| platform::find(word).is_some());
    let is_known = |kind: &&str| *kind == "all" || KINDS.iter().any(|(name, _)| name == kind);
    if kinds.is_empty() || !kinds.iter().all(is_known) {
        return Err("name what to pack: python, node, kotlin, android, swift, cli, crates or all; \
                    then, to have only these, platforms as docs/packages.md names them for npm"
            .into());
    }
    let is_chosen = |platform: &&Platform| chosen.is_empty() || chosen.contains(&platform.npm);
    let platforms: Vec<&Platform> = platform::built().filter(is_chosen).collect();
    if platforms.is_empty() {
        return Err(format!("{} cannot be linked on this machine", chosen.join(", ")).into());
    }
    // A kind that fails does not keep the others from being made.
    let mut problems = Vec::new();
    for (name, pack) in KINDS {
        if kinds.contains(&"all") || kinds.contains(&name) {
            println!("\n== {name}");
            let made = pack(&platforms).and_then(|rows| table::write(&rows));
            problems.extend(made.err().map(|error| format!("{name}: {error}")));
        }
    }
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
    let folder = folder(name)?;
    files::fresh(&folder)?;
    Ok(folder)
}

/// The tools that build and check, in an environment of their own.
fn tools() -> Result<VirtualEnvironment> {
    python_of_xtask::environment(&folder("tools")?, "tests/packages/requirements.txt")
}

/// Runs commands in a folder. The programs of an environment are found first.
fn shell(folder: &Path, environment: Option<&VirtualEnvironment>) -> Result<Shell> {
    let shell = Shell::new()?;
    shell.change_dir(folder);
    let programs = environment.map(|environment| environment.program("python").with_file_name(""));
    let path = std::env::var_os("PATH").unwrap_or_default();
    shell.set_var("PATH", std::env::join_paths(programs.into_iter().chain(std::env::split_paths(&path)))?);
    Ok(shell)
}

/// A command, without what cargo says about xtask, and without Python packages from elsewhere.
fn command(command: Cmd) -> Command {
    let mut command = command.env_remove("PYTHONPATH").env_remove("PYTHONHOME").env("PIP_USER", "0").into();
    workspace::undescribed(&mut command);
    command
}

/// Runs a command to its end.
fn call(words: Cmd) -> Result {
    process::run(&mut command(words))
}

/// Runs a script of `tests/packages` with the tools.
fn script(name: &str, words: &[&Path]) -> Result {
    let sh = shell(&workspace::root().join("tests/packages"), Some(&tools()?))?;
    call(cmd!(sh, "python {name} {words...}"))
}

/// A shell script of `tests/packages`, to be run in a folder.
fn bash(folder: &Path, name: &str) -> Result<Command> {
    let (sh, script) = (shell(folder, None)?, workspace::root().join("tests/packages").join(name));
    Ok(command(cmd!(sh, "bash {script}")))
}

/// A program of cargo's registry, installed below `target/packages`.
fn cargo_tool(name: &str, version: &str, words: &[&str]) -> Result<PathBuf> {
    let (folder, sh) = (folder(name)?.join(version), shell(workspace::root(), None)?);
    call(cmd!(sh, "cargo install --quiet --locked {name} --version {version} {words...} --root {folder}"))?;
    Ok(folder.join("bin").join(name))
}

/// Installs an artefact in a clean room, uses it there, and removes it again: `tests/packages/room.sh`. Without such a room on this
/// machine it says what is missing, and the artefact was only checked.
fn room(kind: &str, platform: &Platform, artefacts: &[&Path]) -> Result<&'static str> {
    let mut room = bash(workspace::root(), "room.sh")?;
    room.args([kind, platform.npm]).args(artefacts).env("ROOMS", folder("")?);
    match room.env("PYTHON", tools()?.program("python")).status()?.code() {
        Some(0) => Ok(table::RUN),
        Some(75) => Ok(table::CHECKED),
        _ => Err(format!("{} does not work in a clean room", artefacts[0].display()).into()),
    }
}

/// Writes the licences of third-party code that is linked into an artefact for a system, which cargo-about collects, and a bill of
/// materials. Refuses the library or program in it if that has code of a crate without a notice, a path of this machine, or no list
/// of its crates.
fn notices(
    package: &str,
    triple: &str,
    artefact: &str,
    [notices, bill]: [&Path; 2],
    program: Option<&Path>,
) -> Result {
    let (sh, about) =
        (shell(workspace::root(), None)?, cargo_tool("cargo-about", "0.9.3", &["--features", "cli"])?);
    // It reads the manifests of all systems, of which a build has only those that it needs.
    call(cmd!(sh, "cargo fetch --quiet --locked"))?;
    let own = package.trim_start_matches("sondage-");
    let manifests = [format!("bindings/{own}/Cargo.toml"), format!("crates/{package}/Cargo.toml")];
    let manifest = manifests.iter().find(|file| sh.path_exists(file));
    let about = cmd!(sh, "{about} generate --format json --fail --locked --offline --target {triple}")
        .args(["--config", "tests/packages/about.toml", "--manifest-path"])
        .args(manifest)
        .args(workspace::published(package));
    let linked = folder("made")?.join(format!("{package}-{triple}.about.json"));
    std::fs::write(&linked, process::output(&mut command(about))?)?;
    let version = workspace::version()?;
    let words = [&linked, Path::new(artefact), Path::new(&version), notices, bill];
    script("notices.py", &[&words[..], program.as_slice()].concat())
}
