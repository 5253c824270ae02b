//! Builds an optimised library or program for a platform, linked by zig, which includes the C libraries of all platforms.

use super::platform::Platform;
use crate::python::VirtualEnvironment;
use crate::stage::Missing;
use crate::{Result, process, workspace};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// Builds a package and returns the output folder.
pub fn build(
    tools: &VirtualEnvironment,
    package: &str,
    platform: &Platform,
    is_library: bool,
) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    let build = if linker().is_empty() { "build" } else { "zigbuild" };
    cargo.args([build, "--locked", "--profile", "dist", "--package", package]);
    cargo.args(["--target", platform.linked_for]);
    process::run(prepare(&mut cargo, tools, platform, is_library)?)?;
    Ok(workspace::target()?.join(platform.triple).join("dist"))
}

/// The maturin arguments that select zig as linker. A Mac uses its own.
pub fn linker() -> &'static [&'static str] {
    if cfg!(target_os = "macos") { &[] } else { &["--zig"] }
}

/// Makes a command of cargo or maturin build for a platform.
pub fn prepare<'a>(
    command: &'a mut Command,
    tools: &VirtualEnvironment,
    platform: &Platform,
    is_library: bool,
) -> Result<&'a mut Command> {
    has_standard_library(platform)?;
    let programs = tools.program("python");
    let folder = programs.parent().ok_or("the tools are nowhere")?.to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(all)?);
    // A library is loaded into a process that already has its C library.
    if is_library && platform.libc == Some("musl") {
        let name = format!("CARGO_TARGET_{}_RUSTFLAGS", platform.triple.to_uppercase().replace('-', "_"));
        command.env(name, "-C target-feature=-crt-static");
    }
    Ok(command)
}

/// Whether rustc can compile for a platform.
fn has_standard_library(platform: &Platform) -> Result {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let mut rustc = Command::new(rustc);
    rustc.args(["--print", "target-libdir", "--target", platform.triple]).current_dir(workspace::root());
    if PathBuf::from(process::output(&mut rustc)?.trim()).exists() {
        return Ok(());
    }
    if workspace::is_ci() {
        return process::run(Command::new("rustup").args(["target", "add", platform.triple]));
    }
    let install = match platform.triple {
        "aarch64-unknown-linux-gnu" => "rustup target add aarch64-unknown-linux-gnu",
        "x86_64-unknown-linux-musl" => "rustup target add x86_64-unknown-linux-musl",
        "x86_64-pc-windows-gnullvm" => "rustup target add x86_64-pc-windows-gnullvm",
        _ => "rustup target add x86_64-unknown-linux-gnu",
    };
    Err(Missing { what: "Rust's standard library for every platform that packages are built for.", install }
        .into())
}
