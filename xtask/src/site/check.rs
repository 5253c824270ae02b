//! Checks of the site: every link has a target, and every program is tested.

use super::markdown::SitePage;
use crate::workspace;
use std::collections::{BTreeMap, BTreeSet};

/// The target of a link.
#[derive(Debug)]
pub enum Link {
    /// Another page, or a part of one. The anchor is empty for the page itself.
    Page { path: String, anchor: String },
    /// A file of the repository that is not a page.
    File(String),
    /// An external address.
    Outside(String),
}

/// Languages whose programs are tested.
const LANGUAGES: [&str; 7] = ["js", "kotlin", "py", "python", "rust", "swift", "ts"];

/// How many code blocks of a page are not from tested files: fragments of one or two calls that need no surrounding code. Rust
/// blocks of a README are tested as its documentation. These numbers may only fall.
const FRAGMENTS: [(&str, usize); 9] = [
    // Parts of the library, in its recipes.
    ("CONTRIBUTING.md", 4),
    ("README.md", 2),
    // A test of the crate's documentation.
    ("crates/sondage/README.md", 1),
    ("docs/connecting.md", 1),
    ("docs/errors.md", 1),
    ("docs/python.md", 4),
    ("docs/tour.md", 1),
    ("docs/trace.md", 4),
    ("docs/webhooks.md", 3),
];

/// The problems found.
pub fn all(pages: &[SitePage]) -> Vec<String> {
    let anchors: BTreeMap<&str, BTreeSet<&str>> = pages
        .iter()
        .map(|page| {
            let anchors = page.headings.iter().map(|(anchor, _)| anchor.as_str());
            (page.place.path.as_str(), anchors.collect())
        })
        .collect();
    let mut problems = Vec::new();
    for page in pages {
        let here = &page.place.path;
        for link in &page.links {
            match link {
                Link::Page { path, anchor } => match anchors.get(path.as_str()) {
                    None if workspace::root().join(path).exists() => {}
                    None => problems.push(format!("{here}: there is no {path}")),
                    Some(known) if anchor.is_empty() || known.contains(anchor.as_str()) => {}
                    Some(_) => problems.push(format!("{here}: {path} has no part #{anchor}")),
                },
                Link::File(path) if workspace::root().join(path).exists() => {}
                Link::File(path) => problems.push(format!("{here}: there is no {path}")),
                Link::Outside(address) if address.contains(char::is_whitespace) => {
                    problems.push(format!("{here}: {address} is no address"));
                }
                Link::Outside(_) => {}
            }
        }
        let fragments = page
            .programs
            .iter()
            .filter(|(language, shows, _)| !shows && LANGUAGES.contains(&language.as_str()));
        let known = FRAGMENTS.iter().find(|(path, _)| path == here).map_or(0, |(_, most)| *most);
        let first: Vec<_> = fragments.map(|(_, _, first)| first.as_str()).collect();
        if first.len() != known {
            problems.push(format!(
                "{here}: {} programs show no tested file, and {known} may: {}",
                first.len(),
                first.join(" | ")
            ));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::pages::SitePlace;

    fn problems(text: &str) -> Vec<String> {
        let place = SitePlace { path: "docs/a.md".to_owned(), part: "Guides" };
        all(&[SitePage::new(place, &format!("# A\nText.\n\n{text}\n")).unwrap()])
    }

    #[test]
    fn what_leads_nowhere_and_what_was_not_run_is_found() {
        for good in
            ["[a](#a)", "[it](../README.md)", "[it](../examples/first.py)", "<!-- shows x -->\n```js\na\n```"]
        {
            assert!(problems(good).is_empty(), "{good}: {:?}", problems(good));
        }
        for bad in ["[a](#b)", "[a](b.md)", "[a](../examples/none.py)", "```js\na\n```"] {
            assert_eq!(problems(bad).len(), 1, "{bad}");
        }
    }
}
