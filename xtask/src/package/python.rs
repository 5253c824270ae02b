//! The wheels and the source distribution.

use super::build::{self, LIBRARY};
use super::{bash, call, command, folder, fresh, notices, room, script, shell, table, tools};
use crate::platform::Platform;
use crate::python::{self, empty};
use crate::{Result, files, process, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use xshell::{Shell, cmd};

/// The maximum size of a wheel, in bytes.
const LARGEST_WHEEL: u64 = 10_000_000;
const LARGEST_SDIST: u64 = 2_000_000;

pub fn run(platforms: &[&'static Platform]) -> Result<Vec<String>> {
    let (sh, folder, mut rows) = (shell(workspace::root(), Some(&tools()?))?, folder("python")?, Vec::new());
    for platform in platforms {
        let wheel = wheel(&sh, platform, &folder.join(platform.npm))?;
        look_at(&sh, &wheel)?;
        let mut proof = room("python", platform, &[&wheel])?;
        if platform.is_here() {
            try_out(&wheel)?;
            proof = table::RUN;
        }
        rows.push(table::row(&wheel, platform.npm, LARGEST_WHEEL, proof)?);
    }
    let name = format!("sondage-{}", workspace::version()?);
    let source = folder.join(format!("{name}.tar.gz"));
    call(cmd!(sh, "maturin sdist --out {folder}"))?;
    call(cmd!(sh, "twine check --strict {source}"))?;
    rows.push(table::row(&source, "source", LARGEST_SDIST, table::CHECKED)?);
    process::run(bash(&fresh("vendored")?, "vendor.sh")?.arg(&folder).arg(&name))?;
    let vendored = folder.join(format!("{name}-vendored.tar.gz"));
    rows.push(table::row(&vendored, "source", u64::MAX, table::CHECKED)?);
    Ok(rows)
}

/// Builds a wheel into a folder, which is emptied first. maturin checks which systems it works on.
fn wheel(sh: &Shell, platform: &Platform, folder: &Path) -> Result<PathBuf> {
    files::fresh(folder)?;
    // `pyproject.toml` has this file among the licences.
    let (text, made) = (workspace::root().join("THIRD-PARTY-NOTICES.txt"), super::folder("made")?);
    let (triple, bill) = (platform.triple, made.join("sondage.cyclonedx.json"));
    notices("sondage-python", triple, "sondage", [&text, &bill], None)?;
    let maturin = cmd!(sh, "maturin build --locked --profile {LIBRARY} --target {triple} --auditwheel check")
        .args(workspace::PUBLISHED)
        .args(build::LINKER)
        .args(["--sbom-include".as_ref(), bill.as_os_str(), "--out".as_ref(), folder.as_os_str()]);
    let built = process::run(build::prepare(&mut command(maturin), triple, LIBRARY)?);
    fs::remove_file(text)?;
    built?;
    let wheel = fs::read_dir(folder)?.next().ok_or("maturin has built no wheel")??.path();
    let library = build::output(triple, LIBRARY)?.join(platform.library("_native"));
    notices("sondage-python", triple, "sondage", [&made.join("sondage.txt"), &bill], Some(&library))?;
    script("compress.py", &[&wheel])?;
    Ok(wheel)
}

/// The checks of the Python registry's tools for a wheel.
fn look_at(sh: &Shell, wheel: &Path) -> Result {
    call(cmd!(sh, "twine check --strict {wheel}"))?;
    // Two top-level packages are intended: pyspark finds `pyspark_sondage` by its name.
    call(cmd!(sh, "check-wheel-contents --ignore W009 {wheel}"))?;
    call(cmd!(sh, "abi3audit --strict {wheel}"))
}

/// The wheel of the tests, checked and installed as by users.
pub fn installed() -> Result {
    let (wheel, checks) = (python::built()?, folder("checks")?);
    let checks = python::environment(&checks, "tests/packages/checks.txt")?;
    look_at(&shell(workspace::root(), Some(&checks))?, &wheel)?;
    try_out(&wheel)
}

/// Installs the wheel into an empty environment, runs the first program, and removes the wheel.
fn try_out(wheel: &Path) -> Result {
    let environment = empty(&fresh("rooms/python")?)?;
    let sh = shell(&fresh("rooms/work")?, Some(&environment))?;
    // A folder as index: pip has to find that the wheel is for this machine.
    let (folder, first) = (wheel.with_file_name(""), workspace::root().join("examples/first.py"));
    call(cmd!(sh, "python -m pip install --quiet --no-index --no-deps --find-links {folder} sondage"))?;
    call(cmd!(sh, "python {first}"))?;
    call(cmd!(sh, "sondage --version"))?;
    call(cmd!(sh, "python -m pip uninstall --quiet --yes sondage"))?;
    let left = "import importlib.util, sys; sys.exit(importlib.util.find_spec('sondage') is not None)";
    call(cmd!(sh, "python -c {left}"))
}
