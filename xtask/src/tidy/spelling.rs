//! A rule about what stands between backticks in the documentation of each language.
//!
//! A bare word is a name, and is spelt as the language spells it: `page_size` is `pageSize` in Node.js. A value is written as
//! the text that it is, with quotation marks, and is the same in every language: `"hard_stop"`.

use super::{File, Problems};
use crate::Result;
use sondage::operations;
use std::collections::{BTreeSet, HashSet};

/// A language: the folder of its package, the extensions of its files, and whether its documentation is in strings.
type Language = (&'static str, &'static [&'static str], bool);

const PYTHON: Language = ("python/", &["py", "pyi"], true);
const NODE: Language = ("node/", &["ts", "js", "mjs"], false);
const KOTLIN: Language = ("kotlin/src", &["kt"], false);
const SWIFT: Language = ("swift/Sources/Sondage", &["swift"], false);

/// Words that are neither: of the languages themselves, of protocols and formats, and of the API, which spells them so in its
/// bodies and its documentation; as uniffi writes it, columns of a table, and letters of the formulas of response rates.
const OTHERS: &str = "ASWebAuthenticationSession Authorization BlockingIOError EBUSY Int64 custom.Source isSuccess manifest.jsonl \
                      member.Division security traceparent using nil UniffiClenaer.Cleanable new old I O P R UH UO e";

/// The documentation that is generated for Python and Node.js.
pub fn rules(files: &[File]) -> Problems {
    let of = |(folder, extensions, in_strings): Language| {
        let own = files.iter().filter(|file| file.path.starts_with(folder));
        let own: Vec<&File> = own.filter(|file| extensions.contains(&file.extension())).collect();
        misspelt(&own, in_strings, &values(files))
    };
    [PYTHON, NODE].into_iter().flat_map(of).collect()
}

/// The documentation that is generated for Kotlin or Swift, with what uniffi wrote.
pub fn of_generated(kotlin: bool, path: &str, text: &str) -> Result<Problems> {
    let (folder, extensions, in_strings) = if kotlin { KOTLIN } else { SWIFT };
    let (files, text) = (super::files()?, format!("// @generated\n{text}"));
    let generated = File { path: path.to_owned(), text };
    let own =
        files.iter().filter(|file| file.path.starts_with(folder) && extensions.contains(&file.extension()));
    Ok(misspelt(&own.chain([&generated]).collect::<Vec<_>>(), in_strings, &values(&files)))
}

/// The texts that the core accepts and returns, the same in every language: those in its sources, the values in types of Node.js, and
/// the names of operations.
fn values(files: &[File]) -> HashSet<String> {
    let mut values: HashSet<String> = operations::ALL.iter().map(|row| row.name.to_owned()).collect();
    for file in files {
        let mark = match file.extension() {
            "rs" if file.path.starts_with("crates/") => '"',
            "ts" if file.path.starts_with("node/types/") => '\'',
            _ => continue,
        };
        let code = file.text.lines().filter(|line| !line.trim_start().starts_with(['/', '*']));
        values.extend(code.flat_map(|line| line.split(mark).skip(1).step_by(2)).map(str::to_owned));
    }
    values
}

/// Words in the generated documentation that are neither a name of the language nor a value of the core.
fn misspelt(files: &[&File], in_strings: bool, values: &HashSet<String>) -> Problems {
    let mut names: HashSet<String> = HashSet::new();
    let mut documented = Vec::new();
    for file in files {
        let [code, docs] = parts(&file.text, in_strings);
        let outside = code.lines().flat_map(|line| line.split(['"', '\'']).step_by(2));
        names.extend(outside.flat_map(|text| text.split(|letter| !is_word(letter))).map(str::to_owned));
        documented.extend(file.is_generated().then_some((file, docs)));
    }
    let mut problems = Problems::new();
    for (file, docs) in documented {
        let words = quoted(&docs).into_iter();
        let wrong = words.filter_map(|word| Some(format!("`{word}` {}", problem(&word, &names, values)?)));
        problems.extend(wrong.map(|what| file.problem(what)));
    }
    problems
}

fn problem(word: &str, names: &HashSet<String>, values: &HashSet<String>) -> Option<&'static str> {
    if let Some(value) = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        let is_one = !value.chars().all(is_word) || values.contains(value);
        return (!is_one).then_some("is a value that the core neither accepts nor returns");
    }
    let path = word.strip_suffix("()").unwrap_or(word);
    let fits = OTHERS.split(' ').any(|other| other == word)
        || word.starts_with("SONDAGE_")
        || !path.chars().all(|letter| is_word(letter) || letter == '.')
        || path.split('.').all(|part| names.contains(part))
        || path.starts_with(|first: char| first.is_ascii_uppercase()) && values.contains(path);
    (!fits).then_some(
        "is no name in this language; a value is written with quotation marks in Rust, `\"value\"`",
    )
}

/// What is between backticks, outside of blocks of code.
fn quoted(docs: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for paragraph in docs.split("```").step_by(2).flat_map(|text| text.split("\n\n")) {
        words.extend(super::quoted(paragraph).map(|word| word.trim().to_owned()));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The code of a file, and its documentation. An empty line separates paragraphs of the latter.
fn parts(text: &str, in_strings: bool) -> [String; 2] {
    let (mut code, mut docs) = (String::new(), String::new());
    if in_strings {
        for (number, part) in text.split("\"\"\"").enumerate() {
            let out = if number % 2 == 1 { &mut docs } else { &mut code };
            out.extend(part.lines().flat_map(|line| [line.trim(), "\n"]));
            *out += "\n";
        }
        return [code, docs];
    }
    for line in text.lines() {
        let comment = ["/**", "*/", "*", "///"].iter().find_map(|mark| line.trim().strip_prefix(mark));
        // Code between two comments separates them.
        docs += comment.unwrap_or_default().trim_end_matches("*/").trim();
        code += if comment.is_some() { "" } else { line };
        docs += "\n";
        code += "\n";
    }
    [code, docs]
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found((_, _, in_strings): Language, text: &str) -> usize {
        let values = ["did_not_happen", "hard_stop", "Completed"].map(str::to_owned).into();
        misspelt(&[&super::super::file("a", text)], in_strings, &values).len()
    }

    #[test]
    fn a_word_is_a_name_of_the_language_or_a_marked_value() {
        let code = "\n     */\n    val `pageSize`: String = \"stillUnknown\"\n";
        let problems =
            |word: &str| found(KOTLIN, &format!("// @generated\n    /**\n     * About `{word}`.{code}"));
        for word in
            ["didNotHappen", "stillUnknown", "hardStop", "page_size", "\"didNotHappen\"", "pageSize.other"]
        {
            assert_eq!(problems(word), 1, "{word}");
        }
        for word in ["pageSize", "\"did_not_happen\"", "Completed", "2 min", "pageSize()", "SONDAGE_BUDGET"] {
            assert_eq!(problems(word), 0, "{word}");
        }
    }

    #[test]
    fn documentation_of_python_is_in_strings() {
        let text = |word: &str| {
            format!("# @generated\nclass A:\n    \"\"\"About `{word}`.\"\"\"\n    page_size: int\n")
        };
        assert_eq!(found(PYTHON, &text("page_size")), 0);
        assert_eq!(found(PYTHON, &text("pageSize")), 1);
    }
}
