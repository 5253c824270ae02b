//! A wheel in a clean room.

use super::{Debian, example};
use crate::package::platform::Platform;
use crate::{Result, process};
use std::fs;
use std::path::Path;

const NATIVE: &str = "
python3 -m venv venv
find venv -not -path '*/__pycache__*' | sort > before
venv/bin/pip install --quiet --no-index --no-deps --find-links . sondage
venv/bin/python first.py
venv/bin/sondage --version
venv/bin/pip uninstall --quiet --yes sondage
find venv -not -path '*/__pycache__*' | sort > after
cmp before after
";

/// Whether the wheel was installed, used and removed in a room.
pub fn python(platform: &Platform, wheel: &Path) -> Result<bool> {
    // Debian's C library is glibc: a musl wheel finds no matching Python there.
    if platform.libc == Some("musl") {
        return Ok(false);
    }
    let Some(debian) = Debian::find(platform)? else { return Ok(false) };
    let room = debian.room()?;
    let name = wheel.file_name().ok_or("the wheel has no name")?;
    fs::copy(wheel, room.join(name))?;
    example("first.py", &room)?;
    if debian.is_native {
        debian.shell(NATIVE)?;
    } else {
        emulated(&debian, &room, &room.join(name))?;
    }
    fs::remove_dir_all(room)?;
    Ok(true)
}

/// Runs pip as a module, because an emulated program cannot start others. The folder of packages is created and
/// removed directly.
fn emulated(debian: &Debian, room: &Path, wheel: &Path) -> Result {
    let wheels = debian.root.join("usr/share/python-wheels");
    let pip = fs::read_dir(&wheels)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("pip-")))
        .ok_or("the system has no pip")?;
    let python = |path: &Path| {
        let mut python = debian.emulated(&debian.root.join("usr/bin/python3"));
        python.env("PYTHONPATH", path).current_dir(room);
        python
    };
    let site = room.join("site");
    let mut install = python(&pip);
    install.args(["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-compile", "--target"]);
    process::run(install.arg(&site).arg(wheel))?;
    process::run(python(&site).arg(room.join("first.py")))?;
    let command =
        "import sys; sys.argv[1:] = ['--version']; from sondage._command import main; sys.exit(main())";
    process::run(python(&site).args(["-c", command]))
}
