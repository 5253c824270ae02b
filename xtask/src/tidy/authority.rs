//! Rules about `docs/api`, the project's account of the service, and about citations of it.
//!
//! A citation is the word `API` and the number of a section. It must name an existing section, and must not be in a doc
//! comment, because doc comments become tooltips in five languages.

use super::{File, Problems};
use sondage::operation::Source;
use sondage::operations;
use std::collections::BTreeMap;

const FOLDER: &str = "docs/api/";

/// The maximum number of lines in a chapter, so that it can be read in one sitting.
const LONGEST: usize = 300;

/// The marks that name the source of a statement, or mark it as an assumption.
const MARKS: [&str; 5] = ["(specified)", "(published: ", "(assumed", "not known", "not specified"];

/// A section: its title and its text.
struct DocSection<'a> {
    title: &'a str,
    text: String,
}

type Sections<'a> = BTreeMap<(u32, u32), DocSection<'a>>;

pub fn rules(files: &[File]) -> Problems {
    let mut problems = Problems::new();
    let chapters: Vec<&File> = files.iter().filter(|file| file.path.starts_with(FOLDER)).collect();
    let tests: Vec<&str> =
        files.iter().filter(|file| file.is_code()).flat_map(super::docs::names_of_tests).collect();
    let mut sections = Sections::new();
    for chapter in chapters {
        problems.extend(statements(chapter, &tests));
        read(chapter, &mut sections, &mut problems);
    }
    for file in files {
        problems.extend(citations(file, &sections));
    }
    problems.extend(operations(&sections));
    problems
}

/// The sections of a chapter, numbered one after the other.
fn read<'a>(file: &'a File, sections: &mut Sections<'a>, problems: &mut Problems) {
    let mut current = None;
    let mut last = None;
    for (number, line) in file.lines() {
        if let Some((at, title)) = line.strip_prefix("## ").and_then(heading) {
            let due = last.map_or((at.0, 1), |(chapter, section)| (chapter, section + 1));
            if at != due {
                problems.push(format!("{}:{number}: section {}.{} is due here", file.path, due.0, due.1));
            }
            if sections.insert(at, DocSection { title, text: String::new() }).is_some() {
                problems.push(format!("{}:{number}: there is another section {}.{}", file.path, at.0, at.1));
            }
            (current, last) = (Some(at), Some(at));
        } else if let Some(section) = current.and_then(|at| sections.get_mut(&at)) {
            section.text.push_str(line);
            section.text.push('\n');
        }
    }
}

/// `3.6 ReadMemberList`
fn heading(text: &str) -> Option<((u32, u32), &str)> {
    let (number, title) = text.split_once(' ')?;
    let (chapter, section) = number.split_once('.')?;
    Some(((chapter.parse().ok()?, section.parse().ok()?), title))
}

/// Each statement in a list has a mark, and an assumption names existing tests.
fn statements(file: &File, tests: &[&str]) -> Problems {
    let mut problems = Problems::new();
    let length = file.text.lines().count();
    if length > LONGEST {
        problems.push(format!("{}: {length} lines; a chapter has at most {LONGEST}", file.path));
    }
    for statement in file.text.split("\n- ").skip(1) {
        let statement = statement.split("\n\n").next().unwrap_or_default();
        let first = statement.lines().next().unwrap_or_default();
        if !MARKS.iter().any(|mark| statement.contains(mark)) {
            problems.push(format!("{}: `{first}` does not say where it comes from", file.path));
        }
        for assumed in statement.split("(assumed").skip(1) {
            let names: Vec<&str> = assumed.split('`').skip(1).step_by(2).collect();
            if names.is_empty() {
                problems.push(format!("{}: `{first}` is assumed and names no test", file.path));
            }
            for name in names.iter().filter(|name| !tests.contains(name)) {
                problems.push(format!("{}: there is no test {name}", file.path));
            }
        }
    }
    problems
}

/// Each citation names a section, is not in a tooltip, and has the standard form.
fn citations(file: &File, sections: &Sections<'_>) -> Problems {
    let mut problems = Problems::new();
    let locked = file.extension() == "lock";
    for (number, line) in file.lines().filter(|_| !locked) {
        let mut problem = |what: String| problems.push(format!("{}:{number}: {what}", file.path));
        for (chapter, section) in cited(line) {
            if !sections.contains_key(&(chapter, section)) {
                problem(format!("docs/api has no section {chapter}.{section}"));
            }
            if is_documentation(file, line) {
                problem(
                    "a citation in a documentation comment: put it into an ordinary comment below".into(),
                );
            }
        }
        if is_old(line) && !file.path.starts_with(FOLDER) {
            problem("cite a section of docs/api instead (docs/api/README.md)".into());
        }
    }
    problems
}

