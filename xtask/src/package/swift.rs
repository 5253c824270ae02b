//! The Swift package: on Linux as a dependency of a separate package, on a Mac also as a framework for Xcode.

use super::fresh;
use super::table::{Artefact, Proof};
use crate::files::{copy, put};
use crate::toolchain;
use crate::{Result, process, swift, workspace};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The maximum size of the sources, in bytes.
const LARGEST: u64 = 1_000_000;

/// Assembles the package, and has a stranger depend on it.
pub fn run() -> Result<Vec<Artefact>> {
    swift::package()?;
    let room = std::env::temp_dir().join(format!("sondage-stranger-{}", std::process::id()));
    let result = try_out(&room);
    fs::remove_dir_all(&room)?;
    result?;
    if cfg!(target_os = "macos") {
        process::run(Command::new("sh").arg(workspace::root().join("swift/xcframework.sh")))?;
    } else {
        println!("the framework for Xcode needs a Mac: swift/xcframework.sh");
    }
    Ok(vec![sources()?])
}

/// The sources, as the package manager of Swift reads them.
fn sources() -> Result<Artefact> {
    let file = fresh("swift-sources")?.join(format!("sondage-swift-{}.tar.gz", workspace::version()?));
    let mut tar = Command::new("tar");
    tar.args(["--create", "--gzip", "--sort=name", "--mtime=1980-01-01", "--owner=0", "--group=0", "--file"]);
    tar.arg(&file).arg("-C").arg(workspace::target()?.join("swift"));
    process::run(tar.args(["Package.swift", "Sources/Sondage", "Sources/SondageFFI"]))?;
    Artefact::new(&file, "Swift", LARGEST, Proof::Run)
}

/// A separate package outside the repository that runs the README's first program.
fn try_out(room: &Path) -> Result {
    let assembled = workspace::target()?.join("swift");
    for part in ["Sources", "Tests", "lib"] {
        copy(&assembled.join(part), &room.join("sondage").join(part), None)?;
    }
    put(&assembled.join("Package.swift"), &room.join("sondage/Package.swift"))?;
    let own = workspace::root();
    put(&own.join("tests/packages/stranger.Package.swift"), &room.join("stranger/Package.swift"))?;
    put(&own.join("examples/first.swift"), &room.join("stranger/Sources/Mine/Mine.swift"))?;
    let library = room.join("sondage/lib");
    let mut run = Command::new(toolchain::swift()?);
    run.current_dir(room).args(["run", "--disable-sandbox", "--package-path", "stranger"]);
    run.arg("-Xlinker").arg(format!("-L{}", library.display())).arg("Mine");
    run.env("LD_LIBRARY_PATH", &library).env("DYLD_LIBRARY_PATH", &library);
    process::first_program(&mut run)
}
