//! What the repository shows as GitHub's Markdown, for a renderer of plain Markdown: tabs for programs in several languages,
//! and links that lead to pages of the site or to the repository.

use std::fmt::Write as _;

/// The base address of files that are not pages.
const REPOSITORY: &str = "https://github.com/sondage/sondage/blob/main/";

/// The titles of tabs, by the word after the fence.
const LANGUAGES: [(&str, &str); 5] =
    [("python", "Python"), ("js", "Node.js"), ("kotlin", "Kotlin"), ("swift", "Swift"), ("rust", "Rust")];

/// The Markdown of a page, from a document of the repository.
pub fn plain(path: &str, text: &str, menu: &[&str]) -> String {
    let mut out = String::new();
    let mut programs: Vec<Vec<&str>> = Vec::new();
    let mut lines = text.lines();
    let mut before = "";
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let mut program = vec![line];
            program.extend(lines.by_ref().take_while(|line| *line != "```"));
            programs.push(program);
            continue;
        }
        if line.starts_with("<!--") && line.ends_with("-->") || line.is_empty() && !programs.is_empty() {
            continue;
        }
        close(&mut out, &mut programs);
        // GitHub begins a list or a table after a line of text, other renderers only after an empty one.
        let starts =
            starts_block(line) && !before.is_empty() && !starts_block(before) && !before.starts_with(' ');
        if starts {
            out.push('\n');
        }
        out.push_str(&links(path, line, menu));
        out.push('\n');
        before = line;
    }
    close(&mut out, &mut programs);
    out
}

fn starts_block(line: &str) -> bool {
    let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.starts_with("- ") || line.starts_with('|') || digits.len() < line.len() && digits.starts_with(". ")
}

/// Writes the programs that followed each other: as tabs, if each is in another language.
fn close(out: &mut String, programs: &mut Vec<Vec<&str>>) {
    let name = |program: &Vec<&str>| {
        let word = program[0].trim_start_matches('`');
        LANGUAGES.iter().find(|(language, _)| *language == word).map(|(_, name)| *name)
    };
    let names: Vec<_> = programs.iter().filter_map(name).collect();
    let is_repeated = names.iter().enumerate().any(|(at, name)| names[..at].contains(name));
    let are_tabs = programs.len() > 1 && names.len() == programs.len() && !is_repeated;
    for (at, program) in programs.drain(..).enumerate() {
        let indent = if are_tabs { "    " } else { "" };
        if are_tabs {
            let _ = write!(out, "=== \"{}\"\n\n", names[at]);
        }
        for line in program.into_iter().chain(["```"]) {
            let _ = writeln!(out, "{}{line}", if line.is_empty() { "" } else { indent });
        }
        out.push('\n');
    }
}

/// Links to files that are not pages lead to the repository.
fn links(from: &str, line: &str, menu: &[&str]) -> String {
    let mut parts = line.split("](");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (target, rest) = part.split_once(')').unwrap_or((part, ""));
        let (file, _) = target.split_once('#').unwrap_or((target, ""));
        let path = joined(from, file).replace(".ipynb", ".md");
        let is_page = file.is_empty() || menu.contains(&path.as_str()) || path.starts_with("docs/pictures/");
        let is_outside = target.contains(':') || !part.contains(')');
        let address = match (is_outside, is_page) {
            (true, _) => target.to_owned(),
            (false, true) => target.replace(".ipynb", ".md"),
            (false, false) => format!("{REPOSITORY}{path}"),
        };
        out.push_str("](");
        out.push_str(&address);
        if part.contains(')') {
            out.push(')');
        }
        out.push_str(rest);
    }
    out
}

/// A path that a document names, from the root of the repository.
fn joined(from: &str, file: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in file.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn programs_in_several_languages_are_tabs() {
        let text = "# A\n<!-- shows a.py -->\n```python\nif a:\n\n    b\n```\n\n<!-- shows a.mjs -->\n```js\na\n```\nText.\n```sh\nx\n```\n";
        let expected = "# A\n=== \"Python\"\n\n    ```python\n    if a:\n\n        b\n    ```\n\n=== \"Node.js\"\n\n    ```js\n    a\n    ```\n\n\
                        Text.\n```sh\nx\n```\n\n";
        assert_eq!(plain("docs/a.md", text, &[]), expected);
    }

    #[test]
    fn lists_and_tables_begin_after_an_empty_line() {
        assert_eq!(
            plain("a.md", "Text:\n- a\n  b\n- c\n\nT\n1. d\n", &[]),
            "Text:\n\n- a\n  b\n- c\n\nT\n\n1. d\n"
        );
    }

    #[test]
    fn links_lead_to_pages_or_to_the_repository() {
        let menu = ["README.md", "docs/b.md", "examples/n.md"];
        let of = |text: &str| plain("docs/a.md", text, &menu).trim_end().to_owned();
        for kept in [
            "[b](b.md#c), [d](#e) (f)",
            "[r](../README.md)",
            "[o](https://o.example/x)",
            "![p](pictures/p.png)",
        ] {
            assert_eq!(of(kept), kept);
        }
        assert_eq!(of("[n](../examples/n.ipynb)"), "[n](../examples/n.md)");
        let address = "https://github.com/sondage/sondage/blob/main/examples/first.py";
        assert_eq!(of("[x](../examples/first.py) y"), format!("[x]({address}) y"));
    }
}
