//! What must be present in several places, which no compiler checks: a missing item is reported by name, and the recipes are in
//! CONTRIBUTING.md. The version of the workspace, the marks of generated files, and features.

use super::{File, Problems, text_of};
use crate::{Result, mobile, process, workspace};
use std::collections::BTreeSet;

/// A kind of item, the file or folder that must contain it, and the required text, `@` being the name.
const PLACES: [(&str, &str, &str); 7] = [
    ("setting", "crates/sondage/src/config/", "settings.@"),
    ("format", "xtask/src/surface/python/exports.rs", "\"@\""),
    ("format", "node/types/downloads.d.ts", "'@'"),
    ("format", "crates/sondage-cli/src/export.rs", ".@"),
    ("format", "docs/tables.md", "to_@"),
    ("event", "docs/api/webhooks.md", "@"),
    ("event", "crates/sondage-sandbox/src/", "@"),
];

/// Settings that say where the other settings are; they are read first.
const BEFORE: [&str; 2] = ["profile", "profile_file"];

/// Where our version occurs: the file, and the start of the line.
const VERSIONS: [(&str, &str); 7] = [
    ("Cargo.toml", "sondage"),
    ("node/package.json", "\"version\": \""),
    ("node/package.json", "\"@sondage/"),
    ("kotlin/pom.xml", "<version>"),
    ("kotlin/parent/pom.xml", "<version>"),
    ("kotlin/android/pom.xml", "<version>"),
    ("kotlin/testing/pom.xml", "<version>"),
];

/// Generated files that cannot say so in a comment.
const SILENT: [&str; 2] = ["docs/openapi.json", "tests/node/package-lock.json"];

/// The packages that some command builds alone, or together with a few others: this one, and the language bindings.
const ALONE: [&[&str]; 4] = [&["xtask"], &["sondage-python"], &["sondage-node"], &mobile::PACKAGES];

/// Crates that must not be in apps for phones: tables, and the sandbox.
const NOT_ON_PHONES: [&str; 3] = ["arrow-", "sondage-data ", "sondage-sandbox "];

pub fn rules(files: &[File]) -> Problems {
    let mut problems = items(files);
    let (page, example) = ("docs/languages.md", "examples/invite_members.");
    let hidden = |file: &&File| file.path.starts_with(example) && !text_of(files, page).contains(&file.path);
    problems.extend(files.iter().filter(hidden).map(|file| format!("{page}: {} is not shown", file.path)));
    problems.extend(versions(files));
    problems.extend(verifier(files));
    problems
}

/// Apps read there which version of the verifier's classes fits the library: another one can crash an app.
fn verifier(files: &[File]) -> Option<String> {
    let (page, lock) = ("docs/phones.md", text_of(files, "Cargo.lock"));
    let (_, rest) = lock.split_once("name = \"rustls-platform-verifier-android\"\nversion = \"")?;
    let named = format!("\"org.rustls:rustls-platform-verifier:{}\"", rest.split('"').next()?);
    let is_named = text_of(files, page).contains(&named);
    (!is_named).then(|| format!("{page} does not name {named}, which Cargo.lock has"))
}

fn items(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    for (kind, name) in names(files) {
        for (_, path, text) in PLACES.iter().filter(|(of, ..)| *of == kind) {
            let wanted = text.replace('@', name);
            let there = |file: &File| file.path.starts_with(path) && stands_in(&file.text, &wanted);
            if !files.iter().any(there) {
                problems.push(format!("{path}: the {kind} `{name}` is missing (`{wanted}`)"));
            }
        }
    }
    problems
}

/// The existing items, by kind, as listed in the core.
fn names(files: &[File]) -> Vec<(&'static str, &str)> {
    let lines = |path: &str| text_of(files, path).lines();
    let settings = lines("crates/sondage/src/config/table.rs")
        .filter_map(|line| line.trim().split_once(" \"SONDAGE_"))
        .map(|(name, _)| name)
        .filter(|name| !name.contains(' ') && !BEFORE.contains(name));
    let formats = lines("crates/sondage-data/src/export/mod.rs")
        .filter(|line| line.contains("=> FileFormat::"))
        .filter_map(|line| line.split('"').nth(1));
    let events = lines("crates/sondage/src/model/web_hook.rs")
        .skip_while(|line| !line.starts_with("    EventType {"))
        .skip(1)
        .take_while(|line| line.trim() != "}")
        .flat_map(|line| line.split([',', ' ']))
        .filter(|name| !name.is_empty());
    let settings = settings.map(|name| ("setting", name));
    settings.chain(formats.map(|name| ("format", name))).chain(events.map(|name| ("event", name))).collect()
}

/// Whether the text contains these words, as whole words.
fn stands_in(text: &str, wanted: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(wanted).any(|(at, _)| !text[at + wanted.len()..].starts_with(part_of_word))
}

/// The version of the workspace is the same in every file that names it.
fn versions(files: &[File]) -> Problems {
    let mut lines = text_of(files, "Cargo.toml").lines();
    let version = lines.find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    let Some(version) = version else {
        return vec!["Cargo.toml: names no version of the workspace".to_owned()];
    };
    let mut problems = Problems::new();
    for (path, start) in VERSIONS {
        // A Maven manifest also names the versions of dependencies, further down.
        let mut own = if start == "<version>" { 1 } else { usize::MAX };
        let mut differs = |line: &str| {
            let is_own = own > 0 && line.trim_start().starts_with(start);
            own -= usize::from(is_own);
            let differs = is_own && numbers(line).any(|number| number != version);
            differs.then(|| format!("another version than the workspace's {version}"))
        };
        let file = files.iter().filter(|file| file.path == path);
        problems.extend(file.flat_map(|file| file.in_lines(&mut differs)));
    }
    problems
}

