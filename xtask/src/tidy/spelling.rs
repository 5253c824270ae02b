//! A rule about what stands between backticks in the documentation of each language.
//!
//! A bare word is a name, and is spelt as the language spells it: `page_size` is `pageSize` in Node.js. A value is written as
//! the text that it is, with quotation marks, and is the same in every language: `"hard_stop"`.

use super::{File, Problems};
use crate::Result;
use crate::surface::values;
use crate::workspace;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

/// A language: the folder of its package, the extensions of its files, and whether its documentation is in strings.
struct Language {
    folder: &'static str,
    extensions: &'static [&'static str],
    in_strings: bool,
}

const PYTHON: Language = Language { folder: "python/", extensions: &["py", "pyi"], in_strings: true };
const NODE: Language = Language { folder: "node/", extensions: &["ts", "js", "mjs"], in_strings: false };

/// Words that are neither: of the languages themselves, of protocols and formats, and of the API, which spells them so in its
/// bodies and its documentation.
const OTHERS: &[&str] = &[
    "ASWebAuthenticationSession",
    "Authorization",
    "BlockingIOError",
    "EBUSY",
    // As uniffi writes it.
    "UniffiClenaer.Cleanable",
    "Int64",
    "custom.Source",
    "isSuccess",
    "manifest.jsonl",
    "member.Division",
    "security",
    "traceparent",
    "using",
    "nil",
    // Columns of a table.
    "new",
    "old",
    // Letters of the formulas of response rates.
    "I",
    "O",
    "P",
    "R",
    "UH",
    "UO",
    "e",
];

/// The documentation that is generated for Python and Node.js, and the values in tables and pages.
pub fn rules(files: &[File]) -> Problems {
    let values = values::of_the_core();
    let mut problems = values::of_fields();
    for language in [PYTHON, NODE] {
        let own: Vec<(&str, &str)> = files
            .iter()
            .filter(|file| file.path.starts_with(language.folder))
            .filter(|file| language.extensions.contains(&file.extension()))
            .map(|file| (file.path.as_str(), file.text.as_str()))
            .collect();
        problems.extend(misspelt(&language, &own, &values));
    }
    problems.extend(files.iter().filter(|file| file.extension() == "md").flat_map(values_as_names));
    problems
}

/// The documentation that is generated for Kotlin or Swift, with what uniffi wrote.
pub fn of_generated(kotlin: bool, path: &str, text: &str) -> Result<Problems> {
    let language = if kotlin {
        Language { folder: "kotlin/src", extensions: &["kt"], in_strings: false }
    } else {
        Language { folder: "swift/Sources/Sondage", extensions: &["swift"], in_strings: false }
    };
    let mut files = Vec::new();
    read(workspace::root(), Path::new(language.folder), language.extensions, &mut files)?;
    let mut all: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let text = format!("// @generated\n{text}");
    all.push((path, &text));
    Ok(misspelt(&language, &all, &values::of_the_core()))
}

fn read(root: &Path, folder: &Path, extensions: &[&str], files: &mut Vec<(String, String)>) -> Result {
    for entry in fs::read_dir(root.join(folder))? {
        let path = folder.join(entry?.file_name());
        if root.join(&path).is_dir() {
            read(root, &path, extensions, files)?;
        } else if path.extension().is_some_and(|found| extensions.iter().any(|one| found == *one)) {
            let text = fs::read_to_string(root.join(&path))?;
            files.push((path.to_string_lossy().replace('\\', "/"), text));
        }
    }
    Ok(())
}

/// Words in the generated documentation that are neither a name of the language nor a value of the core.
fn misspelt(language: &Language, files: &[(&str, &str)], values: &HashSet<String>) -> Problems {
    let mut names: HashSet<String> = HashSet::new();
    for (_, text) in files {
        for code in parts(text, language.in_strings).iter().filter(|part| !part.docs) {
            let outside = code.text.lines().flat_map(|line| line.split(['"', '\'']).step_by(2));
            names.extend(outside.flat_map(|text| text.split(|letter| !is_word(letter))).map(str::to_owned));
        }
    }
    let mut problems = Problems::new();
    let generated =
        files.iter().filter(|(_, text)| text.lines().take(5).any(|line| line.contains("@generated")));
    for (path, text) in generated {
        let all = parts(text, language.in_strings);
        let docs: String = all.iter().filter(|part| part.docs).map(|part| part.text.as_str()).collect();
        for word in quoted(&docs) {
            if let Some(why) = problem(&word, &names, values) {
                problems.push(format!("{path}: `{word}` {why}"));
            }
        }
    }
    problems
}

