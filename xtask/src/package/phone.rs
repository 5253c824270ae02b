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

/// A device with memory pages of this size, in bytes, loads no library whose parts begin between them.
const PAGE: u64 = 16_384;

/// The options of the linker for that.
pub const PAGES: &str = "-Clink-arg=-Wl,-z,max-page-size=16384";

/// A library for this machine, from which classes are generated and with which they run, and the rows of the report about the
/// library for a phone's processor.
pub fn measured() -> Result<(PathBuf, Vec<Artefact>)> {
    let folder = fresh("phone")?;
    let phone = platform::find(PHONE).ok_or("the phone's processor is not in the table")?;
    let kept = library(phone, &folder)?;
    on_pages(&kept)?;
    process::run(Command::new("gzip").args(["-9", "--no-name", "--keep"]).arg(&kept))?;
    let rows = [("so", LARGEST), ("so.gz", LARGEST_DOWNLOAD)].map(|(end, most)| {
        let row = Artefact::new(&kept.with_extension(end), phone.npm, most, Proof::Measured)?;
        Ok(Artefact { name: format!("{} of a phone", row.name), ..row })
    });
    let rows: Result<Vec<Artefact>> = rows.into_iter().collect();
    Ok((runs(&folder)?, rows?))
}

/// Refuses a library with a part that begins between the memory pages of a device.
pub fn on_pages(library: &Path) -> Result {
    let parts = alignments(&std::fs::read(library)?).ok_or("this is no library of 64 bits")?;
    match parts.iter().min() {
        Some(least) if least % PAGE == 0 => Ok(()),
        least => Err(format!("{} is aligned to {least:?} bytes, not to {PAGE}", library.display()).into()),
    }
}

/// The alignments, in bytes, of the parts of an ELF file that are loaded.
fn alignments(file: &[u8]) -> Option<Vec<u64>> {
    let long = |at: usize| Some(u64::from_le_bytes(file.get(at..at + 8)?.try_into().ok()?));
    let short = |at: usize| Some(usize::from(u16::from_le_bytes(file.get(at..at + 2)?.try_into().ok()?)));
    if file.get(..5)? != b"\x7fELF\x02" {
        return None;
    }
    let (table, each, number) = (usize::try_from(long(32)?).ok()?, short(54)?, short(56)?);
    let parts = (0..number).map(|part| table + part * each);
    let loaded = parts.filter(|part| file.get(*part..part + 4) == Some(&[1, 0, 0, 0]));
    loaded.map(|part| long(part + 48)).collect()
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

#[cfg(test)]
mod tests {
    use super::alignments;

    #[test]
    fn reads_the_alignment_of_the_parts_that_are_loaded() {
        // A header, a part that is loaded, and one that is not.
        let mut file = vec![0; 64 + 2 * 56];
        file[..5].copy_from_slice(b"\x7fELF\x02");
        (file[32], file[54], file[56]) = (64, 56, 2);
        (file[64], file[64 + 49]) = (1, 0x40);
        (file[64 + 56], file[64 + 56 + 48]) = (2, 8);
        assert_eq!(alignments(&file), Some(vec![16_384]));
        assert_eq!(alignments(b"MZ"), None);
    }
}
