//! Lists the mutants, and selects those that are tried.

use super::tree::Tree;
use crate::stage::Missing;
use crate::{Result, process, workspace};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::process::Stdio;

/// The parts of the core that are changed.
const FOLDERS: [&str; 6] = ["transport", "call", "auth", "paging", "webhook", "condition"];

/// Files of which every mutant is tried: they decide on irreversible effects or on access.
const ALWAYS: [&str; 9] = [
    "paging/proof.rs",
    "call/retry.rs",
    "transport/body.rs",
    "call/state.rs",
    "condition/compile.rs",
    "webhook/hook.rs",
    "webhook/jwt.rs",
    "webhook/signed_url.rs",
    "webhook/compare.rs",
];

/// How many further compiling mutants are tried, selected by a hash of their change: the same ones every time, even if
/// lines have moved.
const SAMPLE: usize = 300;

/// One change.
#[derive(Debug)]
pub struct Mutant {
    /// The index in the list, by which the program with all mutants identifies it.
    pub id: usize,
    /// File, line and change.
    pub name: String,
    /// The change, and a hash of its function: a result stays valid as long as the function is unchanged.
    pub key: String,
    pub file: String,
    pub genre: String,
    /// The bytes that are replaced.
    pub range: Range<usize>,
    pub replacement: String,
    /// The return type of its function, as written.
    pub returns: String,
    in_function: bool,
}

impl Mutant {
    /// The name without line and folder: `paging/proof.rs: replace == with !=`.
    pub fn place(&self) -> String {
        place(&self.name)
    }

    /// A constant is a setting, and fuzzing code is not compiled into the program.
    fn counts(&self) -> bool {
        self.in_function && !self.file.ends_with("/fuzzing.rs")
    }

    pub fn always(&self) -> bool {
        ALWAYS.iter().any(|file| self.file.ends_with(file))
    }
}

/// Whether cargo-mutants is installed.
pub fn ready() -> Result {
    let mut version = workspace::cargo();
    let found = version.args(["mutants", "--version"]).stderr(Stdio::null()).output()?;
    if found.status.success() {
        return Ok(());
    }
    let what = "The places to change are listed by cargo-mutants.";
    Err(Missing { what, install: "cargo install --locked cargo-mutants" }.into())
}

/// All mutants, as cargo-mutants lists them.
pub fn all(tree: &Tree) -> Result<Vec<Mutant>> {
    let mut command = tree.cargo()?;
    command.args(["mutants", "--list", "--json", "-p", "sondage"]);
    for folder in FOLDERS {
        command.arg("-f").arg(format!("crates/sondage/src/{folder}/**"));
    }
    let text = process::output(&mut command)?;
    let listed: Vec<Value> = serde_json::from_str(&text)?;
    let mut sources = BTreeMap::new();
    let mut same = BTreeMap::<String, usize>::new();
    let mut mutants = Vec::new();
    for (id, value) in listed.iter().enumerate() {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (name, file) = (text(&value["name"]), text(&value["file"]));
        if !sources.contains_key(&file) {
            sources.insert(file.clone(), fs::read_to_string(tree.root.join(&file))?);
        }
        let source = &sources[&file];
        let range = |span: &Value| -> Result<Range<usize>> {
            Ok(offset(source, &span["start"])?..offset(source, &span["end"])?)
        };
        let function = &value["function"];
        let within = if function.is_object() { range(&function["span"])? } else { 0..source.len() };
        // The same change may occur several times in a function.
        let key = format!("{} @{:016x}", place(&name), hash(&source[within]));
        let nth = same.entry(key.clone()).or_default();
        *nth += 1;
        mutants.push(Mutant {
            id,
            key: format!("{key} {nth}"),
            range: range(&value["span"])?,
            name,
            genre: text(&value["genre"]),
            replacement: text(&value["replacement"]),
            returns: text(&function["return_type"]),
            in_function: function.is_object(),
            file,
        });
    }
    Ok(mutants)
}

/// Lines and columns are counted from 1, columns in characters.
fn offset(source: &str, place: &Value) -> Result<usize> {
    let number = |field: &str| place[field].as_u64().and_then(|n| usize::try_from(n).ok()).ok_or("no place");
    let (line, column) = (number("line")?, number("column")?);
    let before: usize = source.split_inclusive('\n').take(line - 1).map(str::len).sum();
    Ok(before + source[before..].chars().take(column - 1).map(char::len_utf8).sum::<usize>())
}

/// Every mutant of some files, and a sample of the others.
pub fn chosen<'list>(mutants: &'list [Mutant], dropped: &BTreeMap<String, String>) -> Vec<&'list Mutant> {
    let (mut chosen, mut others): (Vec<_>, Vec<_>) =
        mutants.iter().filter(|mutant| mutant.counts()).partition(|mutant| mutant.always());
    others.sort_by_key(|mutant| (hash(&mutant.place()), mutant.id));
    let mut viable = 0;
    chosen.extend(others.into_iter().take_while(|mutant| {
        viable += usize::from(!dropped.contains_key(&mutant.key));
        viable <= SAMPLE
    }));
    chosen
}

fn place(name: &str) -> String {
    let mut parts = name.splitn(4, ':');
    let file = parts.next().unwrap_or_default();
    format!(
        "{}:{}",
        file.strip_prefix("crates/sondage/src/").unwrap_or(file),
        parts.nth(2).unwrap_or_default()
    )
}

/// FNV-1a: the same with every compiler.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
