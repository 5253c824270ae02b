//! What an earlier run has made from the same commit: `--resume` does not make it again.

use super::folder;
use crate::{Result, process, workspace};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The rows of a kind that was made from this commit, if nothing has changed since.
pub fn rows(kind: &str) -> Result<Option<String>> {
    let Some(commit) = commit()? else {
        println!("files have changed since the commit: everything is made again");
        return Ok(None);
    };
    let text = fs::read_to_string(file(kind)?).unwrap_or_default();
    Ok(text.strip_prefix(&commit).map(str::to_owned))
}

/// Keeps the rows of a kind for a later run.
pub fn keep(kind: &str, rows: &str) -> Result {
    if let Some(commit) = commit()? {
        fs::write(file(kind)?, commit + rows)?;
    }
    Ok(())
}

pub fn forget(kind: &str) -> Result {
    let file = file(kind)?;
    if file.exists() { Ok(fs::remove_file(file)?) } else { Ok(()) }
}

fn file(kind: &str) -> Result<PathBuf> {
    Ok(folder("made")?.join(kind))
}

/// The commit, in a line. None if files differ from it, except the page that runs write.
fn commit() -> Result<Option<String>> {
    let git =
        |words: &[&str]| process::output(Command::new("git").args(words).current_dir(workspace::root()));
    let changed = git(&["status", "--porcelain", "--", ".", ":(exclude)docs/packages.md"])?;
    Ok(if changed.is_empty() { Some(git(&["rev-parse", "HEAD"])?) } else { None })
}
