//! Runs the campaign against other clients: that of an earlier revision, and this one with a defect. It must report them.

use crate::figures;
use crate::programs::{output, root, target, watch};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// What the campaign must report about the client of a revision.
const KNOWN: [(&str, &[&str]); 1] = [(
    "3543f4a",
    &[
        "core 1",
        "core 2",
        "core 3",
        "core 4",
        "core 5",
        "core 6",
        "core 7",
        "core 8",
        "core 9",
        "core 10",
        "core 11",
        "python B1",
    ],
)];

/// Runs the short form in Rust against the client of a revision.
pub fn client(revision: &str) -> Result {
    let folder = folder()?.join(format!("client-{revision}"));
    if !folder.exists() {
        let mut git = Command::new("git");
        git.args(["worktree", "add", "--detach"]).arg(&folder).arg(revision).current_dir(root());
        output(&mut git)?;
    }
    let (campaign, earlier) = ("testing/campaign", "crates/sondage-campaign");
    let place = folder.join(if folder.join(campaign).is_dir() { campaign } else { earlier });
    for file in files(campaign)? {
        put(&root().join(&file), &place.join(file.trim_start_matches(campaign).trim_start_matches('/')))?;
    }
    let manifest = place.join("Cargo.toml");
    let without = fs::read_to_string(&manifest)?.replace("default = [\"canaries\"]", "default = []");
    fs::write(&manifest, without)?;
    adapt(&folder)?;
    let text = short(&folder, &[])?;
    let shown = |finding: &&&str| text.lines().any(|line| line.starts_with(&format!("{finding}: ")));
    let known =
        KNOWN.iter().find(|(known, _)| revision.starts_with(known)).map_or(&[][..], |(_, findings)| findings);
    let missed: Vec<&str> = known.iter().filter(|finding| !shown(finding)).copied().collect();
    println!("\nof {} known findings {} are reported", known.len(), known.len() - missed.len());
    if missed.is_empty() { Ok(()) } else { Err(format!("not reported: {}", missed.join(", ")).into()) }
}

/// Adds the names that the campaign uses to an earlier client: `testing/campaign/earlier.toml`.
fn adapt(folder: &Path) -> Result {
    let text = fs::read_to_string(root().join("testing/campaign/earlier.toml"))?;
    let data: toml::Table = text.parse()?;
    let entries = |name: &str| data.get(name).and_then(toml::Value::as_array).into_iter().flatten();
    let word = |entry: &toml::Value, name: &str| {
        let text = entry.get(name).and_then(toml::Value::as_str).map(str::to_owned);
        text.ok_or_else(|| format!("an entry of earlier.toml has no `{name}`"))
    };
    for entry in entries("lacks") {
        let path = folder.join(word(entry, "file")?);
        let text = fs::read_to_string(&path)?;
        if !text.contains(&word(entry, "lacks")?) {
            fs::write(path, text + &word(entry, "put")?)?;
        }
    }
    for entry in entries("renamed") {
        let path = folder.join(word(entry, "file")?);
        let text = fs::read_to_string(&path)?;
        fs::write(path, text.replace(&word(entry, "from")?, &word(entry, "to")?))?;
    }
    Ok(())
}

/// A change that makes the client break a promise.
struct Defect {
    name: String,
    /// The part of the short form that is likely to detect it.
    by: Option<String>,
    file: String,
    find: String,
    put: String,
}

