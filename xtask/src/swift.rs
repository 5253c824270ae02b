//! Swift: the package and its tests.
//!
//! The package is put together under the target directory, so that nothing that is made lies among the sources.

use crate::mobile::{self, Built};
use crate::stage::{Stage, Tally};
use crate::toolchain::Swift;
use crate::{Result, process, toolchain, workspace};
use std::fs;
use std::path::{Path, PathBuf};

pub const STAGES: &[Stage] = &[Stage { group: "swift", name: "Swift tests", run: tests }];

/// Where the package is inside the root that `cargo xtask toolchain swift` makes.
pub const INSIDE: &str = "/package";

/// Puts the package together.
pub fn package() -> Result<Built> {
    let built = mobile::build()?;
    let folder = folder()?;
    for part in ["Sources", "Tests"] {
        if folder.join(part).exists() {
            fs::remove_dir_all(folder.join(part))?;
        }
    }
    let made = folder.join("made");
    built.describe("swift", &made)?;
    copy(&workspace::root().join("bindings/uniffi/swift"), &folder)?;
    copy(&made, &folder.join("Sources"))?;
    fs::remove_dir_all(made)?;
    let example = folder.join("Sources/InviteMembers/InviteMembers.swift");
    mobile::put(&workspace::root().join("examples/invite_members.swift"), &example)?;
    for file in [built.library(), built.program()] {
        mobile::put(&file, &folder.join("lib").join(file.file_name().unwrap_or_default()))?;
    }
    Ok(built)
}

fn tests() -> Result<Tally> {
    let swift = toolchain::swift()?;
    package()?;
    let folder = folder()?;
    let seen = match &swift {
        Swift::OnPath => folder.clone(),
        Swift::Root(_) => PathBuf::from(INSIDE),
    };
    let library = seen.join("lib");
    let mut test = swift.command(&folder)?;
    test.args(["test", "--disable-sandbox", "-Xlinker"]).arg(format!("-L{}", library.display()));
    test.env("LD_LIBRARY_PATH", &library).env("DYLD_LIBRARY_PATH", &library);
    test.env("SONDAGE_PROGRAM", library.join("sondage")).env("RUST_BACKTRACE", "0");
    let (output, succeeded) = process::watch(&mut test)?;
    Tally::read(&output, succeeded)
}

fn folder() -> Result<PathBuf> {
    Ok(workspace::target()?.join("swift"))
}

fn copy(from: &Path, to: &Path) -> Result {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, there) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() { copy(&path, &there)? } else { mobile::put(&path, &there)? }
    }
    Ok(())
}
