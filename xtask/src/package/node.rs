//! The packages of npm: one of JavaScript and types, and one for each platform with its compiled part. The main package lists the others
//! as optional dependencies, each with its systems, and npm installs the matching one.

use super::build::{self, LIBRARY, build};
use super::{call, command, folder, fresh, notices, room, script, shell, table};
use crate::node::program;
use crate::platform::{Platform, here};
use crate::{Result, files, process, toolchain, workspace};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// The maximum size of a package, in bytes.
const LARGEST: u64 = 10_000_000;
const LARGEST_MAIN: u64 = 400_000;

/// What `sondage/webhooks` is compiled for.
const WASM: &str = "wasm32-unknown-unknown";

pub fn run(platforms: &[&'static Platform]) -> Result<Vec<String>> {
    let (folder, sh) = (folder("node")?, npm_tools()?);
    let source = folder.join("sondage");
    write_main(&source)?;
    let (text, bill) = (source.join("THIRD-PARTY-NOTICES.txt"), folder.join("sondage.cyclonedx.json"));
    notices("sondage-webhooks", WASM, "sondage", [&text, &bill], None)?;
    let main = pack(&source, &folder)?;
    // publint, and whether TypeScript finds the types in every way of importing.
    call(cmd!(sh, "npx publint run --strict {main}"))?;
    // `sondage/webhooks` is a module only: what else would require it has no top-level await.
    call(cmd!(sh, "npx attw {main} --exclude-entrypoints webhooks"))?;
    let mut rows = Vec::new();
    for platform in platforms {
        let (source, output) = (folder.join(platform.npm), build("sondage-node", platform, LIBRARY)?);
        write_platform(&source, platform, &output.join(platform.library("sondage_node")))?;
        let bill = folder.join(format!("{}.cyclonedx.json", platform.npm));
        let (text, library) = (source.join("THIRD-PARTY-NOTICES.txt"), source.join("sondage.node"));
        notices("sondage-node", platform.triple, platform.npm, [&text, &bill], Some(&library))?;
        let tarball = pack(&source, &folder)?;
        script("compress.py", &[&tarball])?;
        let storage = fresh("registry")?;
        let mut proof = room("node", platform, &[&main, &tarball])?;
        if platform.is_here() {
            // A registry on this machine, from which npm installs them by their names.
            let registry = cmd!(sh, "node registry.mjs {storage} {tarball} {main}");
            let service = process::Service::start(&mut command(registry))?;
            try_out(&["--registry", service.line.trim(), "sondage"])?;
            proof = table::RUN;
        }
        rows.push(table::row(&tarball, platform.npm, LARGEST, proof)?);
    }
    let runs = rows.iter().any(|row: &String| row.contains(table::RUN));
    let proof = if runs { table::RUN } else { table::CHECKED };
    rows.insert(0, table::row(&main, "all", LARGEST_MAIN, proof)?);
    Ok(rows)
}

/// Writes the package of JavaScript and types into a folder.
pub fn write_main(folder: &Path) -> Result {
    files::fresh(folder)?;
    files::copy(&workspace::root().join("node"), folder, None)?;
    fs::copy(webhooks()?, folder.join("webhooks.wasm"))?;
    files::licences(folder)
}

/// The rules of webhooks without native code.
fn webhooks() -> Result<PathBuf> {
    toolchain::standard_library(WASM)?;
    let folder = workspace::target()?.join("webhooks");
    let source = workspace::root().join("bindings/webhooks");
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--quiet", "--release", "--locked", "--target", WASM]).current_dir(source);
    cargo.env("CARGO_ENCODED_RUSTFLAGS", build::remapped()?.join("\x1f")).env("CARGO_TARGET_DIR", &folder);
    process::run(&mut cargo)?;
    Ok(folder.join(WASM).join("release/sondage_webhooks.wasm"))
}

/// Writes the package for a platform into a folder.
pub fn write_platform(folder: &Path, platform: &Platform, library: &Path) -> Result {
    files::fresh(folder)?;
    let (name, (os, cpu, libc)) = (format!("@sondage/{}", platform.npm), platform.parts());
    let package = json!({
        "name": name,
        "version": workspace::version()?,
        "description": format!("The compiled part of sondage for {}.", platform.npm),
        "license": "MIT OR Apache-2.0",
        "repository": { "type": "git", "url": "git+https://github.com/sondage/sondage.git" },
        "main": "sondage.node",
        "files": ["sondage.node", "THIRD-PARTY-NOTICES.txt"],
        "engines": { "node": ">=20" },
        "os": [os],
        "cpu": [cpu],
        "libc": libc.map(|libc| [libc]),
    });
    let package = format!("{package:#}\n").replace("  \"libc\": null,\n", "");
    fs::write(folder.join("package.json"), package)?;
    let readme =
        format!("# {name}\n\nThe compiled part of `sondage`. Install `sondage`, not this package.\n");
    fs::write(folder.join("README.md"), readme)?;
    files::put(library, &folder.join("sondage.node"))?;
    files::licences(folder)
}

/// The packages of the tests, packed and installed as users would.
pub fn installed() -> Result {
    let [main, platform] = packed(&fresh("tests")?)?;
    try_out(&["--offline", &main.to_string_lossy(), &platform.to_string_lossy()])
}

/// The packages of the tests as tarballs: the main one, and that of this platform.
pub fn packed(folder: &Path) -> Result<[PathBuf; 2]> {
    crate::node::install()?;
    let modules = workspace::target()?.join("node/node_modules");
    let platform = modules.join("@sondage").join(here()?.npm);
    Ok([pack(&modules.join("sondage"), folder)?, pack(&platform, folder)?])
}

/// Packs a folder as npm would publish it.
fn pack(source: &Path, folder: &Path) -> Result<PathBuf> {
    let (sh, npm) = (shell(source, None)?, program("npm").get_program().to_owned());
    let packed = cmd!(sh, "{npm} pack --loglevel=error --pack-destination {folder}").read()?;
    Ok(folder.join(packed.trim()))
}

/// The tools of npm that check and serve packages, installed.
fn npm_tools() -> Result<Shell> {
    let sh = shell(&folder("npm")?, None)?;
    files::copy(&workspace::root().join("tests/packages/npm"), &sh.current_dir(), None)?;
    call(cmd!(sh, "npm install --no-audit --no-fund --loglevel=error --ignore-scripts"))?;
    Ok(sh)
}

/// Has npm install these words into an empty folder and runs the first program there.
fn try_out(words: &[&str]) -> Result {
    let (sh, npm) = (shell(&fresh("rooms/node")?, None)?, program("npm").get_program().to_owned());
    sh.write_file("package.json", "{ \"private\": true }\n")?;
    sh.copy_file(workspace::root().join("examples/first.mjs"), ".")?;
    call(cmd!(sh, "{npm} install --no-audit --no-fund --loglevel=error {words...}"))?;
    call(cmd!(sh, "node first.mjs"))?;
    call(cmd!(sh, "{npm} exec --offline -- sondage --version"))?;
    call(cmd!(sh, "{npm} uninstall --offline sondage --loglevel=error"))?;
    if sh.path_exists("node_modules/sondage") { Err("npm left sondage behind".into()) } else { Ok(()) }
}
