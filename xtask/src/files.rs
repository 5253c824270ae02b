//! Files and folders.

use crate::{Result, workspace};
use std::fs;
use std::path::{Path, PathBuf};

/// Copies a file to where it is needed. A program that runs from an older copy keeps it.
pub fn put(from: &Path, to: &Path) -> Result {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    if to.exists() {
        fs::remove_file(to)?;
    }
    fs::copy(from, to).map_err(|error| format!("{}: {error}", from.display()))?;
    Ok(())
}

/// The files of a folder and of those in it.
pub fn all(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() { found.extend(all(&path)?) } else { found.push(path) }
    }
    Ok(found)
}

pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|own| own == extension)
}

/// Copies the files of a folder and of those in it: all of them, or those with an extension.
pub fn copy(from: &Path, to: &Path, extension: Option<&str>) -> Result {
    for path in all(from)? {
        if extension.is_none_or(|extension| has_extension(&path, extension)) {
            put(&path, &to.join(path.strip_prefix(from)?))?;
        }
    }
    Ok(())
}

/// Copies the licences of the project into a folder.
pub fn licences(folder: &Path) -> Result {
    let copy = |name| put(&workspace::root().join(name), &folder.join(name));
    ["LICENSE-APACHE", "LICENSE-MIT"].into_iter().try_for_each(copy)
}

pub fn fresh(folder: &Path) -> Result {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

/// Rewrites what is between two marks on a page of the repository.
pub fn rewrite(page: &str, [begin, end]: [&str; 2], new: impl FnOnce(&str) -> String) -> Result {
    let path = workspace::root().join(page);
    let text = between(&fs::read_to_string(&path)?, [begin, end], new)
        .ok_or_else(|| format!("{page} has no `{begin}` that `{end}` follows"))?;
    Ok(fs::write(path, text)?)
}

pub fn between(text: &str, [begin, end]: [&str; 2], new: impl FnOnce(&str) -> String) -> Option<String> {
    let (before, rest) = text.split_once(begin)?;
    let (old, after) = rest.split_once(end)?;
    Some(format!("{before}{begin}{}{end}{after}", new(old)))
}
