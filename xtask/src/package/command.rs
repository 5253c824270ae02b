//! The command `sondage`: one file without dependencies on libraries.

use super::build::Product;
use super::platform::Platform;
use super::table::Artefact;
use super::{build, folder, notices, room, tools};
use crate::{Result, files};

/// The maximum size of the download, in bytes.
const LARGEST: u64 = 16_000_000;

pub fn run(platforms: &[&'static Platform]) -> Result<Vec<Artefact>> {
    let (tools, folder) = (tools()?, folder("cli")?);
    let mut artefacts = Vec::new();
    for platform in platforms.iter().filter(|platform| platform.npm != "linux-x64-gnu") {
        let output = build::build(&tools, "sondage-cli", platform, Product::Program)?;
        let suffix = if platform.os() == "win32" { ".exe" } else { "" };
        let name = format!("sondage-{}{suffix}", platform.triple);
        let file = folder.join(&name);
        files::put(&output.join(format!("sondage{suffix}")), &file)?;
        let beside = |end: &str| folder.join(format!("{name}.{end}"));
        let (text, bill) = (beside("notices.txt"), beside("cyclonedx.json"));
        notices::write(("sondage-cli", platform.triple), "sondage-cli", [&text, &bill], Some(&file))?;
        artefacts.push(Artefact::new(&file, platform.npm, LARGEST, room("command", platform, &[&file])?)?);
    }
    Ok(artefacts)
}
