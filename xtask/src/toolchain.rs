//! What a machine may lack. Locally, a message says what to install. In CI it is installed.

use crate::stage::missing;
use crate::{Result, process, workspace};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The machine's own `swift`, or the one that `.ci/install-swift` has installed under the target directory.
pub fn swift() -> Result<PathBuf> {
    let installed = workspace::target()?.join("toolchain/bin/swift");
    let find = || on_path("swift").or_else(|| installed.exists().then(|| installed.clone()));
    if let Some(swift) = find() {
        return Ok(swift);
    }
    if workspace::is_ci() {
        let script = workspace::root().join(".ci/install-swift");
        process::run(Command::new(script).arg(workspace::target()?))?;
    }
    let install = ".ci/install-swift (as root, on Debian), or see swift.org";
    find().ok_or_else(|| missing("Swift 6.", install))
}

/// A program of the path.
pub fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|folder| Some(folder.join(name)).filter(|file| file.is_file()))
}

/// A program of Debian that tests need; in CI it is installed.
pub fn debian(what: &str, is_there: impl Fn() -> bool, packages: &[&str]) -> Result {
    if !is_there() && workspace::is_ci() {
        apt(packages)?;
    }
    let install = || format!("apt-get install {} (Debian, Ubuntu)", packages.join(" "));
    if is_there() { Ok(()) } else { Err(missing(what, install())) }
}

/// Installs packages of the system.
pub fn apt(packages: &[&str]) -> Result {
    process::run(Command::new("apt-get").arg("update").stdout(Stdio::null()))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    process::run(install.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
}

/// Whether a program starts.
pub fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The server that the tests of stores start, in Python and in Node.js.
pub fn postgresql() -> Result {
    // Debian does not put its programs on the path.
    let is_there = || works("initdb", &["--version"]) || Path::new("/usr/lib/postgresql").is_dir();
    debian("PostgreSQL.", is_there, &["postgresql"])
}

/// Rust's standard library for a system.
pub fn standard_library(triple: &str) -> Result {
    let mut rustc = Command::new(std::env::var("RUSTC").unwrap_or("rustc".into()));
    rustc.args(["--print", "target-libdir", "--target", triple]).current_dir(workspace::root());
    if Path::new(process::output(&mut rustc)?.trim()).exists() {
        return Ok(());
    }
    if workspace::is_ci() {
        return process::run(
            Command::new("rustup").args(["target", "add", triple]).current_dir(workspace::root()),
        );
    }
    let what = "Rust's standard library for every system that packages are built or checked for.";
    Err(missing(what, format!("rustup target add {triple}")))
}
