//! The table of the checks of each artefact.

use crate::{Result, workspace};
use std::fmt::{self, Write as _};
use std::fs;

/// How far an artefact was checked on this machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Built, and checked by the tools of its registry.
    Checked,
    /// Installed into an empty environment as well, where the first program ran.
    Run,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checked => "built and checked",
            Self::Run => "built, checked, installed and run",
        })
    }
}

/// One file that users install.
pub struct Artefact {
    pub name: String,
    pub platform: &'static str,
    pub bytes: u64,
    pub proof: Proof,
}

const BEGIN: &str = "<!-- artefacts: `cargo xtask package all` writes them -->";
const END: &str = "<!-- end of the artefacts -->";
const PAGE: &str = "docs/packages.md";

pub fn show(artefacts: &[Artefact]) {
    println!("\n{}", lines(artefacts));
}

/// Writes the table into the page about packages.
pub fn write(artefacts: &[Artefact]) -> Result {
    let page = workspace::root().join(PAGE);
    let text = fs::read_to_string(&page)?;
    let (before, rest) =
        text.split_once(BEGIN).ok_or_else(|| format!("{PAGE} has no place for the table"))?;
    let (_, after) = rest.split_once(END).ok_or_else(|| format!("{PAGE} has no end of the table"))?;
    fs::write(page, format!("{before}{BEGIN}\n{}{END}{after}", lines(artefacts)))?;
    Ok(())
}

fn lines(artefacts: &[Artefact]) -> String {
    let mut lines = "| artefact | platform | MB | here it was |\n|---|---|--:|---|\n".to_owned();
    for artefact in artefacts {
        let Artefact { name, platform, proof, .. } = artefact;
        let (whole, hundredths) = (artefact.bytes / 1_000_000, artefact.bytes / 10_000 % 100);
        let _ = writeln!(lines, "| `{name}` | {platform} | {whole}.{hundredths:02} | {proof} |");
    }
    lines
}
