//! Generates the Kotlin or Swift of a built library: `sondage-bindgen kotlin|swift LIBRARY FOLDER`.
//!
//! uniffi generates it from the library's metadata. Then it is corrected by text replacements. Each replacement states
//! how often it must apply; if a future uniffi generates different text, the program fails instead of omitting it.
#![forbid(unsafe_code)]

mod fakes;
mod kotlin;
mod records;
mod swift;
mod text;

use camino::{Utf8Path, Utf8PathBuf};
use std::error::Error;
use std::fs;
use std::process::ExitCode;
use text::Text;
use uniffi_bindgen::bindings::{GenerateOptions, TargetLanguage, generate_with_bindgen_paths};
use uniffi_bindgen::{BindgenPaths, BindgenPathsLayer};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["kotlin", library, folder] => write(library, folder, TargetLanguage::Kotlin),
        ["swift", library, folder] => write(library, folder, TargetLanguage::Swift),
        _ => Err("usage: sondage-bindgen kotlin|swift LIBRARY FOLDER".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn write(library: &str, folder: &str, language: TargetLanguage) -> Result {
    let folder = Utf8PathBuf::from(folder);
    let kotlin = matches!(language, TargetLanguage::Kotlin);
    fs::create_dir_all(&folder)?;
    let mut paths = BindgenPaths::default();
    paths.add_layer(Beside);
    let options = GenerateOptions {
        languages: vec![language],
        source: Utf8PathBuf::from(library),
        out_dir: folder.clone(),
        config_override: None,
        format: false,
        crate_filter: None,
        metadata_no_deps: false,
    };
    generate_with_bindgen_paths(options, paths)
        .map_err(|error| format!("uniffi cannot write the bindings: {error:#}"))?;
    if kotlin {
        return adapt(&folder.join("sondage/sondage.kt"), kotlin::adapt);
    }
    adapt(&folder.join("Sondage.swift"), swift::adapt)?;
    swift::lay_out(&folder)
}

/// The crate of the library is next to this one; its `uniffi.toml` configures Kotlin and Swift.
struct Beside;

impl BindgenPathsLayer for Beside {
    fn get_crate_root(&self, crate_name: &str) -> Option<Utf8PathBuf> {
        let here = Utf8Path::new(env!("CARGO_MANIFEST_DIR"));
        (crate_name == "sondage_mobile").then(|| here.parent().unwrap_or(here).to_owned())
    }
}

fn adapt(path: &Utf8Path, change: fn(&mut Text) -> Result) -> Result {
    let mut text = Text::new(fs::read_to_string(path)?);
    change(&mut text)?;
    fs::write(path, text.finish())?;
    Ok(())
}
