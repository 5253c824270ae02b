//! Documentation that several languages share is written once and generated for each: hand-written copies diverge.
//!
//! Counts sentences of documentation in hand-written files.

use super::{File, Problems};
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of sentences that occur in more than one language. It may only fall.
const COPIES: usize = 58;

/// A shorter sentence contains nothing that could diverge.
const SHORTEST: usize = 28;

/// Folders with documentation of languages.
const LANGUAGES: [&str; 7] =
    ["bindings/node/", "bindings/python/", "bindings/uniffi/", "kotlin/", "node/", "python/", "swift/"];

pub fn rules(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    let mut said: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for file in files.iter().filter(|file| counts(file)) {
        let Some(language) = language(&file.path) else { continue };
        for sentence in sentences(file) {
            said.entry(sentence).or_default().insert(language);
        }
    }
    let copied: Vec<_> = said.into_iter().filter(|(_, languages)| languages.len() > 1).collect();
    if copied.len() > COPIES {
        let shown = copied.iter().take(10).map(|(sentence, languages)| format!("{sentence}: {languages:?}"));
        problems.push(format!(
            "{} sentences are written by hand in several languages, and at most {COPIES} may: say them in a row or a struct of \
             the core. For example\n  {}",
            copied.len(),
            shown.collect::<Vec<_>>().join("\n  ")
        ));
    }
    problems
}

fn counts(file: &File) -> bool {
    let read = ["py", "pyi", "js", "mjs", "ts", "mts", "kt", "swift", "rs"].contains(&file.extension());
    read && !file.is_generated() && !file.path.to_lowercase().contains("/test")
}

/// The language of a file. The Rust code of a binding counts as its language.
fn language(path: &str) -> Option<&'static str> {
    let folder = LANGUAGES.into_iter().find(|folder| path.starts_with(folder))?;
    Some(folder.trim_end_matches('/').trim_start_matches("bindings/"))
}

/// The sentences of a file's documentation, without marks and names of arguments before them.
fn sentences(file: &File) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    let mut inside = false;
    for line in file.text.lines() {
        let text = line.trim();
        let found = if file.extension().starts_with("py") {
            let marks = text.matches("\"\"\"").count();
            let documented = inside || marks > 0;
            inside ^= marks % 2 == 1;
            documented.then(|| text.replace("\"\"\"", " "))
        } else if inside || text.starts_with("/**") {
            inside = !text.contains("*/");
            Some(text.trim_start_matches("/**").trim_end_matches("*/").trim_start_matches('*').to_owned())
        } else {
            text.strip_prefix("///").or_else(|| text.strip_prefix("//!")).map(str::to_owned)
        };
        let text = found.as_deref().unwrap_or_default().trim();
        let first = text.split(' ').next().unwrap_or_default();
        let begins = text.is_empty() || first.ends_with(':') || ["-", "@param"].contains(&first);
        if begins {
            paragraphs.push(String::new());
        }
        let text = if first.ends_with(':') { text[first.len()..].trim() } else { text };
        if let Some(last) = paragraphs.last_mut() {
            last.push(' ');
            last.push_str(text);
        }
    }
    let text = paragraphs.join("\n").replace("! ", ". ").replace("? ", ". ").replace('\n', ". ");
    let split = text.split(". ").map(str::trim);
    split.filter(|one| one.chars().count() >= SHORTEST).map(plain).collect()
}

/// The same in every language: `page_size` is `pageSize` elsewhere.
fn plain(sentence: &str) -> String {
    sentence
        .trim_end_matches('.')
        .chars()
        .filter(|sign| !"`_".contains(*sign))
        .collect::<String>()
        .to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    const SENTENCE: &str = "The largest body in bytes that is looked at";

    #[test]
    fn a_sentence_is_found_however_it_is_marked() {
        for (path, text) in [
            ("python/sondage/a.py", format!("def a():\n    \"\"\"{SENTENCE}. More.\"\"\"\n")),
            ("node/types/a.d.ts", format!("/**\n * {SENTENCE}. More.\n */\n")),
            ("node/types/b.d.ts", format!("  /** {SENTENCE}. */\n")),
            ("swift/a.swift", format!("    /// Less. {SENTENCE}.\n")),
        ] {
            assert!(sentences(&file(path, &text)).contains(&plain(SENTENCE)), "{path}");
        }
    }

    #[test]
    fn too_many_copies_are_a_problem_and_generated_ones_are_none() {
        let many = |mark: &str| -> String {
            let line = |number| format!("{mark} The sentence number {number} that stands in two places.\n\n");
            (0..=COPIES).map(line).collect()
        };
        let copied = [file("swift/a.swift", &many("///")), file("kotlin/a.kt", &many("///"))];
        assert_eq!(rules(&copied).len(), 1);
        assert!(rules(&[file("swift/a.swift", &many("///"))]).is_empty());
        let generated = file("kotlin/a.kt", &format!("// @generated\n{}", many("///")));
        assert!(rules(&[file("swift/a.swift", &many("///")), generated]).is_empty());
    }
}
