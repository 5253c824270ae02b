//! The last commit, in a work tree of its own: uncommitted work is not touched.

use crate::{Result, process, workspace};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

pub struct Tree {
    pub root: PathBuf,
    pub commit: String,
    /// The original content of changed files, and their timestamps.
    before: BTreeMap<PathBuf, (String, SystemTime)>,
}

pub fn at_head(folder: &Path) -> Result<Tree> {
    let root = folder.join("tree");
    fs::create_dir_all(folder)?;
    let commit = git(workspace::root(), &["rev-parse", "HEAD"])?;
    let mut before = BTreeMap::new();
    if root.exists() {
        for file in git(&root, &["diff", "--name-only"])?.lines() {
            let path = root.join(file);
            before.insert(path.clone(), (fs::read_to_string(&path)?, fs::metadata(&path)?.modified()?));
        }
        git(&root, &["checkout", "--quiet", "--force", "--detach", &commit])?;
    } else {
        let path = root.display().to_string();
        git(workspace::root(), &["worktree", "add", "--quiet", "--detach", &path, &commit])?;
    }
    Ok(Tree { root, commit, before })
}

impl Tree {
    /// Writes a file. An unchanged one keeps its timestamp, so that cargo does not rebuild it.
    pub fn write(&self, path: &Path, text: &str) -> Result {
        if fs::read_to_string(path).is_ok_and(|now| now == text) {
            return Ok(());
        }
        fs::write(path, text)?;
        if let Some((_, time)) = self.before.get(path).filter(|(was, _)| was == text) {
            File::options().write(true).open(path)?.set_modified(*time)?;
        }
        Ok(())
    }

    pub fn cargo(&self) -> Result<Command> {
        let mut cargo = workspace::cargo();
        // Cargo would treat both trees as the same workspace, and rebuild them in turns.
        cargo.current_dir(&self.root).env("CARGO_TARGET_DIR", workspace::target()?.join("mutants/build"));
        Ok(cargo)
    }
}

fn git(within: &Path, words: &[&str]) -> Result<String> {
    let text = process::output(Command::new("git").current_dir(within).args(words))?;
    Ok(text.trim().to_owned())
}
