//! `cargo xtask site`: the documents as web pages. `docs/site_pages.py` writes plain Markdown below the target directory; Zensical
//! renders it with the menu and the settings of `docs/zensical.toml`. The pages load nothing from other sites.

mod methods;
mod reference;
mod references;

use crate::stage::Stage;
use crate::{Result, files, process, python, workspace};
use std::fs;

pub const STAGES: &[Stage] = &[Stage::check("site", "site", || run(false))];

/// A generated page: its path and its Markdown.
type Page = (String, String);

fn cell(docs: &str) -> String {
    sondage_openapi::prose::line(docs).replace('|', "\\|")
}

/// Builds the site, including the references that the languages' tools generate. A broken link and a document without a menu
/// entry are errors. The tests skip the tools, because they take minutes.
pub fn run(with_references: bool) -> Result {
    let (root, target) = (workspace::root(), workspace::target()?);
    let (source, site, generated) =
        (target.join("site-source"), target.join("site"), target.join("site-generated"));
    files::fresh(&source)?;
    files::fresh(&generated.join("reference"))?;
    let tools = python::environment(&target.join("site-tools"), "docs/site-requirements.txt")?;
    let references = target.join("site-references");
    let languages = if with_references {
        references::write(&references, &tools)?
    } else {
        references::NOT_WRITTEN.to_owned()
    };
    fs::write(generated.join("reference/languages.md"), languages)?;
    for (path, text) in reference::pages().into_iter().chain(methods::pages()) {
        fs::write(generated.join(path), text)?;
    }
    process::run(tools.python().arg(root.join("docs/site_pages.py")).args([&generated, &source]))?;
    process::run(tools.python().args(["-m", "zensical", "build", "--strict"]).current_dir(&source))?;
    files::fresh(&site)?;
    fs::remove_dir(&site)?;
    fs::rename(source.join("site"), &site)?;
    if with_references {
        fs::rename(&references, site.join(references::FOLDER))?;
        references::check_links(&site)?;
    }
    println!("to read the site: python3 -m http.server --directory {}", site.display());
    Ok(())
}
