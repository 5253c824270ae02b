//! The version of the workspace is the same in every file that names it.

use super::{File, Problems};

/// Where our version occurs: the file, and the start of the line.
const PLACES: [(&str, &str); 4] = [
    ("Cargo.toml", "sondage"),
    ("node/package.json", "\"version\": \""),
    ("node/package.json", "\"@sondage/"),
    ("kotlin/pom.xml", "<version>"),
];

pub fn rules(files: &[File]) -> Problems {
    let manifest = files.iter().find(|file| file.path == "Cargo.toml");
    let version = manifest.and_then(|manifest| {
        manifest.text.lines().find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'))
    });
    let Some(version) = version else {
        return vec!["Cargo.toml: names no version of the workspace".to_owned()];
    };
    PLACES.iter().flat_map(|(path, start)| differing(files, path, start, version)).collect()
}

/// The lines of a file that name another version.
fn differing(files: &[File], path: &str, start: &str, version: &str) -> Problems {
    let Some(file) = files.iter().find(|file| file.path == path) else { return Problems::new() };
    // A Maven manifest also names the versions of dependencies, further down.
    let own = if start == "<version>" { 1 } else { usize::MAX };
    let lines = file.lines().filter(|(_, line)| line.trim_start().starts_with(start)).take(own);
    let differing = lines.filter(|(_, line)| numbers(line).iter().any(|number| number != version));
    differing
        .map(|(line, _)| format!("{path}:{line}: another version than the workspace's {version}"))
        .collect()
}

/// Version numbers in a line: three numbers with dots.
fn numbers(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !(c.is_ascii_digit() || c == '.')).map(|word| word.trim_matches('.'));
    words.filter(|word| word.split('.').count() == 3).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn a_version_that_was_forgotten_is_named() {
        let manifest = file(
            "Cargo.toml",
            "version = \"0.2.0\"\nsondage = { version = \"0.2.0\" }\narrow = \"60.1.0\"\n",
        );
        let package =
            file("node/package.json", "  \"version\": \"0.2.0\",\n    \"@sondage/linux\": \"0.1.0\"\n");
        let pom = file("kotlin/pom.xml", "<version>0.2.0</version>\n<version>2.2.21</version>\n");
        let problems = rules(&[manifest, package, pom]);
        assert_eq!(problems, ["node/package.json:2: another version than the workspace's 0.2.0"]);
    }
}
