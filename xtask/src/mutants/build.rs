//! Builds one program with all mutants in it. Mutants that do not compile are removed until it compiles.

use super::edits::{EditKind, edits};
use super::list::Mutant;
use super::render::{Rendered, render};
use super::tree::Tree;
use crate::Result;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The replacement does not compile.
pub const UNVIABLE: &str = "unviable";
/// The mutant compiles alone, but not together with the others.
pub const APART: &str = "apart";

/// Mutants that were removed, and why.
type Dropped = BTreeMap<usize, &'static str>;

pub struct Build {
    /// The tests of the core, by the name of their program.
    pub programs: BTreeMap<String, PathBuf>,
    /// Mutants that are not in it, and why.
    pub dropped: BTreeMap<String, String>,
}

/// Code that is added to the copy of the core. It says which mutant is active, and records which places were reached.
const SWITCH: &str = r#"
pub(crate) fn mutant(id: usize) -> bool {
    use std::io::Write as _;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
    use std::sync::{LazyLock, Mutex};
    static ACTIVE: LazyLock<usize> = LazyLock::new(|| {
        std::env::var("SONDAGE_MUTANT").ok().and_then(|id| id.parse().ok()).unwrap_or(usize::MAX)
    });
    static SEEN: [AtomicBool; 10_000] = [const { AtomicBool::new(false) }; 10_000];
    static LOG: LazyLock<Option<Mutex<std::fs::File>>> = LazyLock::new(|| {
        let path = std::env::var_os("SONDAGE_MUTANTS_REACHED")?;
        std::fs::OpenOptions::new().create(true).append(true).open(path).ok().map(Mutex::new)
    });
    if let Some(log) = &*LOG && !SEEN[id].swap(true, Relaxed) && let Ok(mut log) = log.lock() {
        let _ = log.write_all(format!("{id}\n").as_bytes());
    }
    *ACTIVE == id
}
"#;

const DROPPED: &str = "dropped.jsonl";

/// Mutants that earlier builds excluded.
pub fn dropped(folder: &Path) -> Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(folder.join(DROPPED)).unwrap_or_default();
    text.lines().map(|line| Ok(serde_json::from_str::<(String, String)>(line)?)).collect()
}

pub fn build(folder: &Path, tree: &Tree, mutants: &[Mutant]) -> Result<Build> {
    let mut dropped = dropped(folder)?;
    let switch = tree.root.join("crates/sondage/src/lib.rs");
    let library = fs::read_to_string(&switch)?;
    tree.write(&switch, &format!("#![allow(warnings, clippy::all)]\n{library}{SWITCH}"))?;
    let mut record = OpenOptions::new().create(true).append(true).open(folder.join(DROPPED))?;
    let sources = sources(tree, mutants)?;
    loop {
        let (rendered, mut found) = write(tree, &sources, mutants, &dropped)?;
        let complaints = complaints(tree)?;
        let errors = complaints.len();
        for complaint in &complaints {
            let (kind, ids) = whose(complaint, &rendered).ok_or_else(|| {
                format!("no mutant is to blame:\n{}", complaint["rendered"].as_str().unwrap_or_default())
            })?;
            for id in ids {
                // In a function that returns `impl`, a mutant may have another return type.
                let itself = kind == EditKind::Replacement && !mutants[id].returns.contains("impl ");
                found.entry(id).or_insert(if itself { UNVIABLE } else { APART });
            }
        }
        println!("{errors} errors of the compiler; {} mutants are taken out", found.len());
        if errors == 0 && found.is_empty() {
            return Ok(Build { programs: programs(tree)?, dropped });
        }
        for (id, why) in found {
            writeln!(record, "{}", json!([mutants[id].key, why]))?;
            dropped.insert(mutants[id].key.clone(), why.to_owned());
        }
    }
}

fn sources(tree: &Tree, mutants: &[Mutant]) -> Result<BTreeMap<String, String>> {
    let mut sources = BTreeMap::new();
    for mutant in mutants {
        if !sources.contains_key(&mutant.file) {
            sources.insert(mutant.file.clone(), fs::read_to_string(tree.root.join(&mutant.file))?);
        }
    }
    Ok(sources)
}

