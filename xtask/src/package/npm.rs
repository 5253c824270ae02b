//! The packages of npm: one of JavaScript and types, and one for each platform with its compiled part.
//!
//! The main package lists the others as optional dependencies, each with its systems, and npm installs the
//! matching one.

use super::platform::Platform;
use crate::{Result, files, workspace};
use serde_json::json;
use std::fs;
use std::path::Path;

/// Writes the package of JavaScript and types into a folder.
pub fn main(folder: &Path) -> Result {
    files::fresh(folder)?;
    files::copy(&workspace::root().join("node"), folder, None)?;
    licences(folder)
}

/// Writes the package for a platform into a folder.
pub fn platform(folder: &Path, platform: &Platform, library: &Path) -> Result {
    files::fresh(folder)?;
    let name = format!("@sondage/{}", platform.npm);
    let mut package = json!({
        "name": name,
        "version": workspace::version()?,
        "description": format!("The compiled part of sondage for {}.", platform.npm),
        "license": "MIT OR Apache-2.0",
        "repository": { "type": "git", "url": "git+https://github.com/sondage/sondage.git" },
        "main": "sondage.node",
        "files": ["sondage.node", "THIRD-PARTY-NOTICES.txt"],
        "engines": { "node": ">=20" },
        "os": [platform.os()],
        "cpu": [platform.cpu()],
    });
    if let Some(libc) = platform.libc() {
        package["libc"] = json!([libc]);
    }
    fs::write(folder.join("package.json"), format!("{package:#}\n"))?;
    let readme = format!(
        "# {name}\n\nThe compiled part of `sondage` for {}. Install `sondage`, not this package.\n",
        platform.npm
    );
    fs::write(folder.join("README.md"), readme)?;
    licences(folder)?;
    files::put(library, &folder.join("sondage.node"))
}

fn licences(folder: &Path) -> Result {
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        fs::copy(workspace::root().join(name), folder.join(name))?;
    }
    Ok(())
}