fn problem(word: &str, names: &HashSet<String>, values: &HashSet<String>) -> Option<&'static str> {
    if let Some(value) = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let is_one = !value.chars().all(is_word) || values.contains(value);
        return (!is_one).then_some("is a value that the core neither accepts nor returns");
    }
    if OTHERS.contains(&word) || word.starts_with("SONDAGE_") {
        return None;
    }
    let path = word.strip_suffix("()").unwrap_or(word);
    let is_name = |part: &str| names.contains(part);
    let is_path = path.chars().all(|letter| is_word(letter) || letter == '.');
    if !is_path || path.split('.').all(is_name) {
        return None;
    }
    let upper = path.starts_with(|first: char| first.is_ascii_uppercase());
    if upper && values.contains(path) {
        return None;
    }
    Some("is no name in this language; a value is written with quotation marks in Rust, `\"value\"`")
}

/// Values that were taken for names, in a page.
fn values_as_names(page: &File) -> Problems {
    let names = |word: &String| values::misspelt().contains(word);
    let found: BTreeSet<String> = quoted(&page.text).into_iter().filter(names).collect();
    found.iter().map(|word| format!("{}: `{word}` is a value that is spelt with `_`", page.path)).collect()
}

/// What is between backticks, outside of blocks of code.
fn quoted(docs: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for paragraph in docs.split("```").step_by(2).flat_map(|text| text.split("\n\n")) {
        words.extend(paragraph.split('`').skip(1).step_by(2).map(|word| word.trim().to_owned()));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// A part of a file: code or documentation.
struct Part {
    docs: bool,
    text: String,
}

/// The parts of a file. An empty line separates paragraphs of its documentation.
fn parts(text: &str, in_strings: bool) -> Vec<Part> {
    if in_strings {
        let part = |(number, text): (usize, &str)| {
            let lines = text.lines().map(|line| line.trim().to_owned() + "\n");
            Part { docs: number % 2 == 1, text: lines.collect::<String>() + "\n" }
        };
        return text.split("\"\"\"").enumerate().map(part).collect();
    }
    let part = |line: &str| {
        let comment = ["/**", "*/", "*", "///"].iter().find_map(|mark| line.trim().strip_prefix(mark));
        let text = comment.map(|docs| docs.trim_end_matches("*/").trim());
        // Code between two comments separates them.
        let separated = text.is_none_or(str::is_empty);
        let docs = if separated { "\n".to_owned() } else { text.unwrap_or_default().to_owned() + "\n" };
        let code = if comment.is_some() { String::new() } else { line.to_owned() };
        [Part { docs: true, text: docs }, Part { docs: false, text: code }]
    };
    text.lines().flat_map(part).collect()
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const KOTLIN: Language = Language { folder: "kotlin/", extensions: &["kt"], in_strings: false };

    fn found(language: &Language, text: &str) -> Vec<String> {
        let values = ["did_not_happen", "hard_stop", "Completed"].map(str::to_owned).into();
        misspelt(language, &[("a", text)], &values)
    }

    #[test]
    fn a_word_is_a_name_of_the_language_or_a_marked_value() {
        let code = "\n     */\n    val `pageSize`: String = \"stillUnknown\"\n";
        for word in [
            "didNotHappen",
            "stillUnknown",
            "clientCredentials",
            "hardStop",
            "page_size",
            "\"didNotHappen\"",
            "pageSize.other",
        ] {
            let text = format!("// @generated\n    /**\n     * About `{word}`.{code}");
            assert_eq!(found(&KOTLIN, &text).len(), 1, "{word}");
        }
        for word in ["pageSize", "\"did_not_happen\"", "Completed", "2 min", "pageSize()", "SONDAGE_BUDGET"] {
            let text = format!("// @generated\n    /**\n     * About `{word}`.{code}");
            assert_eq!(found(&KOTLIN, &text), Problems::new(), "{word}");
        }
    }

    #[test]
    fn documentation_of_python_is_in_strings() {
        let text = |word: &str| {
            format!("# @generated\nclass A:\n    \"\"\"About `{word}`.\"\"\"\n    page_size: int\n")
        };
        assert_eq!(found(&PYTHON, &text("page_size")), Problems::new());
        assert_eq!(found(&PYTHON, &text("pageSize")).len(), 1);
    }

    #[test]
    fn a_page_names_values_as_they_are() {
        let page = |word: &str| super::super::file("docs/a.md", &format!("It is `{word}`."));
        assert_eq!(values_as_names(&page("still_unknown")), Problems::new());
        assert_eq!(values_as_names(&page("stillUnknown")).len(), 1);
        assert_eq!(values_as_names(&page("importMembers")), Problems::new());
    }
}
