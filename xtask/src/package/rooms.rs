//! Clean rooms: Debian systems with Python and without a compiler, in which a wheel is installed, the README's first program
//! runs, and nothing is left when the wheel is removed.

use super::platform::Platform;
use crate::toolchain::{is_root, swift::mirror, works};
use crate::{Result, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The first program of the README.
const FIRST_PROGRAM: &str = "examples/first.py";

/// Runs as root of a system of this machine's processor. Every program that is started is one of that system.
const NATIVE: &str = "
set -eu
cd /room
for compiler in cc gcc clang rustc; do
    if command -v $compiler; then echo 'the room has a compiler'; exit 1; fi
done
python3 -m venv venv
find venv -not -path '*/__pycache__*' | sort > before
venv/bin/pip install --quiet --no-index --no-deps ./*.whl
venv/bin/python first.py
venv/bin/sondage --version
venv/bin/pip uninstall --quiet --yes sondage
find venv -not -path '*/__pycache__*' | sort > after
cmp before after
";

/// Tries a wheel in the room for its platform; says why if this machine has none.
pub fn python(platform: &Platform, wheel: &Path) -> Result<bool> {
    let Some(processor) = processor(platform) else { return Ok(false) };
    let is_native = std::env::consts::ARCH == platform.triple.split('-').next().unwrap_or_default();
    let tools: &[&str] = if is_native { &["debootstrap"] } else { &["debootstrap", "qemu-aarch64-static"] };
    let missing: Vec<&&str> = tools.iter().filter(|tool| !works(tool, &["--version"])).collect();
    if !is_root()? || !missing.is_empty() {
        println!(
            "!! no clean room for {}: it needs root, and apt-get install debootstrap qemu-user-static",
            platform.npm
        );
        return Ok(false);
    }
    let debian = debian(processor, is_native)?;
    let room = debian.join("room");
    if room.exists() {
        fs::remove_dir_all(&room)?;
    }
    fs::create_dir_all(&room)?;
    let name = wheel.file_name().ok_or("the wheel has no name")?;
    fs::copy(wheel, room.join(name))?;
    fs::copy(workspace::root().join(FIRST_PROGRAM), room.join("first.py"))?;
    if is_native {
        let mut shell = Command::new("chroot");
        shell.arg(&debian).args(["/bin/sh", "-c", NATIVE]).env_clear().env("PATH", "/usr/bin:/bin");
        process::run(shell.env("LANG", "C.UTF-8"))?;
    } else {
        foreign(&debian, name.to_string_lossy().as_ref())?;
    }
    fs::remove_dir_all(room)?;
    Ok(true)
}

/// Without the kernel's help, one program of the other processor runs, but none that it starts: pip as a module, and the
/// program.
fn foreign(debian: &Path, wheel: &str) -> Result {
    let wheels = fs::read_dir(debian.join("usr/share/python-wheels"))?;
    let pip = wheels
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .find(|name| name.starts_with("pip-"))
        .ok_or("the system has no pip")?;
    let room = debian.join("room");
    let python = |path: &str| {
        let mut python = Command::new("qemu-aarch64-static");
        python.arg("-L").arg(debian).arg(debian.join("usr/bin/python3"));
        python.env_clear().env("PYTHONPATH", path).env("LANG", "C.UTF-8").env("HOME", &room);
        python.current_dir(&room);
        python
    };
    let site = room.join("site");
    let mut install = python(&debian.join("usr/share/python-wheels").join(pip).display().to_string());
    install.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile", "--target"]);
    process::run(install.arg(&site).arg(room.join(wheel)))?;
    let site = site.display().to_string();
    process::run(python(&site).arg(room.join("first.py")))?;
    let command =
        "import sys; sys.argv[1:] = ['--version']; from sondage._command import main; sys.exit(main())";
    process::run(python(&site).args(["-c", command]))
}

/// Debian's name of a platform's processor.
fn processor(platform: &Platform) -> Option<&'static str> {
    match platform.triple {
        "x86_64-unknown-linux-gnu" => Some("amd64"),
        "aarch64-unknown-linux-gnu" => Some("arm64"),
        _ => None,
    }
}

/// A Debian 13 with Python, made once.
fn debian(processor: &str, is_native: bool) -> Result<PathBuf> {
    let root = workspace::target()?.join("packages/roots").join(processor);
    if root.exists() {
        return Ok(root);
    }
    println!("making a Debian with Python for {processor}: 270 MB under the target directory");
    let part = root.with_extension("part");
    if part.exists() {
        fs::remove_dir_all(&part)?;
    }
    fs::create_dir_all(&part)?;
    let mut make = Command::new("debootstrap");
    make.args(["--variant=minbase", "--include=python3,python3-venv"]).arg(format!("--arch={processor}"));
    if !is_native {
        make.arg("--foreign");
    }
    process::run(make.arg("trixie").arg(&part).arg(mirror()?).stdout(Stdio::null()))?;
    if !is_native {
        // Maintainer scripts are programs of the other processor: the packages are only unpacked.
        for package in fs::read_dir(part.join("var/cache/apt/archives"))? {
            process::run(Command::new("dpkg-deb").arg("--extract").arg(package?.path()).arg(&part))?;
        }
    }
    fs::rename(&part, &root)?;
    Ok(root)
}
