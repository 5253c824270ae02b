//! Rules about `docs/api`, the project's account of the service, and about citations of it.
//!
//! A citation is the word `API` and the number of a section. It must name an existing section, and must not be in a doc
//! comment, because doc comments become tooltips in five languages.

use super::docs::{missing_tests, names_of_tests};
use super::{File, Problems};
use sondage::operation::Source;
use sondage::operations;
use std::collections::{BTreeMap, BTreeSet};

const FOLDER: &str = "docs/api/";

/// The maximum number of lines in a chapter, so that it can be read in one sitting.
const LONGEST: usize = 300;

/// The marks that name the source of a statement, or mark it as an assumption.
const MARKS: [&str; 5] = ["(specified)", "(published: ", "(assumed", "not known", "not specified"];

/// The number of a chapter and of its section.
type Number = (u32, u32);

/// The title of each section, and its text.
type Sections<'a> = BTreeMap<Number, (&'a str, String)>;

pub fn rules(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    let tests = names_of_tests(files);
    let mut sections = Sections::new();
    for chapter in files.iter().filter(|file| file.path.starts_with(FOLDER)) {
        problems.extend(statements(chapter, &tests));
        problems.extend(read(chapter, &mut sections));
    }
    let cited = files.iter().filter(|file| file.extension() != "lock");
    problems.extend(cited.flat_map(|file| citations(file, &sections)));
    problems.extend(operations(&sections));
    problems
}

/// The sections of a chapter, numbered one after the other.
fn read<'a>(file: &'a File, sections: &mut Sections<'a>) -> Problems {
    let mut last: Option<Number> = None;
    file.in_lines(|line| {
        let mut problems = Problems::new();
        if let Some((number, title)) = line.strip_prefix("## ").and_then(heading) {
            let due = last.map_or((number.0, 1), |(chapter, section)| (chapter, section + 1));
            if number != due {
                problems.push(format!("section {}.{} is due here", due.0, due.1));
            }
            if sections.insert(number, (title, String::new())).is_some() {
                problems.push(format!("there is another section {}.{}", number.0, number.1));
            }
            last = Some(number);
        } else if let Some((_, text)) = last.and_then(|number| sections.get_mut(&number)) {
            text.extend([line, "\n"]);
        }
        problems
    })
}

/// `3.6 ReadMemberList`
fn heading(text: &str) -> Option<(Number, &str)> {
    let (number, title) = text.split_once(' ')?;
    let (chapter, section) = number.split_once('.')?;
    Some(((chapter.parse().ok()?, section.parse().ok()?), title))
}

/// Each statement in a list has a mark, and an assumption names existing tests.
fn statements(file: &File, tests: &BTreeSet<&str>) -> Problems {
    let mut problems = Problems::new();
    let length = file.text.lines().count();
    if length > LONGEST {
        problems.push(format!("{length} lines; a chapter has at most {LONGEST}"));
    }
    for statement in file.text.split("\n- ").skip(1) {
        let statement = statement.split("\n\n").next().unwrap_or_default();
        let first = statement.lines().next().unwrap_or_default();
        if !MARKS.iter().any(|mark| statement.contains(mark)) {
            problems.push(format!("`{first}` does not say where it comes from"));
        }
        let none = format!("`{first}` is assumed and names no test");
        let assumed = statement.split("(assumed").skip(1);
        problems.extend(assumed.flat_map(|assumed| missing_tests(assumed, tests, &none)));
    }
    problems.into_iter().map(|what| file.problem(what)).collect()
}

/// Each citation names a section, and is not in a tooltip.
fn citations(file: &File, sections: &Sections<'_>) -> Problems {
    file.in_lines(|line| {
        let mut problems = Problems::new();
        for number in cited(line) {
            if !sections.contains_key(&number) {
                problems.push(format!("docs/api has no section {}.{}", number.0, number.1));
            }
            if is_documentation(file, line) {
                let what = "a citation in a documentation comment: put it into an ordinary comment below";
                problems.push(what.into());
            }
        }
        problems
    })
}

/// The sections that a line cites: the word, a blank, and two numbers with a point between them.
fn cited(line: &str) -> impl Iterator<Item = Number> {
    after(line, "API ").filter_map(|rest| {
        let (chapter, rest) = rest.split_once('.')?;
        let section: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some((chapter.parse().ok()?, section.parse().ok()?))
    })
}

