//! The library of phones, without what only servers need, built for this machine and measured.

use super::platform::here;
use super::table::{Artefact, Proof};
use super::{build, fresh, size, tools};
use crate::mobile::put;
use crate::{Result, process};
use std::path::PathBuf;
use std::process::Command;

/// The maximum size in an app, in bytes, and in its download, where it is compressed.
const LARGEST: u64 = 7_000_000;
const LARGEST_DOWNLOAD: u64 = 2_500_000;

/// The library, and its row of the table.
pub fn measured() -> Result<(PathBuf, Artefact)> {
    let platform = here().ok_or("nothing is built for this platform")?;
    let output = build::build_with(&tools()?, "sondage-uniffi", platform, true, &["--no-default-features"])?;
    let (made, kept) = (output.join("libsondage_mobile.so"), fresh("phone")?.join("libsondage_mobile.so"));
    put(&made, &kept)?;
    process::run(Command::new("gzip").args(["-9", "--keep"]).arg(&kept))?;
    let download = size(&kept.with_extension("so.gz"))?;
    if download > LARGEST_DOWNLOAD {
        return Err(format!("a phone would load {download} bytes, and may load {LARGEST_DOWNLOAD}").into());
    }
    let name = format!("libsondage_mobile.so of a phone, {} KB compressed", download / 1000);
    let artefact =
        Artefact { name, platform: platform.npm, bytes: size(&kept)?, most: LARGEST, proof: Proof::Measured };
    Ok((kept, artefact))
}
