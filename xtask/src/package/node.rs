//! The packages of npm, as tarballs.

use super::build::Product;
use super::platform::{Platform, here};
use super::registry::{self, Registry};
use super::table::{Artefact, Proof};
use super::{build, folder, fresh, notices, npm, rooms, size, tools};
use crate::node::program;
use crate::stage::TestCounts;
use crate::{Result, process, workspace};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The maximum size of a package, in bytes.
const LARGEST: u64 = 10_000_000;
const LARGEST_MAIN: u64 = 250_000;

/// The first program of the README.
const FIRST_PROGRAM: &str = "examples/first.mjs";

pub fn run(platforms: &[&'static Platform]) -> Result<Vec<Artefact>> {
    let (tools, folder) = (tools()?, folder("node")?);
    let main = folder.join("sondage");
    npm::main(&main)?;
    let main = pack(&main, &folder)?;
    look_at(&main)?;
    let mut artefacts = vec![Artefact {
        platform: "all",
        most: LARGEST_MAIN,
        ..artefact(&main, platforms[0], Proof::Checked)?
    }];
    for platform in platforms {
        let output = build::build(&tools, "sondage-node", platform, Product::Library)?;
        let source = folder.join(platform.npm);
        npm::platform(&source, platform, &library(&output, platform))?;
        let linked = notices::linked("sondage-node", platform.triple)?;
        notices::cover(&source.join("sondage.node"), &linked)?;
        fs::write(source.join("THIRD-PARTY-NOTICES.txt"), notices::notices(&linked))?;
        let bill = notices::materials(platform.npm, &workspace::version()?, &linked);
        fs::write(folder.join(format!("{}.cyclonedx.json", platform.npm)), bill)?;
        let tarball = pack(&source, &folder)?;
        let script = workspace::root().join("tests/packages/compress_tarball.py");
        process::run(tools.python().arg(script).arg(&tarball))?;
        let is_here = here().is_some_and(|here| here.triple == platform.triple);
        if is_here {
            let registry = Registry::start()?;
            registry.publish(&tarball)?;
            registry.publish(&main)?;
            try_out(&["--registry", &registry.url(), "sondage"])?;
        }
        let is_run = rooms::node(platform, &main, &tarball)? || is_here;
        if is_run {
            artefacts[0].proof = Proof::Run;
        }
        artefacts.push(artefact(&tarball, platform, if is_run { Proof::Run } else { Proof::Checked })?);
    }
    Ok(artefacts)
}

/// The packages of the tests, packed and installed as users would.
pub fn installed() -> Result<TestCounts> {
    let (main, platform) = packed(&fresh("tests")?)?;
    try_out(&["--offline", &main.to_string_lossy(), &platform.to_string_lossy()])?;
    Ok(TestCounts::PASSED)
}

/// The packages of the tests as tarballs: the main one, and that of this platform.
pub fn packed(folder: &Path) -> Result<(PathBuf, PathBuf)> {
    crate::node::install()?;
    let modules = workspace::target()?.join("node/node_modules");
    let platform = here().ok_or("there is no package of npm for this platform")?;
    let main = pack(&modules.join("sondage"), folder)?;
    Ok((main, pack(&modules.join("@sondage").join(platform.npm), folder)?))
}

/// Packs a folder as npm would publish it.
fn pack(source: &Path, folder: &Path) -> Result<PathBuf> {
    let mut npm = program("npm");
    npm.args(["pack", "--json", "--loglevel=error", "--pack-destination"]).arg(folder).current_dir(source);
    let packed: Value = serde_json::from_str(&process::output(&mut npm)?)?;
    let name =
        packed[0]["filename"].as_str().or_else(|| packed.as_object()?.values().next()?["filename"].as_str());
    // npm writes the package `@sondage/x` to a file `sondage-x`.
    let name = name.ok_or("npm does not say what it has packed")?.replace('@', "").replace('/', "-");
    Ok(folder.join(name))
}

/// publint, and whether TypeScript finds the types in every way of importing.
fn look_at(tarball: &Path) -> Result {
    let room = registry::tools()?;
    for words in [["publint", "run", "--strict"].as_slice(), &["attw"]] {
        process::run(program("npx").args(words).arg(tarball).current_dir(&room))?;
    }
    Ok(())
}

/// Has npm install these words into an empty folder and runs the first program there.
fn try_out(words: &[&str]) -> Result {
    let room = fresh("rooms/node")?;
    fs::write(room.join("package.json"), "{ \"private\": true }\n")?;
    let mut npm = program("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--loglevel=error"]).args(words);
    process::run(npm.current_dir(&room))?;
    fs::copy(workspace::root().join(FIRST_PROGRAM), room.join("first.mjs"))?;
    process::run(Command::new("node").arg("first.mjs").current_dir(&room))?;
    process::run(
        program("npm").args(["exec", "--offline", "--", "sondage", "--version"]).current_dir(&room),
    )?;
    process::run(
        program("npm").args(["uninstall", "--offline", "sondage", "--loglevel=error"]).current_dir(&room),
    )?;
    if room.join("node_modules/sondage").exists() { Err("npm left sondage behind".into()) } else { Ok(()) }
}

fn library(folder: &Path, platform: &Platform) -> PathBuf {
    folder.join(match platform.os {
        "win32" => "sondage_node.dll",
        "darwin" => "libsondage_node.dylib",
        _ => "libsondage_node.so",
    })
}

fn artefact(file: &Path, platform: &Platform, proof: Proof) -> Result<Artefact> {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Artefact { name, platform: platform.npm, bytes: size(file)?, most: LARGEST, proof })
}