/// The sections that a line cites: the word, a blank, and two numbers with a point between them.
fn cited(line: &str) -> impl Iterator<Item = (u32, u32)> {
    after(line, "API ").filter_map(|rest| {
        let (chapter, rest) = rest.split_once('.')?;
        let section: String = rest.chars().take_while(char::is_ascii_digit).collect();
        Some((chapter.parse().ok()?, section.parse().ok()?))
    })
}

/// The text after each occurrence of a whole word.
fn after<'a>(line: &'a str, word: &str) -> impl Iterator<Item = &'a str> {
    let whole = |at: &usize| !line[..*at].ends_with(|c: char| c.is_alphanumeric());
    line.match_indices(word).map(|(at, _)| at).filter(whole).map(move |at| &line[at + word.len()..])
}

/// Forbidden citations: sections of the specification, which is not in this repository, and marks without a section.
fn is_old(line: &str) -> bool {
    let numbered = |word| after(line, word).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    numbered("spec ") || numbered("Spec ") || line.contains(concat!("(publ", "ished)"))
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
        let Some((at, section)) = sections.iter().find(|(_, section)| section.title == row.name) else {
            problems.push(format!("{FOLDER}: no section is about {}", row.name));
            continue;
        };
        let paths = std::iter::once(&row.path).chain(row.fallback_paths).map(|path| format!("`POST {path}`"));
        let fields = row.request.fields.iter().chain(row.response.fields);
        let fields = fields.map(|field| format!("`{}`", field.wire));
        for what in paths.chain(fields).filter(|what| !section.text.contains(what)) {
            problems.push(format!("{FOLDER}: the section {} lacks {what}", row.name));
        }
        let mark = if row.source == Source::Spec { "specified" } else { "published" };
        let own = format!("API {}.{}, {mark}", at.0, at.1);
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

    fn sections(chapter: &File) -> (Sections<'_>, Problems) {
        let (mut sections, mut problems) = (Sections::new(), Problems::new());
        read(chapter, &mut sections, &mut problems);
        (sections, problems)
    }

    #[test]
    fn sections_are_numbered_one_after_the_other() {
        assert!(sections(&file("docs/api/a.md", "# 3. A\n## 3.1 One\n## 3.2 Two\n")).1.is_empty());
        assert_eq!(sections(&file("docs/api/a.md", "## 3.1 One\n## 3.3 Two\n")).1.len(), 1);
        assert_eq!(sections(&file("docs/api/a.md", "## 3.1 One\n## 3.1 Two\n")).1.len(), 2);
    }

    #[test]
    fn a_citation_names_a_section_and_is_no_tooltip() {
        let chapter = file("docs/api/a.md", "## 3.1 One\n");
        let (sections, _) = sections(&chapter);
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
    fn the_old_forms_are_refused() {
        let old = |line: String| is_old(&line);
        assert!(old(format!("// ({} 5.4)", "spec")) && old(format!("// {} 5", "Spec")));
        assert!(old(format!("/// A field ({}).", "published")));
        assert!(!old(format!("docs/{}-notes.md, {}ification 5", "spec", "spec")));
    }

    #[test]
    fn a_statement_says_where_it_comes_from() {
        let problems = |text: &str| statements(&file("docs/api/a.md", text), &["pins_it"]).len();
        assert_eq!(problems("## 3.1 One\n- A fact. (specified)\n- Another\n  one. (published: pages)\n"), 0);
        assert_eq!(problems("## 3.1 One\n- A fact.\n- Another one. (specified)\n"), 1);
        assert_eq!(problems("## 3.1 One\n- Our choice (assumed, [notes](x.md): `pins_it`).\n"), 0);
        assert_eq!(problems("## 3.1 One\n- Our choice (assumed, [notes](x.md): `pins_nothing`).\n"), 1);
        assert_eq!(problems("## 3.1 One\n- Our choice (assumed).\n"), 1);
    }
}
