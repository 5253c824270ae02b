//! The part of `.gitattributes` that marks generated files, so that a review leaves them folded.

use super::{Generated, OWNED};
use crate::files::between;
use std::collections::BTreeSet;
use std::io::{Error, Result};
use std::path::Path;

const PATH: &str = ".gitattributes";

/// The attributes with every file of the list: a folder with only generated files is one line.
pub fn file(root: &Path, files: &[Generated]) -> Result<Generated> {
    let text = std::fs::read_to_string(root.join(PATH))?;
    let begin = "# surface: made by `cargo xtask surface`\n";
    let text = between(&text, [begin, "# end of surface"], |_| lines(files))
        .ok_or_else(|| Error::other(format!("{PATH}: the markers of generated files are missing")))?;
    Ok(Generated { path: PATH.into(), text })
}

fn lines(files: &[Generated]) -> String {
    let owned = |file: &Generated| OWNED.iter().find(|folder| file.path.parent() == Some(Path::new(folder)));
    let pattern = |file: &Generated| match owned(file) {
        Some(folder) => format!("{folder}/*"),
        None => file.path.to_string_lossy().replace('\\', "/"),
    };
    let patterns: BTreeSet<String> = files.iter().map(pattern).collect();
    patterns.into_iter().map(|pattern| pattern + " linguist-generated\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_generated_files_is_one_line() {
        let file = |path: &str| Generated { path: path.into(), text: String::new() };
        let files =
            [file("docs/x.json"), file("python/sondage/_models/a.py"), file("python/sondage/_models/b.py")];
        let expected = "docs/x.json linguist-generated\npython/sondage/_models/* linguist-generated\n";
        assert_eq!(lines(&files), expected);
    }
}
