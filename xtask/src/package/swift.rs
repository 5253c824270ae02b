//! The Swift package: on Linux as a dependency of a separate package, on a Mac also as a framework for Xcode.

use super::{call, command, fresh, shell, table};
use crate::files::put;
use crate::{Result, process, swift, toolchain, workspace};
use std::fs;
use std::path::Path;
use xshell::cmd;

/// The maximum size of the sources, in bytes.
const LARGEST: u64 = 1_000_000;

/// Assembles the package, has a stranger depend on it, and packs the sources as the package manager of Swift reads them.
pub fn run() -> Result<Vec<String>> {
    swift::package()?;
    let assembled = workspace::target()?.join("swift");
    let room = std::env::temp_dir().join(format!("sondage-stranger-{}", std::process::id()));
    let result = try_out(&assembled, &room);
    fs::remove_dir_all(&room)?;
    result?;
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

/// A separate package outside the repository that runs the README's first program.
fn try_out(assembled: &Path, room: &Path) -> Result {
    let (sh, copied) = (shell(assembled, None)?, room.join("sondage"));
    fs::create_dir_all(&copied)?;
    call(cmd!(sh, "cp -R Package.swift Sources Tests lib {copied}"))?;
    let own = workspace::root();
    put(&own.join("tests/packages/stranger.Package.swift"), &room.join("stranger/Package.swift"))?;
    put(&own.join("examples/first.swift"), &room.join("stranger/Sources/Mine/Mine.swift"))?;
    let (swift, library) = (toolchain::swift()?, copied.join("lib"));
    sh.change_dir(room);
    let run = cmd!(sh, "{swift} run --disable-sandbox --package-path stranger -Xlinker -L{library} Mine");
    process::first_program(&mut command(
        run.env("LD_LIBRARY_PATH", &library).env("DYLD_LIBRARY_PATH", &library),
    ))
}
