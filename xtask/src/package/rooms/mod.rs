//! Clean rooms: Debian systems without a compiler. The artefact is installed there, the README's first program runs, and nothing
//! is left after the artefact is removed.

mod command;
mod musl;
mod node;
mod python;
mod windows;

pub use command::command;
pub use node::node;
pub use python::python;

use super::folder;
use super::platform::Platform;
use crate::toolchain::{apt, is_root, mirror, works};
use crate::{Result, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Whether the machine has these programs. In CI their packages are installed if it has not.
fn provides(programs: &[&str], packages: &[&str]) -> Result<bool> {
    let there = programs.iter().all(|program| works(program, &["--version"]));
    if there || !workspace::is_ci() {
        return Ok(there);
    }
    apt(packages).map(|()| true)
}

/// A Debian 13 with Python, for the processor of a platform.
struct Debian {
    root: PathBuf,
    /// Whether this machine runs its programs without an emulator.
    is_native: bool,
}

impl Debian {
    /// The room for a platform. Fails with the reason if this machine cannot provide one.
    fn find(platform: &Platform) -> Result<Option<Self>> {
        let processor = match (platform.os, platform.cpu) {
            ("linux", "x64") => "amd64",
            ("linux", "arm64") => "arm64",
            _ => return Ok(None),
        };
        let is_native = std::env::consts::ARCH == platform.triple.split('-').next().unwrap_or_default();
        let tools: &[&str] =
            if is_native { &["debootstrap"] } else { &["debootstrap", "qemu-aarch64-static"] };
        if !is_root()? || !provides(tools, &["debootstrap", "qemu-user-static"])? {
            println!(
                "!! no clean room for {}: it needs root, and apt-get install debootstrap qemu-user-static",
                platform.npm
            );
            return Ok(None);
        }
        // musl is for a room of its own, which takes the library from here.
        let packages = if is_native { "python3,python3-venv,musl" } else { "python3,python3-venv" };
        // The name says what it has: after a change of the list, the old one is not used again.
        let root = folder("roots")?.join(format!("{processor}-{}", packages.replace(',', "-")));
        if !root.exists() {
            make(processor, is_native, packages, &root)?;
        }
        Ok(Some(Self { root, is_native }))
    }

    /// An empty folder of the system.
    fn room(&self) -> Result<PathBuf> {
        let room = self.root.join("room");
        if room.exists() {
            fs::remove_dir_all(&room)?;
        }
        fs::create_dir_all(&room)?;
        Ok(room)
    }

    /// Runs a script as root inside the room. All programs that it starts belong to that system.
    fn shell(&self, script: &str) -> Result {
        let mut shell = Command::new("chroot");
        shell.arg(&self.root).args(["/bin/sh", "-euc", &format!("{NO_COMPILER}\n{script}")]);
        shell
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("LANG", "C.UTF-8")
            .env("HOME", "/room");
        process::run(&mut shell)
    }

    /// A program for another processor. Without kernel support an emulated program cannot start others.
    fn emulated(&self, program: &Path) -> Command {
        let mut emulator = Command::new("qemu-aarch64-static");
        emulator.arg("-L").arg(&self.root).arg(program);
        emulator.env_clear().env("LANG", "C.UTF-8").env("HOME", self.root.join("room"));
        emulator
    }
}

const NO_COMPILER: &str = "
cd /room
for compiler in cc gcc clang rustc; do
    if command -v $compiler; then echo 'the room has a compiler'; exit 1; fi
done";

fn make(processor: &str, is_native: bool, packages: &str, root: &Path) -> Result {
    println!("making a Debian with Python for {processor}: 270 MB under the target directory");
    let part = root.with_extension("part");
    if part.exists() {
        fs::remove_dir_all(&part)?;
    }
    fs::create_dir_all(&part)?;
    let mut make = Command::new("debootstrap");
    make.args(["--variant=minbase", &format!("--include={packages}"), &format!("--arch={processor}")]);
    if !is_native {
        make.arg("--foreign");
    }
    process::run(make.arg("trixie").arg(&part).arg(mirror()?).stdout(Stdio::null()))?;
    if !is_native {
        // Maintainer scripts would run on the other processor, so the packages are only unpacked.
        for package in fs::read_dir(part.join("var/cache/apt/archives"))? {
            let package = package?.path();
            if package.extension().is_some_and(|extension| extension == "deb") {
                process::run(Command::new("dpkg-deb").arg("--extract").arg(package).arg(&part))?;
            }
        }
    }
    Ok(fs::rename(&part, root)?)
}

/// Puts a program of `examples/` into a room.
fn example(name: &str, room: &Path) -> Result {
    fs::copy(workspace::root().join("examples").join(name), room.join(name))?;
    Ok(())
}
