//! Builds an optimised library or program for a platform, linked by zig, which includes the C libraries of all platforms.

use super::platform::Platform;
use crate::python::VirtualEnvironment;
use crate::stage::missing;
use crate::{Result, process, workspace};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// A copy of the repository, and its cargo target directory.
pub struct SourceTree {
    pub root: PathBuf,
    pub target: PathBuf,
}

impl SourceTree {
    /// The copy to which this xtask belongs.
    pub fn here() -> Result<Self> {
        Ok(Self { root: workspace::root().to_owned(), target: workspace::target()? })
    }

    /// The folder in which cargo puts its output for a platform.
    pub fn output(&self, platform: &Platform, profile: &str) -> PathBuf {
        self.target.join(platform.triple).join(profile)
    }
}

/// What is linked.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Product {
    /// A library of servers and desktops: a panic becomes an error of the call.
    Library,
    /// The library of apps: a panic ends the app.
    Phone,
    /// The command, which a panic ends.
    Program,
}

impl Product {
    /// The profile in `Cargo.toml`.
    pub fn profile(self) -> &'static str {
        match self {
            Self::Library => "dist",
            Self::Phone => "dist-phone",
            Self::Program => "dist-command",
        }
    }

    /// Tells the linker what a library of uniffi exports, and to leave out the tables for cleaning up after a panic if a panic ends
    /// everything.
    pub fn order(self, cargo: &mut Command) {
        let files = workspace::root().join("tests/packages");
        if self != Self::Program {
            cargo.env("SONDAGE_EXPORTS", files.join("exports.txt"));
        }
        if self != Self::Library {
            cargo.env("SONDAGE_SECTIONS", files.join("no-unwinding.ld"));
        }
    }
}

/// Builds a package and returns the output folder.
pub fn build(
    tools: &VirtualEnvironment,
    package: &str,
    platform: &Platform,
    product: Product,
) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    let build = if linker().is_empty() { "build" } else { "zigbuild" };
    cargo.args([build, "--locked", "--profile", product.profile(), "--package", package]);
    cargo.args(["--target", &platform.linked_for()]);
    cargo.args(workspace::published(package));
    if product == Product::Phone {
        cargo.arg("--no-default-features");
    }
    if package == "sondage-uniffi" || product == Product::Program {
        product.order(&mut cargo);
    }
    let source = SourceTree::here()?;
    process::run(prepare(&mut cargo, tools, &source, platform, product)?)?;
    Ok(source.output(platform, product.profile()))
}

/// The maturin arguments that select zig as linker. A Mac uses its own.
pub fn linker() -> &'static [&'static str] {
    if cfg!(target_os = "macos") { &[] } else { &["--zig"] }
}

/// Makes a cargo or maturin command build for a platform.
pub fn prepare<'a>(
    command: &'a mut Command,
    tools: &VirtualEnvironment,
    source: &SourceTree,
    platform: &Platform,
    product: Product,
) -> Result<&'a mut Command> {
    has_standard_library(platform.triple)?;
    let programs = tools.program("python");
    let folder = programs.parent().ok_or("the tools are nowhere")?.to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(folder).chain(std::env::split_paths(&path));
    command.env("PATH", std::env::join_paths(all)?);
    let mut flags = remapped(source)?;
    if product == Product::Phone {
        flags.push(super::phone::PAGES.to_owned());
    }
    // A library is loaded into a process that already has its C library.
    if product != Product::Program && platform.libc() == Some("musl") {
        flags.push("-Ctarget-feature=-crt-static".to_owned());
    }
    // The timestamp of all files in archives: the first day that a zip file can represent.
    command.env("SOURCE_DATE_EPOCH", "315532800").env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    command.current_dir(&source.root).env("CARGO_TARGET_DIR", &source.target);
    if !linker().is_empty() {
        command.env("CARGO_ZIGBUILD_ZIG_COMMAND", workspace::root().join("tests/packages/zig.py"));
        command.env("SONDAGE_LINKER", rust_linker()?);
    }
    command.env("CARGO_AUDITABLE_ORIG_ARGS", AUDITED);
    // It embeds a list of all crates into the linked file, for `cargo audit bin`.
    command.env("RUSTC_WORKSPACE_WRAPPER", super::cargo_tool("cargo-auditable", "0.7.7", "")?);
    if platform.os() == "win32" {
        command.env("LIBNODE_PATH", node_library()?);
    }
    Ok(command)
}

/// The settings that `cargo auditable` passes to itself when it runs in place of rustc.
const AUDITED: &str = r#"{"offline":false,"locked":true,"frozen":false,"config":[]}"#;

/// The folder in which `napi` looks for the import library of Node.js for Windows. The library is empty, because the addon looks
/// up Node.js's functions when it is loaded.
pub fn node_library() -> Result<PathBuf> {
    let folder = super::folder("libnode")?;
    for name in ["libnode.dll", "libnode.a"] {
        std::fs::write(folder.join(name), "!<arch>\n")?;
    }
    Ok(folder)
}

/// The linker that comes with rustc.
fn rust_linker() -> Result<PathBuf> {
    let libraries = process::output(rustc().args(["--print", "target-libdir"]))?;
    let folder = PathBuf::from(libraries.trim()).parent().ok_or("rustc is nowhere")?.join("bin");
    let linker = folder.join("rust-lld");
    if linker.exists() { Ok(linker) } else { Err(format!("rustc has no {}", linker.display()).into()) }
}

fn rustc() -> Command {
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc")));
    rustc.current_dir(workspace::root());
    rustc
}

/// Options that replace the paths of this machine, so that clones in different folders produce the same files.
pub fn remapped(source: &SourceTree) -> Result<Vec<String>> {
    let home = workspace::cargo_home()?;
    let mut paths = vec![(source.root.clone(), "/sondage"), (source.target.clone(), "/target")];
    for registry in std::fs::read_dir(home.join("registry/src"))? {
        paths.push((registry?.path(), "/crates"));
    }
    let option = |(path, name): &(PathBuf, &str)| format!("--remap-path-prefix={}={name}", path.display());
    Ok(paths.iter().map(option).collect())
}

/// Whether rustc can compile for a system.
pub fn has_standard_library(triple: &str) -> Result {
    let libraries = process::output(rustc().args(["--print", "target-libdir", "--target", triple]))?;
    if PathBuf::from(libraries.trim()).exists() {
        return Ok(());
    }
    if workspace::is_ci() {
        return process::run(Command::new("rustup").args(["target", "add", triple]));
    }
    let what = "Rust's standard library for every system that packages are built or checked for.";
    Err(missing(what, format!("rustup target add {triple}")))
}
