//! Third-party code that is linked into an artefact, and its licences: `THIRD-PARTY-NOTICES.txt`, and a bill of
//! materials.

use crate::{Result, process, workspace};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// A third-party crate that is linked into an artefact.
pub struct LinkedCrate {
    pub name: String,
    pub version: String,
    pub license: String,
    /// Its licences and notices in full.
    texts: Vec<String>,
    checksum: Option<String>,
}

/// The crates that are linked into a package on a platform, without build dependencies.
pub fn linked(package: &str, triple: &str) -> Result<Vec<LinkedCrate>> {
    let mut tree = workspace::cargo();
    tree.args(["tree", "--locked", "--package", package, "--target", triple, "--prefix", "none"]);
    tree.args(workspace::published(package));
    tree.args(["--edges", "normal,no-proc-macro", "--format", "{p}"]);
    let tree = process::output(&mut tree)?;
    let metadata =
        process::output(workspace::cargo().args(["metadata", "--locked", "--format-version", "1"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let checksums = checksums()?;
    let mut linked = Vec::new();
    for found in metadata["packages"].as_array().ok_or("cargo names no packages")? {
        let (name, version) = (text(found, "name"), text(found, "version"));
        let line = format!("{name} v{version}");
        let is_linked = tree.lines().any(|other| other == line || other.starts_with(&format!("{line} ")));
        if found["source"].is_null() || !is_linked {
            continue;
        }
        let folder = Path::new(found["manifest_path"].as_str().unwrap_or_default());
        let license = text(found, "license");
        let mut texts = texts(folder.parent().unwrap_or(folder))?;
        if texts.is_empty() {
            texts.push(standard(&license, found)?);
        }
        let checksum = checksums.get(&format!("{name} {version}")).cloned();
        linked.push(LinkedCrate { name, version, license, texts, checksum });
    }
    linked.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(linked)
}

/// The notices as text: each licence once, below the crates that it applies to.
pub fn notices(linked: &[LinkedCrate]) -> String {
    let mut texts: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for linked in linked {
        for text in &linked.texts {
            let name = format!("{} {} ({})", linked.name, linked.version, linked.license);
            texts.entry(text).or_default().push(name);
        }
    }
    let mut sections: Vec<_> = texts.into_iter().map(|(text, names)| (names, text)).collect();
    sections.sort();
    let mut all = "Software of others that is part of this package, and the terms under which it is.\n\
                   The standard library of Rust, also a part, is under MIT or Apache-2.0.\n"
        .to_owned();
    for (names, text) in sections {
        let _ = write!(all, "\n{}\n{}\n\n{text}\n", "=".repeat(80), names.join("\n"));
    }
    all
}

/// Refuses a library or program that contains code of a crate without a notice, a path of this machine, or no list of its
/// crates.
///
/// Panic locations contain the file names of the crates, which `build` maps to `/crates/NAME-VERSION/...`.
pub fn cover(file: &Path, linked: &[LinkedCrate]) -> Result {
    let content = fs::read(file)?;
    let known: BTreeSet<String> =
        linked.iter().map(|linked| format!("{}-{}", linked.name, linked.version)).collect();
    let found = named(&content);
    let shown = file.display();
    if found.is_empty() {
        return Err(format!("{shown} names no crate: it cannot be compared with the notices").into());
    }
    let missing: Vec<&String> = found.difference(&known).collect();
    if !missing.is_empty() {
        return Err(format!("{shown} has code of {missing:?}, which have no notices").into());
    }
    let root = workspace::root().display().to_string();
    if content.windows(root.len()).any(|bytes| bytes == root.as_bytes()) {
        return Err(format!("{shown} names the folder {root} of this machine").into());
    }
    if !content.windows(LIST.len()).any(|bytes| bytes == LIST) {
        return Err(format!("{shown} has no list of its crates for `cargo audit bin`").into());
    }
    println!("{shown}: notices for {} crates, {} of which name their files in it", known.len(), found.len());
    Ok(())
}

/// The section that `cargo auditable` writes.
const LIST: &[u8] = b".dep-v0";

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

/// A bill of materials in `CycloneDX` 1.5.
pub fn materials(artefact: &str, version: &str, linked: &[LinkedCrate]) -> String {
    let components: Vec<Value> = linked
        .iter()
        .map(|linked| {
            let purl = format!("pkg:cargo/{}@{}", linked.name, linked.version);
            let mut component = json!({
                "type": "library", "bom-ref": purl, "name": linked.name, "version": linked.version, "purl": purl,
                "licenses": [{ "expression": linked.license }],
            });
            if let Some(checksum) = &linked.checksum {
                component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
            }
            component
        })
        .collect();
    let bill = json!({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": { "component": {
            "type": "library", "bom-ref": artefact, "name": artefact, "version": version,
            "licenses": [{ "expression": "MIT OR Apache-2.0" }],
        } },
        "components": components,
    });
    format!("{bill:#}\n")
}

/// The licence files in a crate's folder.
fn texts(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<_> = fs::read_dir(folder)?.collect::<std::io::Result<_>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let mut texts = Vec::new();
    for file in files {
        let name = file.file_name().to_string_lossy().to_uppercase();
        let tells = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "COPYRIGHT", "UNLICENSE"];
        if file.file_type()?.is_file() && tells.iter().any(|word| name.starts_with(word)) {
            texts.push(String::from_utf8_lossy(&fs::read(file.path())?).trim().to_owned());
        }
    }
    Ok(texts)
}