/// The text after each occurrence of a whole word.
fn after<'a>(line: &'a str, word: &str) -> impl Iterator<Item = &'a str> {
    let whole = |at: &usize| !line[..*at].ends_with(char::is_alphanumeric);
    line.match_indices(word).map(|(at, _)| at).filter(whole).map(move |at| &line[at + word.len()..])
}

/// Whether a line is shown to users of a language: in Python everything except comments and tests.
fn is_documentation(file: &File, line: &str) -> bool {
    let line = line.trim_start();
    let python = ["py", "pyi"].contains(&file.extension()) && !file.path.starts_with("tests/");
    match line.split_once("API ") {
        Some((before, _)) if python => !before.contains('#'),
        _ => file.is_code() && ["///", "//!", "/**", "* "].iter().any(|begin| line.starts_with(begin)),
    }
}

/// Every operation of the table has a section with its paths and its fields, and its request cites it.
fn operations(sections: &Sections<'_>) -> Problems {
    let mut problems = Problems::new();
    for row in operations::ALL {
        let Some(((chapter, section), (_, text))) =
            sections.iter().find(|(_, (title, _))| *title == row.name)
        else {
            problems.push(format!("{FOLDER}: no section is about {}", row.name));
            continue;
        };
        let paths = std::iter::once(&row.path).chain(row.fallback_paths).map(|path| format!("`POST {path}`"));
        let fields = row.request.fields.iter().chain(row.response.fields);
        let fields = fields.map(|field| format!("`{}`", field.wire));
        for what in paths.chain(fields).filter(|what| !text.contains(what)) {
            problems.push(format!("{FOLDER}: the section {} lacks {what}", row.name));
        }
        let mark = if row.source == Source::Spec { "specified" } else { "published" };
        let own = format!("API {chapter}.{section}, {mark}");
        let shared = operations::ALL.iter().filter(|other| other.request.name == row.request.name).count();
        if shared == 1 && row.request.source.is_none_or(|source| source != own) {
            problems.push(format!("{}: its #[source] is not `{own}`", row.request.name));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::super::file;
    use super::*;

    #[test]
    fn sections_are_numbered_one_after_the_other() {
        let problems = |text: &str| read(&file("docs/api/a.md", text), &mut Sections::new()).len();
        let chapters =
            ["# 3. A\n## 3.1 One\n## 3.2 Two\n", "## 3.1 One\n## 3.3 Two\n", "## 3.1 One\n## 3.1 Two\n"];
        assert_eq!(chapters.map(problems), [0, 1, 2]);
    }

    #[test]
    fn a_citation_names_a_section_and_is_no_tooltip() {
        let sections = Sections::from([((3, 1), ("One", String::new()))]);
        let problems = |path: &str, line: String| citations(&file(path, &line), &sections).len();
        let api = "API";
        assert_eq!(problems("a.rs", format!("// {api} 3.1, published")), 0);
        assert_eq!(problems("a.rs", format!("// ({api} 3.2)")), 1);
        assert_eq!(problems("a.rs", format!("    /// As in {api} 3.1.")), 1);
        assert_eq!(problems("a.d.ts", format!(" * As in {api} 3.1.")), 1);
        assert_eq!(problems("a.py", format!("    \"\"\"As in {api} 3.1.\"\"\"")), 1);
        assert_eq!(problems("a.py", format!("    # {api} 3.1")), 0);
        assert_eq!(problems("tests/a.py", format!("assert x, \"{api} 3.1\"")), 0);
        assert_eq!(problems("a.md", format!("Open{api} 9.9, {api} 34")), 0);
    }

    #[test]
    fn a_statement_says_where_it_comes_from() {
        let problems = |text: &str| statements(&file("docs/api/a.md", text), &["pins_it"].into()).len();
        assert_eq!(problems("## 3.1 One\n- A fact. (specified)\n- Another\n  one. (published: pages)\n"), 0);
        assert_eq!(problems("## 3.1 One\n- A fact.\n- Another one. (specified)\n"), 1);
        assert_eq!(problems("## 3.1 One\n- Our choice (assumed, [notes](x.md): `pins_it`).\n"), 0);
        assert_eq!(problems("## 3.1 One\n- Our choice (assumed, [notes](x.md): `pins_nothing`).\n"), 1);
        assert_eq!(problems("## 3.1 One\n- Our choice (assumed).\n"), 1);
    }
}
