//! Rules about the source of the console's pages.

use std::fs;
use std::path::{Path, PathBuf};

/// Every source file of a folder but this one.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs"))
        .collect()
}

#[test]
fn no_page_writes_a_value_without_escaping_it() {
    let files = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/console"));
    assert!(files.len() > 20, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains("PreEscaped"), "{}: a page uses PreEscaped", file.display());
    }
}
