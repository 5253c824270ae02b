//! The packages of npm on musl: there is no Node.js for it in npm, so Bun runs them, in a system of four libraries.

use super::node::{COMMAND, foreign};
use super::{Debian, example};
use crate::package::platform::Platform;
use crate::package::{fresh, tools};
use crate::{Result, process};
use std::fs;
use std::path::Path;
use std::process::Command;

const BUN: &str = "@oven/bun-linux-x64-musl";
/// A wheel with the C++ library that Bun needs, built for musl.
const LIBRARIES: &str = "greenlet==3.5.6";

/// Whether the packages were installed and used.
pub fn node(platform: &Platform, main: &Path, tarball: &Path) -> Result<bool> {
    let Some(debian) = Debian::find(platform)? else { return Ok(false) };
    let room = fresh("rooms/musl")?;
    libraries(&debian, &room)?;
    fs::copy(main, room.join("main.tgz"))?;
    fs::copy(tarball, room.join("platform.tgz"))?;
    example("first.mjs", &room)?;
    foreign(&room, &format!("{BUN}@1.4.5"), &["--os=linux", "--cpu=x64", "--libc=musl"])?;
    let bun = || {
        let mut bun = Command::new("chroot");
        bun.arg(&room).arg(format!("/node_modules/{BUN}/bin/bun"));
        bun.env_clear().env("PATH", "/usr/sbin:/usr/bin").env("HOME", "/");
        bun
    };
    process::run(bun().arg("first.mjs"))?;
    process::run(bun().args(COMMAND))?;
    Ok(true)
}

/// Puts the C library of Debian's musl, and the C++ library of a wheel, into a room.
fn libraries(debian: &Debian, room: &Path) -> Result {
    let library = room.join("lib");
    fs::create_dir_all(&library)?;
    let musl = debian.root.join("usr/lib/x86_64-linux-musl/libc.so");
    for name in ["ld-musl-x86_64.so.1", "libc.musl-x86_64.so.1"] {
        fs::copy(&musl, library.join(name))?;
    }
    process::run(Command::new("chmod").arg("755").arg(library.join("ld-musl-x86_64.so.1")))?;
    let wheels = fresh("rooms/musl-wheels")?;
    let download = "-m pip download --quiet --no-deps --only-binary :all: --python-version 3.12";
    let mut pip = tools()?.python();
    pip.args(download.split(' ')).args(["--platform", "musllinux_1_2_x86_64", LIBRARIES, "--dest"]);
    process::run(pip.arg(&wheels))?;
    let wheel = fs::read_dir(&wheels)?.next().ok_or("pip has downloaded nothing")??.path();
    process::run(tools()?.python().args(["-m", "zipfile", "-e"]).arg(wheel).arg(&wheels))?;
    for entry in fs::read_dir(wheels.join("greenlet.libs"))? {
        let path = entry?.path();
        let name = path.file_name().ok_or("a library has no name")?.to_string_lossy();
        // The wheel's names have a digest, and Bun asks for the libraries by their own.
        let own = if name.starts_with("libstdc++") { "libstdc++.so.6" } else { "libgcc_s.so.1" };
        fs::copy(&path, library.join(own))?;
        fs::copy(&path, library.join(&*name))?;
    }
    Ok(())
}
