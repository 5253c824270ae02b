//! Third-party code that is linked into an artefact, and its licences: `THIRD-PARTY-NOTICES.txt`, and a bill of
//! materials. cargo-about collects the licences.

use super::cargo_tool;
use crate::{Result, process, workspace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The crates of others that are linked into a package on a platform.
pub struct LinkedCrates {
    /// `NAME-VERSION` of each.
    names: BTreeSet<String>,
    notices: String,
    components: Vec<Value>,
}

pub fn linked(package: &str, triple: &str) -> Result<LinkedCrates> {
    let metadata = workspace::metadata()?;
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let manifest =
        packages.filter(|found| found["name"] == package).find_map(|found| found["manifest_path"].as_str());
    let mut about = Command::new(cargo_tool("cargo-about", "0.9.3", "cli")?);
    about.args(["generate", "--format", "json", "--fail", "--locked", "--offline", "--target", triple]);
    about.arg("--config").arg(workspace::root().join("tests/packages/about.toml"));
    about.arg("--manifest-path").arg(manifest.ok_or_else(|| format!("there is no package {package}"))?);
    about.args(workspace::published(package)).current_dir(workspace::root());
    let lock = fs::read_to_string(workspace::root().join("Cargo.lock"))?;
    LinkedCrates::read(&serde_json::from_str(&process::output(&mut about)?)?, &lock.parse()?)
}

impl LinkedCrates {
    /// Reads what cargo-about has found, and the checksums of Cargo.lock.
    fn read(about: &Value, lock: &toml::Table) -> Result<Self> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let ours = |found: &Value| found["source"].is_null();
        let mut names = BTreeSet::new();
        let mut components = Vec::new();
        for found in list(&about["crates"]).iter().filter(|found| !ours(&found["package"])) {
            let (name, version) = (text(&found["package"], "name"), text(&found["package"], "version"));
            let purl = format!("pkg:cargo/{name}@{version}");
            let mut component = json!({
                "type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
                "licenses": [{ "expression": found["license"] }],
            });
            let locked = lock.get("package").and_then(toml::Value::as_array).into_iter().flatten();
            let is_it = |locked: &&toml::Value| {
                locked["name"].as_str() == Some(name) && locked["version"].as_str() == Some(version)
            };
            let checksum = locked.into_iter().find(is_it).and_then(|locked| locked.get("checksum")?.as_str());
            if let Some(checksum) = checksum {
                component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
            }
            components.push(component);
            names.insert(format!("{name}-{version}"));
        }
        // Each text once, below the crates that it applies to.
        let mut texts: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for license in list(&about["licenses"]) {
            for used in list(&license["used_by"]).iter().map(|used| &used["crate"]).filter(|used| !ours(used))
            {
                let (name, version, source) =
                    (text(used, "name"), text(used, "version"), text(used, "repository"));
                let line = format!("{name} {version} ({}) {source}", text(&license, "id"));
                for text in [text(&license, "text").to_owned()].into_iter().chain(notice_of(used)?) {
                    texts.entry(text.trim().to_owned()).or_default().insert(line.clone());
                }
            }
        }
        let mut sections: Vec<_> = texts.into_iter().map(|(text, names)| (names, text)).collect();
        sections.sort();
        let mut notices =
            "Software of others that is part of this package, and the terms under which it is.\n\
                           The standard library of Rust, also a part, is under MIT or Apache-2.0.\n"
                .to_owned();
        for (names, text) in sections {
            let names: Vec<String> = names.into_iter().collect();
            let _ = write!(notices, "\n{}\n{}\n\n{text}\n", "=".repeat(80), names.join("\n"));
        }
        Ok(Self { names, notices, components })
    }

    /// Writes the notices, and a bill of materials of an artefact in `CycloneDX` 1.5.
    pub fn write(&self, notices: &Path, artefact: &str, bill: &Path) -> Result {
        fs::write(notices, &self.notices)?;
        let materials = json!({
            "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": { "component": {
                "type": "library", "bom-ref": artefact, "name": artefact, "version": workspace::version()?,
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            } },
            "components": self.components,
        });
        Ok(fs::write(bill, format!("{materials:#}\n"))?)
    }

    /// Refuses a library or program that contains code of a crate without a notice, a path of this machine, or no list of its
    /// crates.
    ///
    /// Panic locations contain the file names of the crates, which `build` maps to `/crates/NAME-VERSION/...`.
    pub fn cover(&self, file: &Path) -> Result {
        let (content, shown) = (fs::read(file)?, file.display());
        let found = named(&content);
        if found.is_empty() {
            return Err(format!("{shown} names no crate: it cannot be compared with the notices").into());
        }
        let missing: Vec<&String> = found.difference(&self.names).collect();
        if !missing.is_empty() {
            return Err(format!("{shown} has code of {missing:?}, which have no notices").into());
        }
        let has = |words: &[u8]| content.windows(words.len()).any(|bytes| bytes == words);
        let root = workspace::root().display().to_string();
        if has(root.as_bytes()) {
            return Err(format!("{shown} names the folder {root} of this machine").into());
        }
        // The section that `cargo auditable` writes.
        if !has(b".dep-v0") {
            return Err(format!("{shown} has no list of its crates for `cargo audit bin`").into());
        }
        println!(
            "{shown}: notices for {} crates, {} of which name their files in it",
            self.names.len(),
            found.len()
        );
        Ok(())
    }
}

