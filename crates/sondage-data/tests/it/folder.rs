//! A folder for the files of a test.

use std::fs;
use std::path::{Path, PathBuf};

/// A temporary folder, removed at the end of the test.
pub struct Folder(pub PathBuf);

impl Folder {
    /// `name`: no other test of this program has it.
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// The names of its files, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries =
            fs::read_dir(&self.0).expect("a folder").map(|entry| entry.expect("a file").file_name());
        let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
