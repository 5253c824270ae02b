//! The command `sondage`: one file without dependencies on libraries.

use super::build::Product;
use super::platform::Platform;
use super::table::{Artefact, Proof};
use super::{build, folder, notices, rooms, size, tools};
use crate::{Result, mobile, workspace};
use std::fs;

/// The maximum size of the download, in bytes.
const LARGEST: u64 = 16_000_000;

pub fn run(platforms: &[&'static Platform]) -> Result<Vec<Artefact>> {
    let (tools, folder) = (tools()?, folder("cli")?);
    let mut artefacts = Vec::new();
    for platform in platforms.iter().filter(|platform| platform.npm != "linux-x64-gnu") {
        let output = build::build(&tools, "sondage-cli", platform, Product::Program)?;
        let suffix = if platform.os == "win32" { ".exe" } else { "" };
        let name = format!("sondage-{}{suffix}", platform.triple);
        let file = folder.join(&name);
        mobile::put(&output.join(format!("sondage{suffix}")), &file)?;
        let linked = notices::linked("sondage-cli", platform.triple)?;
        fs::write(folder.join(format!("{name}.notices.txt")), notices::notices(&linked))?;
        let bill = notices::materials("sondage-cli", &workspace::version()?, &linked);
        fs::write(folder.join(format!("{name}.cyclonedx.json")), bill)?;
        notices::cover(&file, &linked)?;
        let proof = if rooms::command(platform, &file)? { Proof::Run } else { Proof::Checked };
        artefacts.push(Artefact { name, platform: platform.npm, bytes: size(&file)?, most: LARGEST, proof });
    }
    Ok(artefacts)
}
