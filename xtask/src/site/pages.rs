//! The documents that become pages, and their places in the menu.

use crate::Result;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The sections of the menu, and their documents in order. A document without a section is an error.
const PARTS: [(&str, &[&str]); 6] = [
    (
        "Start",
        &[
            "README.md",
            "python/README.md",
            "node/README.md",
            "kotlin/README.md",
            "swift/README.md",
            "crates/sondage/README.md",
            "docs/languages.md",
            "docs/python.md",
        ],
    ),
    (
        "Guides",
        &[
            "docs/connecting.md",
            "docs/doctor.md",
            "docs/panels.md",
            "docs/import.md",
            "docs/persons.md",
            "docs/surveys.md",
            "docs/distribution.md",
            "docs/invite.md",
            "docs/plans.md",
            "docs/interviews.md",
            "docs/tables.md",
            "docs/cookbook.md",
            "examples/notebooks/weighted_table.ipynb",
            "examples/notebooks/invited_panel.ipynb",
            "docs/webhooks.md",
            "docs/incentives.md",
            "docs/workflows.md",
            "docs/archive.md",
            "docs/once.md",
            "docs/reconcile.md",
            "docs/budget.md",
            "docs/trace.md",
            "docs/recording.md",
            "docs/migrating.md",
        ],
    ),
    (
        "Programs",
        &[
            "docs/command.md",
            "docs/console.md",
            "docs/mcp.md",
            "docs/deploying.md",
            "docs/apps.md",
            "docs/phones.md",
            "docs/login-on-phones.md",
            "docs/packages.md",
        ],
    ),
    ("Reference", &["docs/operations.md", "docs/parity.md", "docs/errors.md"]),
    ("The service", &["docs/api/README.md"]),
    (
        "The project",
        &[
            "docs/reliability.md",
            "docs/benchmarks.md",
            "docs/spec-notes.md",
            "docs/support.md",
            "docs/roadmap.md",
            "CHANGELOG.md",
            "ARCHITECTURE.md",
            "docs/tour.md",
            "docs/rust-api.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "bindings/uniffi/README.md",
        ],
    ),
];

/// Folders whose other documents belong to a section.
const FOLDERS: [(&str, &str); 2] = [("docs/api", "The service"), ("docs/internals", "The project")];

/// The location of a page.
#[derive(Clone, Debug)]
pub struct SitePlace {
    /// The document, from the root of the repository.
    pub path: String,
    /// The section of the menu.
    pub part: &'static str,
}

impl SitePlace {
    /// The file of the page. Links between documents stay unchanged except for the extension.
    pub fn output(&self) -> String {
        output(&self.path)
    }
}

/// Whether a file is a document.
pub fn is_document(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "md") || is_notebook(path)
}

pub fn is_notebook(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "ipynb")
}

pub fn output(path: &str) -> String {
    if let Some(folder) = path.strip_suffix("README.md") {
        return format!("{folder}index.html");
    }
    let name = path.strip_suffix(".md").or_else(|| path.strip_suffix(".ipynb"));
    name.map_or_else(|| path.to_owned(), |name| format!("{name}.html"))
}

/// The sections of the menu, in order.
pub fn parts() -> impl Iterator<Item = &'static str> {
    PARTS.iter().map(|(part, _)| *part)
}

/// All documents, in the order of the menu.
pub fn all(root: &Path) -> Result<Vec<SitePlace>> {
    let mut all = Vec::new();
    for (part, documents) in PARTS {
        all.extend(documents.iter().map(|path| SitePlace { path: (*path).to_owned(), part }));
        for (folder, _) in FOLDERS.iter().filter(|(_, of)| *of == part) {
            let mut found = documents_in(root, folder)?;
            found.retain(|path| all.iter().all(|place| place.path != *path));
            all.extend(found.into_iter().map(|path| SitePlace { path, part }));
        }
    }
    let known: BTreeSet<&str> = all.iter().map(|place| place.path.as_str()).collect();
    let lost: Vec<_> =
        documents_in(root, "docs")?.into_iter().filter(|path| !known.contains(path.as_str())).collect();
    if lost.is_empty() {
        Ok(all)
    } else {
        Err(format!("the menu of the site lacks {}", lost.join(", ")).into())
    }
}

/// The documents directly in a folder.
fn documents_in(root: &Path, folder: &str) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join(folder))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if is_document(&name) {
            found.push(format!("{folder}/{name}"));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{PARTS, output};

    #[test]
    fn each_language_has_a_start_page() {
        let (part, pages) = PARTS[0];
        assert_eq!(part, "Start");
        for folder in ["python", "node", "kotlin", "swift", "crates/sondage"] {
            assert!(pages.contains(&&*format!("{folder}/README.md")), "{folder}");
        }
    }

    #[test]
    fn a_page_is_where_its_document_is() {
        for (path, page) in [
            ("README.md", "index.html"),
            ("docs/api/README.md", "docs/api/index.html"),
            ("docs/once.md", "docs/once.html"),
            ("examples/first.py", "examples/first.py"),
        ] {
            assert_eq!(output(path), page);
        }
    }
}
