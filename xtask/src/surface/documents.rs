//! Embeds programs in documents: each is a file that the tests run, or some lines of one.
//!
//! A code block after `<!-- shows examples/first.py -->` is that file, and one after `<!-- shows examples/first.py from
//! "client =" to "print" -->` is the range from the first line with the one text to the next with the other, both
//! included. After `<!-- shows examples/guides.rs from "fn main" to its end -->` the range ends where the first line's brace
//! is closed.

use super::{Generated, tables};
use crate::{Result, files, workspace};
use std::fs;

const SHOWS: &str = "<!-- shows ";

/// The README, those of the languages, the first page of Swift's reference, and everything in `docs/`, up to date.
pub fn files() -> Result<Vec<Generated>> {
    let root = workspace::root();
    let folders = ["", "bindings/uniffi/", "kotlin/", "node/", "python/", "swift/"];
    let mut paths = folders.map(|folder| format!("{folder}README.md")).to_vec();
    paths.push("swift/Sources/Sondage/Sondage.docc/Sondage.md".to_owned());
    for page in files::all(&root.join("docs"))?.iter().filter(|page| files::has_extension(page, "md")) {
        paths.push(page.strip_prefix(root)?.to_string_lossy().replace('\\', "/"));
    }
    paths.sort();
    let read = |path: &str| Ok(fs::read_to_string(root.join(path))?);
    let fresh = |path: &str| show(&tables::fresh(path, read(path)?)?, read);
    let whole = |path: String| {
        let text = fresh(&path).map_err(|error| format!("{path}: {error}"))?;
        Ok(Generated { text, path: path.into() })
    };
    paths.into_iter().map(whole).collect()
}

fn show(text: &str, read: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut parts = text.split(SHOWS);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let lost = || format!("no block of code follows `{SHOWS}{part:.40}`");
        let (what, rest) = part.split_once(" -->\n```").ok_or_else(lost)?;
        let (language, rest) = rest.split_once('\n').ok_or_else(lost)?;
        let (_, after) = rest.split_once("```").ok_or_else(lost)?;
        let code = code(what, &read)?;
        out.extend([SHOWS, what, " -->\n```", language, "\n", &code, "```", after]);
    }
    Ok(out)
}

/// The range of a marker: a whole file, `path from "text" to "text"`, or `path from "text" to its end`.
fn code(what: &str, read: impl Fn(&str) -> Result<String>) -> Result<String> {
    let (path, first, last) = match what.split('"').collect::<Vec<_>>()[..] {
        [path] => return read(path),
        [path, first, " to ", last, ""] => (path.trim_end_matches(" from "), first, Some(last)),
        [path, first, " to its end"] => (path.trim_end_matches(" from "), first, None),
        _ => return Err(format!("`{SHOWS}{what}` is not understood").into()),
    };
    let end = last.unwrap_or("its end");
    let lines = between(&read(path)?, first, last);
    Ok(lines.ok_or_else(|| format!("{path} has no lines from `{first}` to `{end}`"))?)
}

/// The lines without their common indentation. Without `last` they end with the brace that is closed at the margin of the first.
fn between(text: &str, first: &str, last: Option<&str>) -> Option<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<_> = text.lines().collect();
    let begin = lines.iter().position(|line| line.contains(first))?;
    let margin = indent(lines[begin]);
    let ends = |line: &str| match last {
        Some(last) => line.contains(last),
        None => indent(line) == margin && line.trim_start().starts_with('}'),
    };
    let end = begin + lines[begin..].iter().position(|line| ends(line))?;
    let lines = &lines[begin..=end];
    let written = lines.iter().filter(|line| !line.trim().is_empty());
    let margin = written.map(|line| indent(line)).min()?;
    Some(lines.iter().flat_map(|line| [line.get(margin..).unwrap_or_default(), "\n"]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_not_found_is_an_error() {
        let read = |_: &str| Ok("start\n    one\n\n        two\n    three\nend\n".to_owned());
        let shown =
            |marker: &str, block: &str| format!("a\n<!-- shows {marker} -->\n```python\n{block}```\nb\n");
        let marker = "x.py from \"one\" to \"three\"";
        assert_eq!(show(&shown(marker, "old\n"), read).unwrap(), shown(marker, "one\n\n    two\nthree\n"));
        for wrong in ["x.py from \"one\" to \"four\"", "x.py from \"one\""] {
            assert!(show(&shown(wrong, ""), read).is_err());
        }
        assert!(show("a\n<!-- shows x.py -->\nno block\n", read).is_err());
    }
}
