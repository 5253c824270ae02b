//! Builds an optimised library or program for a platform, linked by zig, which includes the C libraries of all platforms.

use super::{cargo_tool, command, folder, shell, tools};
use crate::platform::Platform;
use crate::{Result, process, toolchain, workspace};
use std::path::PathBuf;
use std::process::Command;
use xshell::cmd;

/// The profile of libraries for servers and desktops, where a panic becomes an error of the call.
pub const LIBRARY: &str = "dist";
/// That of the library of apps, which a panic ends.
pub const PHONE: &str = "dist-phone";
/// That of the command, which a panic ends.
pub const PROGRAM: &str = "dist-command";

/// The maturin argument that selects zig as linker. A Mac uses its own.
pub const LINKER: &[&str] = if cfg!(target_os = "macos") { &[] } else { &["--zig"] };

/// The settings that `cargo auditable` passes to itself when it runs in place of rustc.
const AUDITED: &str = r#"{"offline":false,"locked":true,"frozen":false,"config":[]}"#;

/// Builds a package and returns the output folder.
pub fn build(package: &str, platform: &Platform, profile: &str) -> Result<PathBuf> {
    // The linker's target, with the minimum version of the C library.
    let oldest = if platform.parts().2 == Some("glibc") { ".2.17" } else { "" };
    let word = if LINKER.is_empty() { "build" } else { "zigbuild" };
    process::run(&mut cargo(word, package, &format!("{}{oldest}", platform.triple), profile)?)?;
    output(platform.triple, profile)
}

/// The folder in which cargo puts its output for a system.
pub fn output(triple: &str, profile: &str) -> Result<PathBuf> {
    Ok(workspace::target()?.join(triple).join(profile))
}

/// A cargo command that builds a package for a target.
pub fn cargo(word: &str, package: &str, target: &str, profile: &str) -> Result<Command> {
    let sh = shell(workspace::root(), Some(&tools()?))?;
    let cargo = cmd!(sh, "cargo {word} --locked --profile {profile} --package {package} --target {target}");
    let fewer = (profile == PHONE).then_some("--no-default-features");
    let mut cargo = command(cargo.args(workspace::published(package)).args(fewer));
    prepare(&mut cargo, target.trim_end_matches(".2.17"), profile)?;
    Ok(cargo)
}

/// Makes a command of cargo or maturin, which finds the tools on its path, build for a system.
pub fn prepare<'a>(command: &'a mut Command, triple: &str, profile: &str) -> Result<&'a mut Command> {
    toolchain::standard_library(triple)?;
    let mut flags = remapped()?;
    if profile == PHONE {
        // For devices with memory pages of 16 KiB.
        flags.push("-Clink-arg=-Wl,-z,max-page-size=16384".to_owned());
    }
    // A library is loaded into a process that already has its C library.
    if profile != PROGRAM && triple.ends_with("musl") {
        flags.push("-Ctarget-feature=-crt-static".to_owned());
    }
    // The timestamp of all files in archives: the first day that a zip file can represent.
    command.env("SOURCE_DATE_EPOCH", "315532800").env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    command.env("CARGO_ZIGBUILD_ZIG_COMMAND", workspace::root().join("tests/packages/zig.py"));
    // It embeds a list of all crates into the linked file, for `cargo audit bin`.
    command.env("RUSTC_WORKSPACE_WRAPPER", cargo_tool("cargo-auditable", "0.7.7", &[])?);
    command.env("CARGO_AUDITABLE_ORIG_ARGS", AUDITED).env("LIBNODE_PATH", node_library()?);
    Ok(command)
}

/// Flags with which clones in different folders produce the same files.
pub fn remapped() -> Result<Vec<String>> {
    let mut paths = vec![(workspace::root().to_owned(), "/sondage"), (workspace::target()?, "/target")];
    for registry in std::fs::read_dir(workspace::cargo_home()?.join("registry/src"))? {
        paths.push((registry?.path(), "/crates"));
    }
    let flag = |(path, name): (PathBuf, _)| format!("--remap-path-prefix={}={name}", path.display());
    Ok(paths.into_iter().map(flag).collect())
}

/// The folder in which `napi` looks for the import library of Node.js for Windows. The library is empty, because the addon looks
/// up Node.js's functions when it is loaded.
pub fn node_library() -> Result<PathBuf> {
    let folder = folder("libnode")?;
    for name in ["libnode.dll", "libnode.a"] {
        std::fs::write(folder.join(name), "!<arch>\n")?;
    }
    Ok(folder)
}
