//! The library of phones, without the parts for servers, built for this machine and measured.

use super::platform::{self, Platform, here};
use super::table::{Artefact, Proof};
use super::{build, fresh, size, tools};
use crate::mobile::put;
use crate::{Result, process, workspace};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The maximum size in an app in bytes, and compressed for the download. The target for a download is 2.5 MB.
const LARGEST: u64 = 7_000_000;
const LARGEST_DOWNLOAD: u64 = 3_300_000;

/// The processor of phones. The size is measured on Linux instead of Android, whose linker is not needed for that.
const PHONE: &str = "linux-arm64-gnu";

/// A library for this machine, from which the Kotlin classes are generated and with which they are tested, and the table
/// row of the library for a phone's processor.
pub fn measured() -> Result<(PathBuf, Artefact)> {
    let folder = fresh("phone")?;
    let phone = platform::find(PHONE).ok_or("the phone's processor is not in the table")?;
    let kept = library(phone, &folder)?;
    process::run(Command::new("gzip").args(["-9", "--keep"]).arg(&kept))?;
    let download = size(&kept.with_extension("so.gz"))?;
    if download > LARGEST_DOWNLOAD {
        return Err(format!("a phone would load {download} bytes, and may load {LARGEST_DOWNLOAD}").into());
    }
    let name = format!("libsondage_mobile.so of a phone, {} KB compressed", download / 1000);
    let artefact =
        Artefact { name, platform: phone.npm, bytes: size(&kept)?, most: LARGEST, proof: Proof::Measured };
    Ok((runs()?, artefact))
}

/// Published libraries have no symbols, which the generator of classes needs.
fn runs() -> Result<PathBuf> {
    let here = here().ok_or("nothing is built for this platform")?;
    let mut cargo = workspace::cargo();
    cargo.args([
        "build",
        "--locked",
        "--package",
        "sondage-uniffi",
        "--no-default-features",
        "--target",
        here.triple,
    ]);
    process::run(&mut cargo)?;
    Ok(workspace::root().join("target").join(here.triple).join("debug/libsondage_mobile.so"))
}

fn library(platform: &'static Platform, folder: &Path) -> Result<PathBuf> {
    let output = build::build_with(&tools()?, "sondage-uniffi", platform, true, &["--no-default-features"])?;
    let kept = folder.join("libsondage_mobile.so");
    std::fs::create_dir_all(folder)?;
    put(&output.join("libsondage_mobile.so"), &kept)?;
    Ok(kept)
}
