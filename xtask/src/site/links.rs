//! Links of the references, which the languages' tools write: each leads to a file, and to a part of it that exists.

use crate::Result;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Links that a tool writes without a target; they become text. rustdoc copies the documentation of traits of other crates with
/// links that only resolve in those crates. pdoc links each name that it knows, including names that it does not show.
fn is_unresolved(reference: &str, address: &str) -> bool {
    match reference {
        "rust" => address.contains("::") || address == "dispatcher#setting-the-default-subscriber",
        "python" => address.starts_with('#') && address.contains('.'),
        _ => false,
    }
}

/// Pages that redirect are smaller than this, in bytes. Larger ones are not searched for a redirection.
const REDIRECT: usize = 2_000;

/// Checks a reference, and returns the number of its links.
pub fn check(folder: &Path, reference: &str) -> Result<usize> {
    let mut pages = BTreeMap::new();
    read(folder, &mut pages)?;
    let anchors: BTreeMap<&Path, BTreeSet<&str>> =
        pages.iter().map(|(path, text)| (path.as_path(), anchors(text))).collect();
    let leads_nowhere = |page: &Path, address: &str| {
        let (path, anchor) = address.split_once('#').unwrap_or((address, ""));
        let path = path.split('?').next().unwrap_or_default();
        let mut target = if path.is_empty() { page.to_owned() } else { joined(page, path) };
        if target.is_dir() {
            target.push("index.html");
        }
        // rustdoc redirects from the module of an item to where it is exported, and keeps the anchor.
        let redirect = pages
            .get(&target)
            .filter(|text| text.len() < REDIRECT)
            .and_then(|text| text.split_once("\"0;URL=")?.1.split('"').next());
        if let Some(other) = redirect {
            target = joined(&target, other);
        }
        let is_absent = |known: &BTreeSet<&str>| !anchor.is_empty() && !known.contains(anchor);
        match anchors.get(target.as_path()) {
            // rustdoc's script shows the lines of a source.
            Some(known) => is_absent(known) && !anchor.starts_with(|c: char| c.is_ascii_digit()),
            None => !target.exists(),
        }
    };
    let (mut count, mut broken) = (0, BTreeSet::new());
    for (page, text) in &pages {
        let (mut out, mut rest) = (String::with_capacity(text.len()), text.as_str());
        while let Some((before, address, content, after)) = next_link(rest) {
            count += 1;
            out.push_str(before);
            let here = !address.contains(':') || address.contains("::");
            if here && leads_nowhere(page, address) {
                if !is_unresolved(reference, address) {
                    broken.insert(format!("{}: {address}", page.display()));
                }
                out.push_str(content);
            } else {
                out.push_str(&rest[before.len()..rest.len() - after.len()]);
            }
            rest = after;
        }
        if out.len() + rest.len() != text.len() {
            fs::write(page, out + rest)?;
        }
    }
    if broken.is_empty() {
        return Ok(count);
    }
    let shown: Vec<_> = broken.iter().take(20).map(String::as_str).collect();
    Err(format!("{} broken links of the reference:\n  {}", broken.len(), shown.join("\n  ")).into())
}

fn read(folder: &Path, pages: &mut BTreeMap<PathBuf, String>) -> Result {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            read(&path, pages)?;
        } else if path.extension().is_some_and(|end| end == "html") {
            let text = fs::read_to_string(&path)?;
            pages.insert(path, text);
        }
    }
    Ok(())
}

fn anchors(text: &str) -> BTreeSet<&str> {
    let values = |name| text.split(name).skip(1).filter_map(|rest| rest.split('"').next());
    values(" id=\"").chain(values(" name=\"")).collect()
}

/// The path of a link on a page, without `.` and `..`.
fn joined(page: &Path, link: &str) -> PathBuf {
    let mut path = page.parent().unwrap_or(page).to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}

/// The text before the next link, its address, its content, and the rest. Scripts contain no links.
fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let mut from = 0;
    loop {
        let rest = &text[from..];
        let start = rest.find("<a ")?;
        if let Some(script) = rest[..start].find("<script") {
            from += script + rest[script..].find("</script>")?;
            continue;
        }
        let start = from + start;
        let tag = start + text[start..].find('>')? + 1;
        let end = tag + text[tag..].find("</a>")?;
        let address = text[start..tag].split_once("href=\"").and_then(|(_, rest)| rest.split('"').next());
        match address {
            Some(address) => {
                return Some((&text[..start], address, &text[tag..end], &text[end + "</a>".len()..]));
            }
            None => from = tag,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_without_a_target_is_found_or_becomes_text() {
        let folder = std::env::temp_dir().join(format!("sondage-site-links-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        let page = folder.join("sub/page.html");
        fs::write(folder.join("index.html"), "<h1 id=\"top\">").unwrap();
        let moved = "<meta http-equiv=\"refresh\" content=\"0;URL=sub/../index.html\">";
        fs::write(folder.join("moved.html"), moved).unwrap();
        for (text, broken) in [
            ("<a href=\"../index.html#top\">a</a> <a class=\"x\" href=\"https://example.com\">b</a>", false),
            ("<a href=\"..\">a</a> <a id=\"here\"></a> <a href=\"#here\">b</a>", false),
            ("<script>'<a href=\"none.html\">'</script><a href=\"../index.html\">a</a>", false),
            ("<a href=\"../moved.html#top\">a</a>", false),
            ("<a href=\"../moved.html#bottom\">a</a>", true),
            ("<a href=\"none.html\">a</a>", true),
            ("<a href=\"../index.html#bottom\">a</a>", true),
        ] {
            fs::write(&page, text).unwrap();
            assert_eq!(check(&folder, "rust").is_err(), broken, "{text}");
        }
        fs::write(&page, "It is a <a href=\"super::Subscriber\">subscriber</a>.").unwrap();
        assert_eq!(check(&folder, "rust").unwrap(), 1);
        assert_eq!(fs::read_to_string(&page).unwrap(), "It is a subscriber.");
        fs::remove_dir_all(folder).unwrap();
    }
}