/// What a crate under the Apache licence wants to be repeated: its file `NOTICE`, which cargo-about leaves out.
fn notice_of(found: &Value) -> Result<Vec<String>> {
    let Some(folder) = Path::new(text(found, "manifest_path")).parent().filter(|folder| folder.is_dir())
    else {
        return Ok(Vec::new());
    };
    let mut texts = Vec::new();
    for file in fs::read_dir(folder)? {
        let file = file?;
        let is_notice = file.file_name().to_string_lossy().to_uppercase().starts_with("NOTICE");
        if is_notice && file.file_type()?.is_file() {
            texts.push(String::from_utf8_lossy(&fs::read(file.path())?).into_owned());
        }
    }
    Ok(texts)
}

/// The names and versions of the crates whose files are named.
fn named(content: &[u8]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let start = b"/crates/";
    let places = content.windows(start.len()).enumerate().filter(|(_, bytes)| bytes == start);
    for (at, _) in places {
        let rest = &content[at + start.len()..];
        let end = rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || b"-_.+".contains(byte)));
        let Ok(name) = std::str::from_utf8(&rest[..end.unwrap_or(0)]) else { continue };
        if rest.get(name.len()) == Some(&b'/') && name.contains(|c: char| c.is_ascii_digit()) {
            found.insert(name.to_owned());
        }
    }
    found
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_without_a_notice_is_found() {
        let of = |names: &[&str]| LinkedCrates {
            names: names.iter().map(|name| format!("{name}-1.2.3")).collect(),
            notices: String::new(),
            components: Vec::new(),
        };
        let file = std::env::temp_dir().join(format!("sondage-notices-{}", std::process::id()));
        fs::write(&file, b".dep-v0\0/crates/a-1.2.3/src/lib.rs/crates/b_c-1.2.3/src/x.rs\0").unwrap();
        let (whole, part) = (of(&["a", "b_c"]).cover(&file), of(&["a"]).cover(&file));
        fs::write(&file, b"\0/crates/a-1.2.3/src/lib.rs\0").unwrap();
        let unlisted = of(&["a"]).cover(&file);
        fs::write(&file, b"crates/a/src/lib.rs").unwrap();
        let none = of(&["a"]).cover(&file);
        fs::remove_file(&file).unwrap();
        whole.unwrap();
        assert!(part.unwrap_err().to_string().contains("b_c-1.2.3"));
        assert!(unlisted.unwrap_err().to_string().contains("cargo audit"));
        assert!(none.is_err());
    }

    #[test]
    fn a_text_stands_once_below_all_whose_it_is() {
        let of =
            |name: &str| json!({ "name": name, "version": "1.0.0", "source": "registry", "repository": "r" });
        let used = |name: &str| json!({ "crate": of(name) });
        let own = json!({ "crate": { "name": "sondage", "version": "0.1.0", "source": null } });
        let about = json!({
            "crates": [{ "package": of("a"), "license": "MIT" }, { "package": of("b"), "license": "MIT OR ISC" }],
            "licenses": [{ "id": "MIT", "text": "one", "used_by": [used("a"), used("b"), own] },
                         { "id": "ISC", "text": "two", "used_by": [used("b")] }],
        });
        let lock = "[[package]]\nname = \"b\"\nversion = \"1.0.0\"\nchecksum = \"00\"\n".parse().unwrap();
        let LinkedCrates { names, notices, components } = LinkedCrates::read(&about, &lock).unwrap();
        assert!(notices.contains("\na 1.0.0 (MIT) r\nb 1.0.0 (MIT) r\n\none\n"), "{notices}");
        assert!(
            notices.contains("\nb 1.0.0 (ISC) r\n\ntwo\n") && !notices.contains("sondage 0"),
            "{notices}"
        );
        assert_eq!(components[1]["purl"], "pkg:cargo/b@1.0.0");
        assert_eq!(components[1]["hashes"][0]["content"], "00");
        assert_eq!(names.len(), 2);
    }
}
