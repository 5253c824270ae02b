//! The wheels and the source distribution.

use super::build::{Product, SourceTree};
use super::platform::{Platform, here};
use super::table::{Artefact, Proof};
use super::{build, folder, fresh, notices, room, tools};
use crate::python::{self, VirtualEnvironment, empty};
use crate::{Result, files, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The maximum size of a wheel, in bytes.
const LARGEST_WHEEL: u64 = 10_000_000;
const LARGEST_SDIST: u64 = 2_000_000;

pub fn run(platforms: &[&'static Platform]) -> Result<Vec<Artefact>> {
    let (tools, folder) = (tools()?, folder("python")?);
    let mut artefacts = Vec::new();
    for platform in platforms {
        let wheel = wheel(&tools, &SourceTree::here()?, platform, &folder.join(platform.npm))?;
        check(&tools, platform, &wheel)?;
        let mut proof = room("python", platform, &[&wheel])?;
        if here().is_some_and(|here| here.npm == platform.npm) {
            try_out(&wheel)?;
            proof = Proof::Run;
        }
        artefacts.push(Artefact::new(&wheel, platform.npm, LARGEST_WHEEL, proof)?);
    }
    artefacts.push(source(&tools, &folder)?);
    artefacts.push(vendored(&folder)?);
    Ok(artefacts)
}

/// Builds a wheel into a folder, which is emptied first.
pub fn wheel(
    tools: &VirtualEnvironment,
    source: &SourceTree,
    platform: &Platform,
    folder: &Path,
) -> Result<PathBuf> {
    files::fresh(folder)?;
    let mut maturin = tools.python();
    maturin.args(["-m", "maturin", "build", "--locked", "--profile", "dist"]);
    maturin.args(workspace::PUBLISHED).args(build::linker());
    maturin.args(["--target", platform.triple, "--compatibility", platform.wheel()]).arg("--out").arg(folder);
    let maturin = workspace::undescribed(&mut maturin);
    process::run(build::prepare(maturin, tools, source, platform, Product::Library)?)?;
    let wheel = fs::read_dir(folder)?.next().ok_or("maturin has built no wheel")??.path();
    add_notices(tools, source, platform, &wheel)?;
    Ok(wheel)
}

/// Adds the licences of linked crates to the wheel, below its own.
fn add_notices(tools: &VirtualEnvironment, source: &SourceTree, platform: &Platform, wheel: &Path) -> Result {
    let library = source.output(platform, "dist").join(platform.library("_native"));
    // maturin has written a bill of materials into the wheel.
    let (text, bill) = (wheel.with_extension("notices"), wheel.with_extension("cyclonedx.json"));
    notices::write(("sondage-python", platform.triple), "sondage", [&text, &bill], Some(&library))?;
    let mut python = tools.python();
    python.arg(workspace::root().join("tests/packages/add_to_wheel.py")).arg(wheel).arg(&text);
    process::run(python.arg("THIRD-PARTY-NOTICES.txt").arg(&source.root))?;
    fs::remove_file(bill)?;
    Ok(fs::remove_file(text)?)
}

fn check(tools: &VirtualEnvironment, platform: &Platform, wheel: &Path) -> Result {
    look_at(tools, wheel)?;
    // auditwheel knows musl's C library by the name that Alpine uses. Here it is called `libc.so`, which musl's loader
    // resolves to itself.
    if platform.libc() == Some("glibc") {
        process::run(tools.python().args(["-m", "auditwheel", "show"]).arg(wheel))?;
    }
    Ok(())
}

/// The checks of the Python registry's tools for a wheel.
fn look_at(tools: &VirtualEnvironment, wheel: &Path) -> Result {
    process::run(tools.python().args(["-m", "twine", "check", "--strict"]).arg(wheel))?;
    // Two top-level packages are intended: pyspark finds `pyspark_sondage` by its name.
    let contents = tools.program("check-wheel-contents");
    process::run(Command::new(contents).args(["--ignore", "W009"]).arg(wheel))?;
    process::run(Command::new(tools.program("abi3audit")).args(["--strict"]).arg(wheel))
}

/// The wheel of the tests, checked and installed as by users.
pub fn installed() -> Result {
    let wheel = python::built()?;
    let tools =
        python::environment(&workspace::target()?.join("packages/checks"), "tests/packages/checks.txt")?;
    look_at(&tools, &wheel)?;
    try_out(&wheel)
}

/// Installs the wheel into an empty environment, runs the first program, and removes the environment.
fn try_out(wheel: &Path) -> Result {
    let environment = empty(&fresh("rooms/python")?)?;
    // A folder as index: pip has to find that the wheel is for this machine.
    let folder = wheel.parent().ok_or("the wheel is in no folder")?;
    let mut install = environment.pip_install();
    process::run(install.args(["--no-index", "--no-deps", "--find-links"]).arg(folder).arg("sondage"))?;
    process::run(
        environment
            .python()
            .arg(workspace::root().join("examples/first.py"))
            .current_dir(fresh("rooms/work")?),
    )?;
    process::run(Command::new(environment.program("sondage")).arg("--version"))?;
    process::run(environment.python().args(["-m", "pip", "uninstall", "--quiet", "--yes", "sondage"]))?;
    let mut python = environment.python();
    let left = "import importlib.util, sys; sys.exit(importlib.util.find_spec('sondage') is not None)";
    process::run(python.args(["-c", left]))
}

/// The source distribution, which pip builds if no wheel fits.
fn source(tools: &VirtualEnvironment, folder: &Path) -> Result<Artefact> {
    let mut maturin = tools.python();
    maturin.args(["-m", "maturin", "sdist", "--out"]).arg(folder);
    process::run(workspace::undescribed(&mut maturin).current_dir(workspace::root()))?;
    let file = folder.join(format!("sondage-{}.tar.gz", workspace::version()?));
    process::run(tools.python().args(["-m", "twine", "check", "--strict"]).arg(&file))?;
    Artefact::new(&file, "source", LARGEST_SDIST, Proof::Checked)
}

/// The source distribution with the sources of all crates, for machines without a registry.
fn vendored(folder: &Path) -> Result<Artefact> {
    let name = format!("sondage-{}", workspace::version()?);
    let (room, archive) = (fresh("vendored")?, format!("{name}-vendored.tar.gz"));
    process::run(
        Command::new("tar").arg("-xzf").arg(folder.join(format!("{name}.tar.gz"))).arg("-C").arg(&room),
    )?;
    let source = room.join(&name);
    let cargo = |words: &[&str]| {
        let mut cargo = workspace::cargo();
        cargo.args(words).current_dir(&source);
        cargo
    };
    // The distribution contains fewer packages than the workspace, so its lock file gets shorter.
    let settings = process::output(&mut cargo(&["vendor", "--versioned-dirs", "vendor"]))?;
    fs::create_dir_all(source.join(".cargo"))?;
    fs::write(source.join(".cargo/config.toml"), settings)?;
    // An empty home folder proves that nothing else is needed.
    let mut complete = cargo(&["metadata", "--frozen", "--format-version", "1"]);
    process::output(complete.env("CARGO_HOME", fresh("vendored/home")?))?;
    let file = folder.join(&archive);
    process::run(Command::new("tar").arg("-czf").arg(&file).arg("-C").arg(&room).arg(&name))?;
    fs::remove_dir_all(&room)?;
    Artefact::new(&file, "source", u64::MAX, Proof::Checked)
}

/// `cargo xtask package twice`: the same commit makes the same wheel here and in a clone in another folder.
pub fn twice() -> Result {
    let platform = here().ok_or("there is no wheel for this platform")?;
    let mut git = Command::new("git");
    let changed = process::output(git.args(["status", "--porcelain"]).current_dir(workspace::root()))?;
    if !changed.is_empty() {
        return Err(format!("commit or remove this first, because a clone has not got it:\n{changed}").into());
    }
    let (tools, room) = (tools()?, fresh("twice")?);
    let clone = SourceTree { root: room.join("clone"), target: room.join("target") };
    process::run(Command::new("git").args(["clone", "--quiet"]).arg(workspace::root()).arg(&clone.root))?;
    let first = fs::read(wheel(&tools, &SourceTree::here()?, platform, &room.join("first"))?)?;
    let second = fs::read(wheel(&tools, &clone, platform, &room.join("second"))?)?;
    if first != second {
        let at = first.iter().zip(&second).position(|(a, b)| a != b).unwrap_or(0);
        return Err(format!("the two wheels in {} differ from byte {at} on", room.display()).into());
    }
    println!("two wheels of {} bytes, built in two folders, are the same", first.len());
    Ok(fs::remove_dir_all(room)?)
}
