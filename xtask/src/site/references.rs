//! The references that the languages' own tools write, from the same documentation: folders of the site below `api`.

use super::markdown::SitePage;
use super::pages::SitePlace;
use crate::stage::Missing;
use crate::{Result, kotlin, node, process, python, swift, workspace};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the site with all of them.
pub const FOLDER: &str = "api";

/// The packages of npm that write the reference of Node.js. They are installed apart from what the tests use.
const TYPEDOC: [&str; 3] = ["typedoc@0.28.20", "typescript@5.9.3", "@types/node@24.10.1"];

/// A reference by a language's own tool.
struct LanguageReference {
    language: &'static str,
    tool: &'static str,
    folder: &'static str,
    /// Its first page.
    start: &'static str,
    /// Writes it into an empty folder.
    write: fn(&Path) -> Result,
}

const ALL: [LanguageReference; 5] = [
    LanguageReference {
        language: "Rust",
        tool: "rustdoc",
        folder: "rust",
        start: "sondage/index.html",
        write: rust,
    },
    LanguageReference {
        language: "Python",
        tool: "pdoc",
        folder: "python",
        start: "sondage.html",
        write: pdoc,
    },
    LanguageReference {
        language: "Node.js",
        tool: "TypeDoc",
        folder: "node",
        start: "index.html",
        write: typedoc,
    },
    LanguageReference {
        language: "Kotlin",
        tool: "Dokka",
        folder: "kotlin",
        start: "index.html",
        write: dokka,
    },
    LanguageReference {
        language: "Swift",
        tool: "DocC",
        folder: "swift",
        start: "documentation/sondage/",
        write: docc,
    },
];

/// Writes those whose toolchain is there into the folder of the site, and returns the page that leads to them.
pub fn write(site: &Path) -> Result<SitePage> {
    let mut text = String::from(
        "# References by the languages' tools\n\nThe same documentation, as each language's own tool writes it.\n\n\
         | language | tool | reference |\n|---|---|---|\n",
    );
    for reference in &ALL {
        let folder = site.join(FOLDER).join(reference.folder);
        fs::create_dir_all(&folder)?;
        let (language, tool) = (reference.language, reference.tool);
        println!("the reference of {language}, by {tool}");
        match (reference.write)(&folder) {
            Ok(()) => offline(&folder)?,
            Err(error) if error.is::<Missing>() && !workspace::is_ci() => {
                println!("{error}");
                let _ = writeln!(text, "| {language} | {tool} | not written: its toolchain was missing |");
                continue;
            }
            Err(error) => return Err(error),
        }
        let first = folder.join(reference.start);
        if !first.exists() {
            return Err(format!("{tool} has written no {}", first.display()).into());
        }
        let address = format!("../{FOLDER}/{}/{}", reference.folder, reference.start);
        let _ = writeln!(text, "| {language} | {tool} | <a href=\"{address}\">{language}</a> |");
    }
    text.push_str(
        "\nThe reference of Swift is read from a server, because its pages load their text: \
         `python3 -m http.server --directory target/site`. The others, and all other pages, can be read from the folder.\n",
    );
    SitePage::new(SitePlace { path: "reference/languages.md".to_owned(), part: "Reference" }, &text)
}

/// What users of the crates see.
fn rust(folder: &Path) -> Result {
    let made = workspace::target()?.join("doc");
    // There may be that of `lint`, with what is private.
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    let mut cargo = workspace::cargo();
    cargo.args(["doc", "--lib", "--no-deps", "--quiet"]);
    for package in ["sondage", "sondage-data", "sondage-sandbox"] {
        cargo.args(["--package", package]);
    }
    process::run(&mut cargo)?;
    copied(&made, folder)
}

fn pdoc(folder: &Path) -> Result {
    python::install()?;
    let mut pdoc = python::ready()?.python();
    // It warns of names in annotations that only type checkers see.
    pdoc.args(["-W", "ignore"]).arg(workspace::root().join("xtask/src/site/python_reference.py"));
    process::run(pdoc.arg(folder))
}

fn typedoc(folder: &Path) -> Result {
    let modules = workspace::target()?.join("site-node");
    if !modules.join("node_modules/typedoc").exists() {
        fs::create_dir_all(&modules)?;
        fs::write(modules.join("package.json"), "{ \"private\": true }\n")?;
        let mut npm = node::program("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--silent"]).args(TYPEDOC);
        process::run(npm.current_dir(&modules))?;
    }
    let package = workspace::root().join("node");
    let entries: Vec<PathBuf> = ["index", "testing", "diagnostics", "opentelemetry"]
        .map(|name| package.join(name).with_extension("d.ts"))
        .into();
    let settings = serde_json::json!({
        "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "skipLibCheck": true,
                             "types": ["node"], "typeRoots": [modules.join("node_modules/@types")] },
        "files": entries,
    });
    let file = modules.join("tsconfig.json");
    fs::write(&file, settings.to_string())?;
    let mut typedoc = node::node();
    typedoc.arg(modules.join("node_modules/typedoc/bin/typedoc")).arg("--tsconfig").arg(file);
    typedoc.args([
        "--name",
        "sondage",
        "--readme",
        "none",
        "--disableSources",
        "--logLevel",
        "Error",
        "--out",
    ]);
    process::run(typedoc.arg(folder).args(entries))
}

fn dokka(folder: &Path) -> Result {
    copied(&kotlin::reference()?, folder)
}

fn docc(folder: &Path) -> Result {
    swift::reference(folder, &format!("/{FOLDER}/swift"))
}

fn copied(from: &Path, to: &Path) -> Result {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let there = to.join(entry.file_name());
        if entry.path().is_dir() {
            copied(&entry.path(), &there)?;
        } else {
            fs::copy(entry.path(), there)?;
        }
    }
    Ok(())
}

/// Takes out what a page would load from elsewhere: Dokka's pages name a playground, and its style fonts.
fn offline(folder: &Path) -> Result {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            offline(&path)?;
            continue;
        }
        let ours = match path.extension().and_then(|end| end.to_str()) {
            Some("html") => without(&fs::read_to_string(&path)?, "<script", "</script>", "src=\"https://"),
            Some("css") => {
                let style = without(&fs::read_to_string(&path)?, "@import", ";", "https://");
                without(&style, "@font-face", "}", "https://")
            }
            _ => continue,
        };
        fs::write(&path, ours)?;
    }
    Ok(())
}

/// The text without the parts between two marks that contain some words.
fn without(text: &str, start: &str, end: &str, words: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(start) {
        let Some(length) = rest[at..].find(end).map(|length| length + end.len()) else { break };
        let part = &rest[at..at + length];
        out.push_str(&rest[..at]);
        if !part.contains(words) {
            out.push_str(part);
        }
        rest = &rest[at + length..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn only_what_loads_something_from_elsewhere_is_taken_out() {
        let page = "<script src=\"ours.js\"></script><script src=\"https://x/y.js\" async></script><p>";
        assert_eq!(
            without(page, "<script", "</script>", "src=\"https://"),
            "<script src=\"ours.js\"></script><p>"
        );
        assert_eq!(
            without("<script src=\"https://", "<script", "</script>", "https://"),
            "<script src=\"https://"
        );
    }
}
