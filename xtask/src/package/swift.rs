//! The Swift package: on Linux as a dependency of a separate package, on a Mac also as a framework for Xcode.

use crate::mobile::put;
use crate::toolchain;
use crate::{Result, process, swift, workspace};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Assembles the package, and builds a separate package that depends on it.
pub fn run() -> Result {
    swift::package()?;
    let room = std::env::temp_dir().join(format!("sondage-stranger-{}", std::process::id()));
    let result = try_out(&room);
    fs::remove_dir_all(&room)?;
    result?;
    if cfg!(target_os = "macos") {
        return process::run(Command::new("sh").arg(workspace::root().join("swift/xcframework.sh")));
    }
    println!("built, and used by a stranger; the framework for Xcode needs a Mac: swift/xcframework.sh");
    Ok(())
}

/// A separate package outside the repository that runs the README's first program.
fn try_out(room: &Path) -> Result {
    let assembled = workspace::target()?.join("swift");
    for part in ["Sources", "Tests", "Package.swift", "lib"] {
        copy(&assembled.join(part), &room.join("sondage").join(part))?;
    }
    let own = workspace::root();
    put(&own.join("tests/packages/stranger.Package.swift"), &room.join("stranger/Package.swift"))?;
    put(&own.join("examples/first.swift"), &room.join("stranger/Sources/Mine/Mine.swift"))?;
    let swift = toolchain::swift::find()?;
    let library = swift.sees(room).join("sondage/lib");
    let mut run = swift.command(room)?;
    run.args(["run", "--disable-sandbox", "--package-path", "stranger"]);
    run.arg("-Xlinker").arg(format!("-L{}", library.display())).arg("Mine");
    run.env("LD_LIBRARY_PATH", &library).env("DYLD_LIBRARY_PATH", &library);
    let printed = process::output(&mut run)?;
    let expected = fs::read_to_string(own.join("examples/first.txt"))?;
    if printed.ends_with(&expected) {
        return Ok(());
    }
    Err(format!("the first program printed\n{printed}").into())
}

fn copy(from: &Path, to: &Path) -> Result {
    if !from.is_dir() {
        return put(from, to);
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