/// Applies one defect after the other to a copy of the client. The short form has to fail for each.
pub fn defects(names: &[String]) -> Result {
    let begin = Instant::now();
    let folder = folder()?.join("defects");
    let (mut missed, mut count) = (Vec::new(), 0);
    let files = copy(&folder)?;
    println!("== no defect ({files} files)");
    if short(&folder, &[])?.lines().any(|line| line.starts_with("BROKEN")) {
        return Err("promises are broken without any defect".into());
    }
    for defect in known()?.into_iter().filter(|defect| names.is_empty() || names.contains(&defect.name)) {
        count += 1;
        let path = folder.join(&defect.file);
        let text = fs::read_to_string(&path)?;
        if text.matches(&defect.find).count() != 1 {
            return Err(
                format!("{}: what it replaces stands not once in {}", defect.name, defect.file).into()
            );
        }
        println!("\n== defect: {}", defect.name);
        fs::write(&path, text.replacen(&defect.find, &defect.put, 1))?;
        let found = noticed(&folder, defect.by.as_deref());
        fs::write(&path, text)?;
        let found = found?;
        println!("{}: {}", defect.name, if found { "caught" } else { "NOT CAUGHT" });
        if !found {
            missed.push(defect.name);
        }
    }
    println!("\n{} of {count} defects were detected", count - missed.len());
    if !missed.is_empty() {
        return Err(format!("not caught: {}", missed.join(", ")).into());
    }
    if names.is_empty() { Ok(figures::defects(count, begin.elapsed())?) } else { Ok(()) }
}

/// Whether the short form detects the defect.
fn noticed(folder: &Path, by: Option<&str>) -> Result<bool> {
    let broken = |words: &[&str]| -> Result<bool> {
        Ok(short(folder, words)?.lines().any(|line| line.starts_with("BROKEN")))
    };
    if let Some(part) = by
        && broken(&["--first", part])?
    {
        return Ok(true);
    }
    broken(&["--first"])
}

fn known() -> Result<Vec<Defect>> {
    let text = fs::read_to_string(root().join("testing/campaign/defects.toml"))?;
    let data: toml::Table = text.parse()?;
    let defects = data.get("defect").and_then(toml::Value::as_array).ok_or("no defects")?;
    let word = |defect: &toml::Value, name: &str| {
        let text = defect.get(name).and_then(toml::Value::as_str);
        text.map(str::to_owned).ok_or_else(|| format!("a defect has no `{name}`"))
    };
    let read = |defect: &toml::Value| -> std::result::Result<Defect, String> {
        Ok(Defect {
            name: word(defect, "name")?,
            by: word(defect, "by").ok(),
            file: word(defect, "file")?,
            find: word(defect, "find")?.trim_end_matches('\n').to_owned(),
            put: word(defect, "put")?.trim_end_matches('\n').to_owned(),
        })
    };
    Ok(defects.iter().map(read).collect::<std::result::Result<_, _>>()?)
}

/// Builds the campaign in the copy, and runs its short form.
fn short(folder: &Path, words: &[&str]) -> Result<String> {
    // Not in this workspace's target folder: cargo would mix up crates of the two.
    let target = self::folder()?.join("target");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--workspace", "--bin", "sondage-campaign", "--target-dir"]);
    output(cargo.arg(&target).current_dir(folder))?;
    let program = target.join("debug/sondage-campaign").with_extension(std::env::consts::EXE_EXTENSION);
    Ok(watch(Command::new(program).args(["run", "--bare"]).args(words))?)
}

fn folder() -> Result<PathBuf> {
    Ok(target()?.join("campaign"))
}

/// Copies the repository, including uncommitted changes. Returns the number of files.
fn copy(folder: &Path) -> Result<usize> {
    let files = files(".")?;
    for file in &files {
        put(&root().join(file), &folder.join(file))?;
    }
    Ok(files.len())
}

fn files(below: &str) -> Result<Vec<String>> {
    let mut git = Command::new("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", below]).current_dir(root());
    let listed = output(&mut git)?;
    let there = |file: &&str| root().join(file).is_file();
    Ok(listed.lines().filter(there).map(str::to_owned).collect())
}

/// Copies a file if it differs: an unchanged file keeps its timestamp, and is not built again.
fn put(from: &Path, to: &Path) -> Result {
    let text = fs::read(from)?;
    if fs::read(to).ok().as_ref() != Some(&text) {
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(to, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_defect_replaces_what_stands_once_in_the_client() {
        let defects = known().unwrap();
        assert!(defects.len() > 25);
        for Defect { name, file, find, put, .. } in defects {
            let text = fs::read_to_string(root().join(&file)).unwrap();
            assert_eq!(text.matches(&find).count(), 1, "{name}: {file}");
            assert_ne!(find, put, "{name}");
        }
    }
}
