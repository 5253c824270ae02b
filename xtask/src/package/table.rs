//! The table of the checks of each artefact.

use crate::files;
use crate::{Result, workspace};
use std::fmt;
use std::fs;
use std::path::Path;
use std::process::Command;

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
    pub fn new(file: &Path, platform: &'static str, most: u64, proof: Proof) -> Result<Self> {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, platform, bytes: fs::metadata(file)?.len(), most, proof })
    }

    /// Why the artefact must not be published, if it is too large.
    pub fn problem(&self) -> Option<String> {
        let Self { name, bytes, most, .. } = self;
        (bytes > most).then(|| format!("{name} has {bytes} bytes, and may have {most}"))
    }
}

const PAGE: &str = "docs/packages.md";
const MARKS: [&str; 2] =
    ["<!-- artefacts: `cargo xtask package` writes them -->\n", "<!-- end of the artefacts -->"];

/// Writes rows into the table of the page about packages, and keeps its other rows.
pub fn write(rows: &str) -> Result {
    files::rewrite(PAGE, MARKS, |earlier| merged(earlier, rows))
}

/// The first lines of a table.
pub const HEAD: &str = "| artefact | platform | MB | here it was |\n|---|---|--:|---|\n";

pub fn rows(artefacts: &[Artefact]) -> String {
    let row = |artefact: &Artefact| {
        let Artefact { name, platform, proof, .. } = artefact;
        let (whole, hundredths) = (artefact.bytes / 1_000_000, artefact.bytes / 10_000 % 100);
        let over = if artefact.problem().is_some() { ", but too large" } else { "" };
        format!("| `{name}` | {platform} | {whole}.{hundredths:02} | {proof}{over} |\n")
    };
    artefacts.iter().map(row).collect()
}

/// The rows of an earlier table, each replaced by the new one of the same artefact, and then the new artefacts.
fn merged(earlier: &str, new: &str) -> String {
    let name = |row: &str| row.split('|').nth(1).map(str::to_owned);
    let mut rows: Vec<&str> =
        HEAD.lines().chain(earlier.lines().filter(|row| row.starts_with("| `"))).collect();
    for row in new.lines() {
        match rows.iter_mut().find(|other| name(other) == name(row)) {
            Some(other) => *other = row,
            None => rows.push(row),
        }
    }
    rows.join("\n") + "\n"
}

/// The rows of a kind that an earlier run has made from this commit, if nothing has changed since: `--resume` does not make it again.
pub fn resumed(kind: &str) -> Result<Option<String>> {
    let Some(commit) = commit()? else {
        println!("files have changed since the commit: everything is made again");
        return Ok(None);
    };
    let text = fs::read_to_string(super::folder("made")?.join(kind)).unwrap_or_default();
    Ok(text.strip_prefix(&commit).map(str::to_owned))
}

/// Keeps the rows of a kind for a later run, or forgets them.
pub fn keep(kind: &str, rows: Option<&str>) -> Result {
    let rows = rows.map(|rows| Ok::<_, Box<dyn std::error::Error>>(commit()?.map(|commit| commit + rows)));
    Ok(fs::write(super::folder("made")?.join(kind), rows.transpose()?.flatten().unwrap_or_default())?)
}

/// The commit, in a line. None if files differ from it, except the page that runs write.
fn commit() -> Result<Option<String>> {
    let git = |words: &[&str]| {
        crate::process::output(Command::new("git").args(words).current_dir(workspace::root()))
    };
    let changed = git(&["status", "--porcelain", "--", ".", ":(exclude)docs/packages.md"])?;
    Ok(if changed.is_empty() { Some(git(&["rev-parse", "HEAD"])?) } else { None })
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
        let first = merged("\n", &rows(&[made("a", 1_239_999), made("b", 0)]));
        assert_eq!(first, HEAD.to_owned() + &rows(&[made("a", 1_239_999), made("b", 0)]));
        assert!(first.contains("| `a` | all | 1.23 | built, checked, installed and run |\n"), "{first}");
        let second = merged(&first, &rows(&[made("b", 5_000_000), made("c", 0)]));
        let all = rows(&[made("a", 1_239_999), made("b", 5_000_000), made("c", 0)]);
        assert_eq!(second, HEAD.to_owned() + &all);
        assert!(all.contains("| `b` | all | 5.00 | built, checked, installed and run, but too large |\n"));
    }
}
