//! The library of phones, without the parts for servers, built for this machine and measured.

use super::build::Product;
use super::platform::{self, Platform};
use super::table::{Artefact, Proof};
use super::{build, fresh, tools};
use crate::files::put;
use crate::mobile::PACKAGES;
use crate::{Result, process, workspace};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The maximum size in an app, in bytes, and in its download, where it is compressed.
const LARGEST: u64 = 7_000_000;
const LARGEST_DOWNLOAD: u64 = 2_500_000;

/// The processor of phones. The size is measured on Linux instead of Android, whose linker is not needed for that.
const PHONE: &str = "linux-arm64-gnu";

/// The options of the linker for devices with memory pages of 16 KiB.
pub const PAGES: &str = "-Clink-arg=-Wl,-z,max-page-size=16384";

/// A library for this machine, from which classes are generated and with which they run, and the rows of the report about the
/// library for a phone's processor.
pub fn measured() -> Result<(PathBuf, Vec<Artefact>)> {
    let folder = fresh("phone")?;
    let phone = platform::find(PHONE).ok_or("the phone's processor is not in the table")?;
    let kept = library(phone, &folder)?;
    process::run(
        tools()?.python().arg(workspace::root().join("tests/packages/check_android.py")).arg(&kept),
    )?;
    process::run(Command::new("gzip").args(["-9", "--no-name", "--keep"]).arg(&kept))?;
    let rows = [("so", LARGEST), ("so.gz", LARGEST_DOWNLOAD)].map(|(end, most)| {
        let row = Artefact::new(&kept.with_extension(end), phone.npm, most, Proof::Measured)?;
        Ok(Artefact { name: format!("{} of a phone", row.name), ..row })
    });
    let rows: Result<Vec<Artefact>> = rows.into_iter().collect();
    Ok((runs(&folder)?, rows?))
}

/// Published libraries have no descriptions, from which classes are made. The crates below it are those of the tests.
fn runs(folder: &Path) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--locked"]).args(PACKAGES.iter().flat_map(|name| ["--package", name]));
    // Features are those of all packages that are named: the command keeps its own.
    process::run(cargo.args(["--no-default-features", "--features", "sondage-cli/default"]))?;
    let library = folder.join("here/libsondage_mobile").with_extension(std::env::consts::DLL_EXTENSION);
    let name = library.file_name().ok_or("a library has no name")?;
    put(&workspace::target()?.join("debug").join(name), &library)?;
    Ok(library)
}

fn library(platform: &'static Platform, folder: &Path) -> Result<PathBuf> {
    let output = build::build(&tools()?, "sondage-uniffi", platform, Product::Phone)?;
    let kept = folder.join("libsondage_mobile.so");
    put(&output.join("libsondage_mobile.so"), &kept)?;
    Ok(kept)
}
