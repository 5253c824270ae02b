//! The Swift package: on Linux as a dependency of a separate package, on a Mac also as a framework for Xcode.

use super::{bash, call, fresh, shell, table};
use crate::{Result, process, swift, toolchain, workspace};
use xshell::cmd;

/// The maximum size of the sources, in bytes.
const LARGEST: u64 = 1_000_000;

/// Assembles the package, has a stranger depend on it, and packs the sources as the package manager of Swift reads them.
pub fn run() -> Result<Vec<String>> {
    swift::package()?;
    let assembled = workspace::target()?.join("swift");
    let mut stranger = bash(workspace::root(), "stranger.sh")?;
    process::first_program(stranger.arg("swift").arg(&assembled).arg(toolchain::swift()?))?;
    if cfg!(target_os = "macos") {
        let sh = shell(workspace::root(), None)?;
        call(cmd!(sh, "sh swift/xcframework.sh"))?;
    } else {
        println!("the framework for Xcode needs a Mac: swift/xcframework.sh");
    }
    let file = fresh("swift-sources")?.join(format!("sondage-swift-{}.tar.gz", workspace::version()?));
    let sh = shell(&assembled, None)?;
    let tar =
        cmd!(sh, "tar --create --gzip --sort=name --mtime=1980-01-01 --owner=0 --group=0 --file {file}");
    call(tar.args(["Package.swift", "Sources/Sondage", "Sources/SondageFFI"]))?;
    Ok(vec![table::row(&file, "Swift", LARGEST, table::RUN)?])
}
