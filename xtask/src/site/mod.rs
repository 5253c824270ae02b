//! `cargo xtask site`: the documents as web pages. This step writes plain Markdown below the target directory; Zensical renders
//! it with the menu and the settings of `docs/zensical.toml`. The pages load nothing from other sites.

mod markdown;
mod methods;
mod notebook;
mod reference;
mod references;

use crate::stage::Stage;
use crate::{Result, files, process, python, workspace};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

pub const STAGES: &[Stage] = &[Stage::check("site", "site", || run(false))];

const CONFIGURATION: &str = "docs/zensical.toml";
const REQUIREMENTS: &str = "docs/site-requirements.txt";
const PICTURES: &str = "docs/pictures";
const STYLE: &str = "docs/site.css";

/// A generated page: its path and its Markdown.
type Page = (String, String);

/// Builds the site, including the references that the languages' tools generate. A broken link and a document without a menu
/// entry are errors. The tests skip the tools, because they take minutes.
pub fn run(with_references: bool) -> Result {
    let (root, target) = (workspace::root(), workspace::target()?);
    let (source, site) = (target.join("site-source"), target.join("site"));
    files::fresh(&source)?;
    files::fresh(&site)?;
    let references = target.join("site-references");
    let languages =
        if with_references { references::write(&references)? } else { references::NOT_WRITTEN.to_owned() };
    let mut pages = vec![("reference/languages.md".to_owned(), languages)];
    pages.extend(reference::pages());
    pages.extend(methods::pages());

    let configuration = fs::read_to_string(root.join(CONFIGURATION))?;
    let menu: Vec<&str> =
        configuration.split('"').skip(1).step_by(2).filter(|word| is_markdown(word)).collect();
    for path in &menu {
        if pages.iter().all(|(generated, _)| generated != path) {
            pages.push(((*path).to_owned(), document(root, path)?));
        }
    }
    without_entry(root, &menu, &pages)?;

    write(&source.join("zensical.toml"), &configuration)?;
    for (path, text) in &pages {
        write(&source.join("pages").join(path), &markdown::plain(path, text, &menu))?;
    }
    files::copy(&root.join(PICTURES), &source.join("pages").join(PICTURES), None)?;
    fs::copy(root.join(STYLE), source.join("pages").join(STYLE))?;
    let tools = python::environment(&target.join("site-tools"), REQUIREMENTS)?;
    let mut zensical = tools.python();
    process::run(zensical.args(["-m", "zensical", "build", "--strict"]).current_dir(&source))?;
    fs::remove_dir(&site)?;
    fs::rename(source.join("site"), &site)?;
    write(&site.join("llms.txt"), &overview(&menu, &pages))?;
    let texts: Vec<String> =
        pages.iter().map(|(path, text)| format!("<!-- {path} -->\n{}\n", text.trim())).collect();
    write(&site.join("llms-full.txt"), &texts.join("\n"))?;
    if with_references {
        fs::rename(&references, site.join(references::FOLDER))?;
        references::check_links(&site)?;
    }
    println!("{} pages; to read them: python3 -m http.server --directory {}", pages.len(), site.display());
    Ok(())
}

fn is_markdown(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "md")
}

/// The Markdown of a document of the repository.
fn document(root: &Path, path: &str) -> Result<String> {
    let notebook = Path::new(path).with_extension("ipynb");
    if root.join(&notebook).exists() {
        return notebook::markdown(&fs::read_to_string(root.join(notebook))?);
    }
    fs::read_to_string(root.join(path)).map_err(|error| format!("{CONFIGURATION}: {path}: {error}").into())
}

/// A document or generated page that the menu lacks is an error.
fn without_entry(root: &Path, menu: &[&str], pages: &[Page]) -> Result {
    let mut paths: Vec<String> = pages.iter().map(|(path, _)| path.clone()).collect();
    for folder in ["docs", "docs/api", "docs/internals"] {
        for entry in fs::read_dir(root.join(folder))? {
            paths.push(format!("{folder}/{}", entry?.file_name().to_string_lossy()));
        }
    }
    paths.retain(|path| is_markdown(path) && !menu.contains(&path.as_str()));
    if paths.is_empty() {
        Ok(())
    } else {
        Err(format!("the menu of {CONFIGURATION} lacks {}", paths.join(", ")).into())
    }
}

/// `llms.txt`: the title and the address of each page.
fn overview(menu: &[&str], pages: &[Page]) -> String {
    let mut out = String::from("# sondage\n\n");
    for path in menu {
        let text = pages.iter().find(|(page, _)| page == path).map_or("", |(_, text)| text);
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(path);
        let _ =
            writeln!(out, "- [{title}]({})", path.replace("README.md", "index.html").replace(".md", ".html"));
    }
    out
}

fn write(file: &Path, text: &str) -> Result {
    fs::create_dir_all(file.parent().ok_or("a file has a folder")?)?;
    Ok(fs::write(file, text)?)
}