/// Version numbers in a line: three numbers with dots.
fn numbers(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !(c.is_ascii_digit() || c == '.')).map(|word| word.trim_matches('.'));
    words.filter(|word| word.split('.').count() == 3)
}

/// `.gitattributes` marks exactly the generated files. Asks git, which knows what its patterns mean.
pub fn attributes(files: &[File]) -> Result<Problems> {
    Ok(marks(files, &super::listed(&[":(attr:linguist-generated)"])?))
}

fn marks(files: &[File], marked: &[String]) -> Problems {
    let problem = |file: &File| {
        let generated = file.is_generated() || SILENT.contains(&file.path.as_str());
        match (generated, marked.contains(&file.path)) {
            (true, false) => Some(file.problem("generated, but .gitattributes does not mark it")),
            (false, true) => Some(file.problem(".gitattributes calls it generated: it is not")),
            _ => None,
        }
    };
    files.iter().filter_map(problem).collect()
}

/// A package that is built alone requests the same features of shared crates as the whole workspace. Otherwise cargo builds the shared
/// crates once for each.
pub fn features() -> Result<Problems> {
    let all = crates(&["--workspace", "--edges", "normal,build,dev"])?;
    let mut problems = Problems::new();
    let phones = crates(&["--package", "sondage-uniffi", "--edges", "normal"])?;
    let heavy = phones.iter().filter(|line| NOT_ON_PHONES.iter().any(|name| line.starts_with(name)));
    problems.extend(heavy.map(|line| format!("sondage-uniffi: `{line}` must not be in apps for phones")));
    for packages in ALONE {
        let selection = packages.iter().flat_map(|package| ["--package", package]);
        let own = crates(&selection.chain(["--edges", "normal,build"]).collect::<Vec<_>>())?;
        // The command is published with the server for assistants, and built without it for the demo.
        let own = own.difference(&all).filter(|line| !line.starts_with("sondage-cli "));
        let why = "the workspace asks for other features (Cargo.toml)";
        problems
            .extend(own.map(|line| format!("{}: built alone it has `{line}`: {why}", packages.join(", "))));
    }
    Ok(problems)
}

/// Each crate with its version and features.
fn crates(selection: &[&str]) -> Result<BTreeSet<String>> {
    let mut tree = workspace::cargo();
    tree.arg("tree").args(selection).args(["--prefix", "none", "--no-dedupe", "--format", "{p} {f}"]);
    Ok(process::output(&mut tree)?.lines().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    fn repository(table: &str, events: &str) -> Vec<File> {
        let events = format!("open_enum! {{\n    EventType {{\n        {events}\n    }}\n}}\n");
        vec![
            file("crates/sondage/src/config/table.rs", table),
            file("crates/sondage/src/config/resolve.rs", "let a = settings.deadline;"),
            file("crates/sondage/src/model/web_hook.rs", &events),
            file("crates/sondage-sandbox/src/a.rs", "\"Approved\""),
            file("docs/api/webhooks.md", "- `Approved`"),
            file(
                "Cargo.toml",
                "version = \"0.2.0\"\nsondage = { version = \"0.2.0\" }\narrow = \"60.1.0\"\n",
            ),
        ]
    }

    #[test]
    fn a_new_name_is_missed_where_it_is_not_known() {
        let row = "            deadline \"SONDAGE_DEADLINE\": Duration = \"600 s\";\n";
        assert!(rules(&repository(row, "Approved,")).is_empty());
        let more = format!("{row}            deadline_of_day \"SONDAGE_DEADLINE_OF_DAY\": Duration;\n");
        assert_eq!(rules(&repository(&more, "Approved,")).len(), 1);
        assert_eq!(rules(&repository(row, "Approved, Renewed,")).len(), 2);
    }

    #[test]
    fn a_language_has_an_example_that_is_shown_and_the_version_of_the_workspace() {
        let mut files = repository("", "Approved,");
        files.push(file("examples/invite_members.rb", ""));
        let package = "  \"version\": \"0.2.0\",\n    \"@sondage/linux\": \"0.1.0\"\n";
        files.push(file("node/package.json", package));
        files.push(file("kotlin/pom.xml", "<version>0.2.0</version>\n<version>2.2.21</version>\n"));
        let expected = [
            "docs/languages.md: examples/invite_members.rb is not shown",
            "node/package.json:2: another version than the workspace's 0.2.0",
        ];
        assert_eq!(rules(&files), expected);
        assert_eq!(rules(&[]), ["Cargo.toml: names no version of the workspace"]);
    }

    #[test]
    fn generated_files_and_no_others_are_marked() {
        let files = [file("a.py", "# @generated by x\n"), file("b.py", "import x\n"), file(SILENT[1], "{}")];
        let problems = |marked: &[&str]| {
            marks(&files, &marked.iter().map(ToString::to_string).collect::<Vec<_>>()).len()
        };
        assert_eq!(problems(&["a.py", SILENT[1]]), 0);
        assert_eq!(problems(&[SILENT[1]]), 1);
        assert_eq!(problems(&["a.py", "b.py"]), 2);
    }
}
