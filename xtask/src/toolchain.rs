//! Toolchains that a machine may lack: Java with Maven, and Swift.
//!
//! Locally, a message says what to install. In CI it is installed.

pub mod java;
pub mod swift;

use crate::{Result, process};
use std::process::{Command, Stdio};

/// `cargo xtask toolchain swift`: builds a Debian 13 with its `swiftlang`, once.
pub fn run(name: &str) -> Result {
    match name {
        "swift" => swift::make().map(|root| println!("Swift is in {}", root.display())),
        _ => Err("only the toolchain `swift` can be created here".into()),
    }
}

/// Installs packages of the system.
pub fn apt(packages: &[&str]) -> Result {
    process::run(Command::new("apt-get").arg("update").stdout(Stdio::null()))?;
    let mut install = Command::new("apt-get");
    install.args(["install", "--yes", "--no-install-recommends"]).args(packages);
    process::run(install.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null()))
}

pub fn is_root() -> Result<bool> {
    Ok(process::output(Command::new("id").arg("-u"))?.trim() == "0")
}

/// Whether a program starts.
pub fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
