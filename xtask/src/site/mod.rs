//! `cargo xtask site`: the documents as web pages, with a reference generated from the tables and a search. Nothing is loaded
//! from other sites, so it works without a network and from a folder.

mod check;
mod links;
mod markdown;
mod methods;
mod notebook;
mod pages;
mod reference;
mod references;
mod search;
mod shell;

use crate::stage::{Stage, TestCounts};
use crate::{Result, workspace};
use markdown::SitePage;
use std::fs;
use std::path::PathBuf;

pub const STAGES: &[Stage] =
    &[Stage { group: "site", name: "site", run: || run(false).map(|()| TestCounts::PASSED) }];

/// The pictures, made by `cargo xtask pictures`.
const PICTURES: &str = "docs/pictures";
const SCRIPT: &str = include_str!("site.js");

/// Builds the site below the target directory, including the references that the languages' tools generate. A broken link, a
/// document without a menu entry, and an untested program are errors. The tests skip the tools, because they take minutes.
pub fn run(with_references: bool) -> Result {
    let root = workspace::root();
    let mut pages = Vec::new();
    for place in pages::all(root)? {
        let mut text = fs::read_to_string(root.join(&place.path))?;
        if pages::is_notebook(&place.path) {
            text = notebook::markdown(&place.path, &text)?;
        }
        pages.push(SitePage::new(place, &text)?);
    }
    pages.extend(reference::pages()?);
    pages.extend(methods::pages()?);
    let problems = check::all(&pages);
    if !problems.is_empty() {
        return Err(format!("{} problems of the site:\n  {}", problems.len(), problems.join("\n  ")).into());
    }
    let folder = folder()?;
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    if with_references {
        pages.push(references::write(&folder)?);
    }
    let put = |name: &str, text: &str| -> Result {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().ok_or("a page has a folder")?)?;
        Ok(fs::write(file, text)?)
    };
    for (number, page) in pages.iter().enumerate() {
        put(&page.place.output(), &shell::document(&pages, number))?;
    }
    put("style.css", &format!("{}{}", sondage_openapi::STYLE, shell::STYLE))?;
    put("site.js", SCRIPT)?;
    put("search.js", &search::index(&pages)?)?;
    put("llms.txt", &search::overview(&pages))?;
    put("llms-full.txt", &search::everything(&pages))?;
    for picture in fs::read_dir(root.join(PICTURES))? {
        let picture = picture?;
        fs::create_dir_all(folder.join(PICTURES))?;
        fs::copy(picture.path(), folder.join(PICTURES).join(picture.file_name()))?;
    }
    println!(
        "{} pages, every link and program checked: {}",
        pages.len(),
        folder.join("index.html").display()
    );
    Ok(())
}

fn folder() -> Result<PathBuf> {
    Ok(workspace::target()?.join("site"))
}