/// Writes the files with their mutants. Returns those that cannot be expressed as an edit, and why.
fn write(
    tree: &Tree,
    sources: &BTreeMap<String, String>,
    mutants: &[Mutant],
    dropped: &BTreeMap<String, String>,
) -> Result<(BTreeMap<String, Rendered>, Dropped)> {
    let (mut files, mut unfit) = (BTreeMap::new(), Dropped::new());
    for (file, source) in sources {
        let here = |mutant: &&Mutant| mutant.file == *file && !dropped.contains_key(&mutant.key);
        let mutants: Vec<&Mutant> = mutants.iter().filter(here).collect();
        let (edits, nonsense) = edits(source, &mutants)?;
        unfit.extend(nonsense.into_iter().map(|id| (id, UNVIABLE)));
        let has_one = |mutant: &&Mutant| edits.iter().any(|edit| edit.ids.contains(&mutant.id));
        for mutant in mutants.iter().filter(|mutant| !has_one(mutant)) {
            unfit.entry(mutant.id).or_insert(APART);
        }
        let rendered = render(source, &edits);
        tree.write(&tree.root.join(file), &rendered.text)?;
        files.insert(file.clone(), rendered);
    }
    Ok((files, unfit))
}

/// The compiler's errors, each with its places.
fn complaints(tree: &Tree) -> Result<Vec<Value>> {
    let mut check = tree.cargo()?;
    check.args(["check", "--quiet", "-p", "sondage", "--lib", "--message-format=json"]);
    let output = check.stderr(Stdio::null()).output()?;
    let text = String::from_utf8(output.stdout)?;
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let errors: Vec<Value> = lines
        .map(|line| line["message"].clone())
        .filter(|message| {
            message["level"] == "error" && message["spans"].as_array().is_some_and(|spans| !spans.is_empty())
        })
        .collect();
    if errors.is_empty() && !output.status.success() {
        return Err("the core with its mutants does not compile, and no compiler error was found".into());
    }
    Ok(errors)
}

/// The mutants that an error points at: first by its primary location, then by the others that it mentions.
fn whose(complaint: &Value, files: &BTreeMap<String, Rendered>) -> Option<(EditKind, Vec<usize>)> {
    let spans = |of: &Value| of["spans"].as_array().cloned().unwrap_or_default();
    let (primary, mut others): (Vec<Value>, Vec<Value>) =
        spans(complaint).into_iter().partition(|span| span["is_primary"] == true);
    others.extend(complaint["children"].as_array().into_iter().flatten().flat_map(spans));
    let owner = |span: &Value| {
        let at = |end: &str| span[end].as_u64().and_then(|at| usize::try_from(at).ok());
        let file = files.get(span["file_name"].as_str()?)?;
        let (kind, ids) = file.whose(&(at("byte_start")?..at("byte_end")?))?;
        Some((kind, if kind == EditKind::Body { file.within(ids) } else { ids }))
    };
    let owners: Vec<(EditKind, Vec<usize>)> = primary.iter().chain(&others).filter_map(owner).collect();
    owners.iter().find(|(kind, _)| *kind != EditKind::Body).or(owners.first()).cloned()
}

fn programs(tree: &Tree) -> Result<BTreeMap<String, PathBuf>> {
    // A test runs one of the examples, which `cargo test` for one program does not build.
    let mut examples = tree.cargo()?;
    crate::process::run(examples.args(["build", "--quiet", "-p", "sondage", "--examples"]))?;
    let mut test = tree.cargo()?;
    test.args(["test", "--quiet", "--no-run", "-p", "sondage", "--lib", "--tests", "--message-format=json"]);
    let output = crate::process::output(&mut test)?;
    let lines = output.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let tests = lines.filter(|line| line["profile"]["test"] == true);
    let program = |line: Value| {
        Some((line["target"]["name"].as_str()?.to_owned(), PathBuf::from(line["executable"].as_str()?)))
    };
    Ok(tests.filter_map(program).collect())
}
