//! `cargo xtask surface`: generates each language's description of the operations from the compiled table.
//!
//! An operation is defined only in the table in `crates/sondage/src/operations.rs` and its models. The Python classes,
//! the types for Node.js, the `OpenAPI` document and tables in `docs/` are generated from them. The results are checked
//! in for readers, editors and package builds; `--check` fails if they are stale.

mod attributes;
mod catalogue;
mod comparisons;
mod documents;
pub mod methods;
mod node;
mod parity;
mod prose;
mod python;
mod questions;
mod selections;
mod stores;
mod structs;
mod tables;
pub mod uniffi;
pub mod values;
mod webhooks;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

/// A generated file.
pub struct Generated {
    /// Its path, from the root of the repository.
    pub path: PathBuf,
    /// Its whole text.
    pub text: String,
}

/// Folders that contain generated files only: stale files in them are deleted.
const OWNED: [&str; 5] = [
    "bindings/uniffi/src/methods",
    "bindings/uniffi/src/models",
    "bindings/uniffi/src/operations",
    "node/types/operations",
    "python/sondage/_models",
];

pub fn run(arguments: &[&str]) -> Result<(), Box<dyn Error>> {
    let check = match arguments {
        [] => false,
        ["--check"] => true,
        _ => return Err("usage: cargo xtask surface [--check]".into()),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("the repository has no root")?;
    let mut files = whole()?;
    files.push(attributes::file(root, &files)?);
    files.extend(documents::files(root)?);
    let mut stale = left_over(root, &files)?;
    for file in &files {
        let path = root.join(&file.path);
        if fs::read_to_string(&path).ok().as_ref() != Some(&file.text) {
            stale.push(file.path.clone());
            if !check {
                fs::create_dir_all(path.parent().unwrap_or(root))?;
                fs::write(&path, &file.text)?;
            }
        }
    }
    for path in &stale {
        println!("{} {}", if check { "stale:" } else { "wrote" }, path.display());
        if !check && !files.iter().any(|file| file.path == *path) {
            fs::remove_file(root.join(path))?;
        }
    }
    match (check, stale.is_empty()) {
        (true, false) => {
            Err("the language surfaces are not what the table says: run `cargo xtask surface`".into())
        }
        _ => Ok(()),
    }
}

/// Files that are generated completely. Others have generated parts.
fn whole() -> serde_json::Result<Vec<Generated>> {
    let catalogue = catalogue::Catalogue::of_the_table();
    let mut files = python::files(&catalogue);
    files.extend(node::files(&catalogue));
    files.extend(questions::files());
    files.extend(stores::files());
    files.extend(comparisons::files());
    files.extend(uniffi::files(&catalogue));
    files.push(selections::table());
    files.push(openapi()?);
    Ok(files)
}

/// The API as an `OpenAPI` document.
fn openapi() -> serde_json::Result<Generated> {
    let document = sondage_openapi::document(&sondage_openapi::Edition::published());
    let text = serde_json::to_string_pretty(&document)? + "\n";
    Ok(Generated { path: "docs/openapi.json".into(), text })
}

/// Generated files that are no longer produced.
fn left_over(root: &Path, files: &[Generated]) -> std::io::Result<Vec<PathBuf>> {
    let mut gone = Vec::new();
    for folder in OWNED.iter().map(Path::new).filter(|folder| root.join(folder).is_dir()) {
        for entry in fs::read_dir(root.join(folder))? {
            let path = folder.join(entry?.file_name());
            if path.extension().is_some_and(|e| e == "py" || e == "rs" || e == "ts")
                && !files.iter().any(|file| file.path == path)
            {
                gone.push(path);
            }
        }
    }
    Ok(gone)
}
