//! The packages of npm, as tarballs.

use super::build::Product;
use super::platform::{Platform, here};
use super::table::{Artefact, Proof};
use super::{build, folder, fresh, notices, npm, room, tools};
use crate::node::program;
use crate::{Result, files, process, workspace};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The maximum size of a package, in bytes.
const LARGEST: u64 = 10_000_000;
const LARGEST_MAIN: u64 = 250_000;

const INSTALL: [&str; 4] = ["install", "--no-audit", "--no-fund", "--loglevel=error"];

pub fn run(platforms: &[&'static Platform]) -> Result<Vec<Artefact>> {
    let (tools, folder, npm_tools) = (tools()?, folder("node")?, npm_tools()?);
    let main = folder.join("sondage");
    npm::main(&main)?;
    let main = pack(&main, &folder)?;
    // publint, and whether TypeScript finds the types in every way of importing.
    for words in [["publint", "run", "--strict"].as_slice(), &["attw"]] {
        process::run(program("npx").args(words).arg(&main).current_dir(&npm_tools))?;
    }
    let mut artefacts = vec![Artefact::new(&main, "all", LARGEST_MAIN, Proof::Checked)?];
    for platform in platforms {
        let output = build::build(&tools, "sondage-node", platform, Product::Library)?;
        let source = folder.join(platform.npm);
        npm::platform(&source, platform, &output.join(platform.library("sondage_node")))?;
        let bill = folder.join(format!("{}.cyclonedx.json", platform.npm));
        let (text, library) = (source.join("THIRD-PARTY-NOTICES.txt"), source.join("sondage.node"));
        notices::write(("sondage-node", platform.triple), platform.npm, [&text, &bill], Some(&library))?;
        let tarball = pack(&source, &folder)?;
        let script = workspace::root().join("tests/packages/compress_tarball.py");
        process::run(tools.python().arg(script).arg(&tarball))?;
        let mut proof = room("node", platform, &[&main, &tarball])?;
        if here().is_some_and(|here| here.npm == platform.npm) {
            from_registry(&npm_tools, &[&tarball, &main])?;
            proof = Proof::Run;
        }
        if proof == Proof::Run {
            artefacts[0].proof = proof;
        }
        artefacts.push(Artefact::new(&tarball, platform.npm, LARGEST, proof)?);
    }
    Ok(artefacts)
}

/// The packages of the tests, packed and installed as users would.
pub fn installed() -> Result {
    let (main, platform) = packed(&fresh("tests")?)?;
    try_out(&["--offline", &main.to_string_lossy(), &platform.to_string_lossy()])
}

/// The packages of the tests as tarballs: the main one, and that of this platform.
fn packed(folder: &Path) -> Result<(PathBuf, PathBuf)> {
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

/// The tools of npm that check and serve packages, installed.
fn npm_tools() -> Result<PathBuf> {
    let room = folder("npm")?;
    for name in ["package.json", "registry.mjs"] {
        files::put(&workspace::root().join("tests/packages/npm").join(name), &room.join(name))?;
    }
    process::run(program("npm").args(INSTALL).arg("--ignore-scripts").current_dir(&room))?;
    Ok(room)
}

/// Publishes packages to a registry on this machine, and installs them from it by their names.
fn from_registry(tools: &Path, tarballs: &[&Path]) -> Result {
    let mut registry = Command::new("node");
    registry.arg("registry.mjs").arg(fresh("registry")?).args(tarballs).current_dir(tools);
    let service = process::Service::start(&mut registry)?;
    try_out(&["--registry", service.line.trim(), "sondage"])
}

/// Has npm install these words into an empty folder and runs the first program there.
fn try_out(words: &[&str]) -> Result {
    let room = fresh("rooms/node")?;
    fs::write(room.join("package.json"), "{ \"private\": true }\n")?;
    let npm = |words: &[&str]| process::run(program("npm").args(words).current_dir(&room));
    npm(&[&INSTALL, words].concat())?;
    files::put(&workspace::root().join("examples/first.mjs"), &room.join("first.mjs"))?;
    process::run(Command::new("node").arg("first.mjs").current_dir(&room))?;
    npm(&["exec", "--offline", "--", "sondage", "--version"])?;
    npm(&["uninstall", "--offline", "sondage", "--loglevel=error"])?;
    if room.join("node_modules/sondage").exists() { Err("npm left sondage behind".into()) } else { Ok(()) }
}

/// `cargo xtask package deploying`: runs the commands of docs/deploying.md with the packages of the tests.
pub fn deploying() -> Result {
    let (main, platform) = packed(&fresh("deploying")?)?;
    let (room, sources) = (fresh("rooms/deploying")?, workspace::root());
    for name in ["package.json", "webpack.config.mjs"] {
        files::put(&sources.join("tests/packages/deploying").join(name), &room.join(name))?;
    }
    files::put(&sources.join("examples/first.mjs"), &room.join("first.mjs"))?;
    fs::create_dir(room.join("pnpm"))?;
    fs::write(room.join("pnpm/package.json"), "{ \"private\": true }\n")?;
    let mut npm = program("npm");
    process::run(npm.args(INSTALL).arg("--ignore-scripts").args([&main, &platform]).current_dir(&room))?;
    let page = fs::read_to_string(sources.join("docs/deploying.md"))?;
    let blocks =
        page.split("<!-- run -->\n```sh\n").skip(1).filter_map(|rest| Some(rest.split_once("```")?.0));
    let blocks: Vec<&str> = blocks.collect();
    if blocks.is_empty() {
        return Err("docs/deploying.md has no commands".into());
    }
    for block in blocks {
        println!("\n{block}");
        let mut shell = Command::new("sh");
        shell.args(["-eu", "-c", block]).env("MAIN", &main).env("PLATFORM", &platform);
        process::run(shell.current_dir(&room))?;
    }
    Ok(())
}
