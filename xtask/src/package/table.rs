//! The table of the checks of each artefact.

use crate::{Result, workspace};
use std::fmt::{self, Write as _};
use std::fs;

/// How thoroughly an artefact was checked on this machine.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Proof {
    /// Built only to be measured: it is not published.
    Measured,
    /// Built without what needs Android's linker.
    Classes,
    /// Built, and checked by the tools of its registry.
    Checked,
    /// Installed into an empty environment as well, where the first program ran.
    Run,
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Measured => "built and measured",
            Self::Classes => {
                "its classes run with a phone's library; without Android's own, which need the NDK"
            }
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
    /// The maximum size in bytes.
    pub most: u64,
    pub proof: Proof,
}

impl Artefact {
    /// Why the artefact must not be published, if it is too large.
    pub fn problem(&self) -> Option<String> {
        let Self { name, bytes, most, .. } = self;
        (bytes > most).then(|| format!("{name} has {bytes} bytes, and may have {most}"))
    }
}

const BEGIN: &str = "<!-- artefacts: `cargo xtask package` writes them -->";
const END: &str = "<!-- end of the artefacts -->";
const PAGE: &str = "docs/packages.md";

pub fn show(artefacts: &[Artefact]) {
    if artefacts.is_empty() {
        return;
    }
    println!("\n{}", lines(artefacts));
}

/// Writes artefacts into the table of the page about packages, and keeps its other rows.
pub fn write(artefacts: &[Artefact]) -> Result {
    let page = workspace::root().join(PAGE);
    let text = fs::read_to_string(&page)?;
    let (before, rest) =
        text.split_once(BEGIN).ok_or_else(|| format!("{PAGE} has no place for the table"))?;
    let (earlier, after) = rest.split_once(END).ok_or_else(|| format!("{PAGE} has no end of the table"))?;
    fs::write(page, format!("{before}{BEGIN}\n{}{END}{after}", merged(earlier, &lines(artefacts))))?;
    Ok(())
}

/// The first lines of a table.
pub const HEAD: &str = "| artefact | platform | MB | here it was |\n|---|---|--:|---|\n";

fn lines(artefacts: &[Artefact]) -> String {
    format!("{HEAD}{}", rows(artefacts))
}

pub fn rows(artefacts: &[Artefact]) -> String {
    let mut lines = String::new();
    for artefact in artefacts {
        let Artefact { name, platform, proof, .. } = artefact;
        let (whole, hundredths) = (artefact.bytes / 1_000_000, artefact.bytes / 10_000 % 100);
        let over = if artefact.problem().is_some() { ", but too large" } else { "" };
        let _ = writeln!(lines, "| `{name}` | {platform} | {whole}.{hundredths:02} | {proof}{over} |");
    }
    lines
}

/// The rows of an earlier table, each replaced by the new one of the same artefact, and then the new artefacts.
fn merged(earlier: &str, new: &str) -> String {
    let name = |row: &str| row.split('|').nth(1).map(str::to_owned);
    let mut rows: Vec<&str> = earlier.lines().filter(|row| row.starts_with('|')).collect();
    for row in new.lines() {
        match rows.iter_mut().find(|other| name(other) == name(row)) {
            Some(other) => *other = row,
            None => rows.push(row),
        }
    }
    rows.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_replaces_its_own_rows_and_no_others() {
        let made = |name: &str, bytes| Artefact {
            name: name.into(),
            platform: "all",
            bytes,
            most: 4_000_000,
            proof: Proof::Run,
        };
        let first = merged("\n", &lines(&[made("a", 1_239_999), made("b", 0)]));
        assert_eq!(first, lines(&[made("a", 1_239_999), made("b", 0)]));
        assert!(first.contains("| `a` | all | 1.23 | built, checked, installed and run |\n"), "{first}");
        let second = merged(&first, &lines(&[made("b", 5_000_000), made("c", 0)]));
        assert_eq!(second, lines(&[made("a", 1_239_999), made("b", 5_000_000), made("c", 0)]));
        assert!(
            second.contains("| `b` | all | 5.00 | built, checked, installed and run, but too large |\n"),
            "{second}"
        );
    }
}
