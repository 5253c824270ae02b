//! Third-party code that is linked into an artefact, and its licences: `THIRD-PARTY-NOTICES.txt`, and a bill of
//! materials. cargo-about collects the licences, and `tests/packages/notices.py` writes both.

use super::{cargo_tool, folder, tools};
use crate::{Result, process, workspace};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Writes the notices and the bill of materials of an artefact for a platform. Refuses the library or program in it if that has code
/// of a crate without a notice, a path of this machine, or no list of its crates.
pub fn write(
    (package, triple): (&str, &str),
    artefact: &str,
    [notices, bill]: [&Path; 2],
    program: Option<&Path>,
) -> Result {
    let metadata = workspace::metadata()?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest =
        packages.find(|found| found["name"] == package).and_then(|it| it["manifest_path"].as_str());
    let mut about = Command::new(cargo_tool("cargo-about", "0.9.3", "cli")?);
    about.args(["generate", "--format", "json", "--fail", "--locked", "--offline", "--target", triple]);
    about.arg("--config").arg(workspace::root().join("tests/packages/about.toml"));
    about.arg("--manifest-path").arg(manifest.ok_or_else(|| format!("there is no package {package}"))?);
    about.args(workspace::published(package)).current_dir(workspace::root());
    let linked = folder("made")?.join(format!("{package}-{triple}.about.json"));
    fs::write(&linked, process::output(&mut about)?)?;
    let mut write = tools()?.python();
    write.arg(workspace::root().join("tests/packages/notices.py")).arg(linked);
    write.args([artefact, &workspace::version()?]).args([notices, bill]);
    process::run(write.args(program))
}