/// The licence text for a crate without one: that of the licence it names, with its authors.
fn standard(license: &str, package: &Value) -> Result<String> {
    let authors = package["authors"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let authors: Vec<&str> = authors.map(|author| author.split(" <").next().unwrap_or(author)).collect();
    let name = text(package, "name");
    let holder = if authors.is_empty() { format!("the authors of {name}") } else { authors.join(", ") };
    if license.contains("Apache-2.0") {
        let apache = fs::read_to_string(workspace::root().join("LICENSE-APACHE"))?;
        return Ok(format!("Copyright {holder}\n\n{}", apache.trim()));
    }
    if license.contains("MIT") {
        let mit = fs::read_to_string(workspace::root().join("LICENSE-MIT"))?;
        let terms = mit.split_once("\n\nPermission").map(|(_, terms)| terms);
        let terms = terms.ok_or("LICENSE-MIT does not have the expected format")?;
        return Ok(format!("Copyright {holder}\n\nPermission{}", terms.trim_end()));
    }
    if license.contains("MPL-2.0") {
        // This licence requires a note where the source is; the source is unchanged here.
        let mozilla = fs::read_to_string(workspace::root().join("xtask/licences/MPL-2.0.txt"))?;
        let source = text(package, "repository");
        return Ok(format!("Copyright {holder}\nSource: {source}\n\n{}", mozilla.trim()));
    }
    Err(format!("{name} carries no licence text, and {license} has none here").into())
}

fn checksums() -> Result<BTreeMap<String, String>> {
    let lock = fs::read_to_string(workspace::root().join("Cargo.lock"))?;
    let field = |part: &str, name: &str| {
        let line = part.lines().find_map(|line| line.strip_prefix(&format!("{name} = \"")))?;
        line.strip_suffix('"').map(str::to_owned)
    };
    let parts = lock.split("[[package]]").filter_map(|part| {
        Some((format!("{} {}", field(part, "name")?, field(part, "version")?), field(part, "checksum")?))
    });
    Ok(parts.collect())
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_without_a_notice_is_found() {
        let of = |name: &str| LinkedCrate {
            name: name.into(),
            version: "1.2.3".into(),
            license: "MIT".into(),
            texts: Vec::new(),
            checksum: None,
        };
        let file = std::env::temp_dir().join(format!("sondage-notices-{}", std::process::id()));
        fs::write(&file, b".dep-v0\0/crates/a-1.2.3/src/lib.rs/crates/b_c-1.2.3/src/x.rs\0").unwrap();
        let (whole, part) = (cover(&file, &[of("a"), of("b_c")]), cover(&file, &[of("a")]));
        fs::write(&file, b"\0/crates/a-1.2.3/src/lib.rs\0").unwrap();
        let unlisted = cover(&file, &[of("a")]);
        fs::write(&file, b"crates/a/src/lib.rs").unwrap();
        let none = cover(&file, &[of("a")]);
        fs::remove_file(&file).unwrap();
        whole.unwrap();
        assert!(part.unwrap_err().to_string().contains("b_c-1.2.3"));
        assert!(unlisted.unwrap_err().to_string().contains("cargo audit"));
        assert!(none.is_err());
    }

    #[test]
    fn every_linked_crate_has_its_notice() {
        for package in ["sondage-python", "sondage-node", "sondage-cli", "sondage-uniffi", "sondage-testing"]
        {
            let triple = "x86_64-unknown-linux-gnu";
            let notices = notices(&linked(package, triple).unwrap());
            let mut tree = workspace::cargo();
            tree.args(["tree", "--locked", "--package", package, "--target", triple, "--prefix", "none"]);
            tree.args(workspace::published(package));
            tree.args(["--edges", "normal,no-proc-macro", "--format", "{p}\t{r}"]);
            let tree = process::output(&mut tree).unwrap();
            let others: Vec<&str> = tree
                .lines()
                .filter(|line| !line.contains(&workspace::root().display().to_string()))
                .collect();
            assert!(others.len() > 100, "{package} links {} crates of others", others.len());
            for line in others {
                let name =
                    line.split('\t').next().unwrap_or_default().trim_end_matches(" (*)").replace(" v", " ");
                assert!(notices.contains(&format!("\n{name} (")), "{package}: {name} has no notice");
            }
        }
    }

    #[test]
    fn a_text_stands_once_below_all_whose_it_is() {
        let linked = |name: &str, texts: &[&str]| LinkedCrate {
            name: name.into(),
            version: "1.0.0".into(),
            license: "MIT".into(),
            texts: texts.iter().map(|&text| text.to_owned()).collect(),
            checksum: Some("00".into()),
        };
        let all = [linked("a", &["one", "two"]), linked("b", &["one"])];
        let notices = notices(&all);
        assert_eq!(notices.matches("one\n").count(), 1, "{notices}");
        assert!(notices.contains("a 1.0.0 (MIT)\nb 1.0.0 (MIT)\n\none\n"), "{notices}");
        let bill: Value = serde_json::from_str(&materials("sondage", "0.1.0", &all)).unwrap();
        assert_eq!(bill["components"][1]["purl"], "pkg:cargo/b@1.0.0");
        assert_eq!(bill["components"][1]["hashes"][0]["content"], "00");
    }
}
