//! The command `sondage`: one file without dependencies on libraries.

use super::platform::{Platform, built, here};
use super::table::{Artefact, Proof};
use super::{at_most, build, fresh, notices, size, tools};
use crate::{Result, mobile, process, workspace};
use std::fs;
use std::process::Command;

/// The maximum size of the download, in bytes.
const LARGEST: u64 = 12_000_000;

pub fn run() -> Result<Vec<Artefact>> {
    let (tools, folder) = (tools()?, fresh("cli")?);
    let mut artefacts = Vec::new();
    for platform in built().iter().filter(|platform| platform.npm != "linux-x64-gnu") {
        let output = build::build(&tools, "sondage-cli", platform, false)?;
        let suffix = if platform.os == "win32" { ".exe" } else { "" };
        let name = format!("sondage-{}{suffix}", platform.triple);
        let file = folder.join(&name);
        mobile::put(&output.join(format!("sondage{suffix}")), &file)?;
        at_most(&file, LARGEST)?;
        let linked = notices::linked("sondage-cli", platform.triple)?;
        fs::write(folder.join(format!("{name}.notices.txt")), notices::notices(&linked))?;
        let bill = notices::materials("sondage-cli", &workspace::version()?, &linked);
        fs::write(folder.join(format!("{name}.cyclonedx.json")), bill)?;
        let proof = if runs(platform) {
            process::run(Command::new(&file).arg("--version"))?;
            Proof::Run
        } else {
            Proof::Checked
        };
        artefacts.push(Artefact { name, platform: platform.npm, bytes: size(&file)?, proof });
    }
    Ok(artefacts)
}

/// A static program for musl runs on every Linux of its processor.
fn runs(platform: &Platform) -> bool {
    let processor = |triple: &str| triple.split('-').next().map(str::to_owned);
    platform.os == "linux" && here().is_some_and(|here| processor(here.triple) == processor(platform.triple))
}
