//! The command `sondage`: one file without dependencies on libraries.

use super::build::{PROGRAM, build};
use super::{folder, notices, room, table};
use crate::platform::Platform;
use crate::{Result, files};

/// The maximum size of the download, in bytes.
const LARGEST: u64 = 16_000_000;

pub fn run(platforms: &[&'static Platform]) -> Result<Vec<String>> {
    let pack = |platform: &&Platform| {
        let suffix = if platform.parts().0 == "win32" { ".exe" } else { "" };
        let name = format!("sondage-{}{suffix}", platform.triple);
        let file = folder("cli")?.join(&name);
        let output = build("sondage-cli", platform, PROGRAM)?;
        files::put(&output.join(format!("sondage{suffix}")), &file)?;
        let [text, bill] =
            ["notices.txt", "cyclonedx.json"].map(|end| file.with_file_name(format!("{name}.{end}")));
        notices("sondage-cli", platform.triple, "sondage-cli", [&text, &bill], Some(&file))?;
        table::row(&file, platform.npm, LARGEST, room("command", platform, &[&file])?)
    };
    platforms.iter().filter(|platform| platform.npm != "linux-x64-gnu").map(pack).collect()
}
