//! The Swift packages: the one for servers as a dependency of a separate package, and on a Mac also the frameworks for Xcode.

use super::{bash, call, fresh, shell, table};
use crate::{Result, files, process, swift, toolchain, workspace};
use xshell::cmd;

/// The maximum size of the sources, in bytes.
const LARGEST: u64 = 1_000_000;

/// The sources of the package for servers, which are all that is published for Linux.
const SOURCES: [&str; 5] = ["Sondage", "SondageFFI", "SondageTesting", "SondageTestingFFI", "SondageXCTest"];
const SERVER: &str = "sondage-server-swift";

/// Assembles the package for servers, has a stranger depend on it, and packs it as the package manager of Swift reads it.
pub fn run() -> Result<Vec<String>> {
    swift::package()?;
    let assembled = workspace::target()?.join("swift");
    let folder = fresh("swift-sources")?;
    let server = folder.join(SERVER);
    for name in SOURCES {
        files::copy(&assembled.join("Sources").join(name), &server.join("Sources").join(name), None)?;
    }
    files::put(&assembled.join("PublishedServer.swift"), &server.join("Package.swift"))?;
    let mut stranger = bash(workspace::root(), "stranger.sh")?;
    stranger.arg("swift").args([&server, &assembled.join("lib"), &assembled]);
    process::first_program(stranger.args([workspace::version()?.into(), toolchain::swift()?]))?;
    if cfg!(target_os = "macos") {
        let sh = shell(workspace::root(), None)?;
        call(cmd!(sh, "sh swift/xcframework.sh"))?;
    } else {
        println!("the frameworks for Xcode need a Mac: swift/xcframework.sh");
    }
    let file = folder.join(format!("{SERVER}-{}.tar.gz", workspace::version()?));
    let sh = shell(&folder, None)?;
    call(cmd!(
        sh,
        "tar --create --gzip --sort=name --mtime=1980-01-01 --owner=0 --group=0 --file {file} {SERVER}"
    ))?;
    Ok(vec![table::row(&file, "Swift", LARGEST, table::RUN)?])
}
