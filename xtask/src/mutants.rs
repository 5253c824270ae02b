//! `cargo xtask mutants`: changes the core in one place at a time and looks whether a test fails.
//!
//! cargo-mutants knows where a change makes sense, and lists the places; trying them is done here, because it takes hours:
//! it can be stopped at any moment and goes on where it was, two machines can share the work, and a mutant is held against
//! the tests that are about its file. Never part of the tests: cargo-mutants has to be compiled first.

use crate::stage::Missing;
use crate::{Result, process, workspace};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The files to change, and the tests that hold them.
const TESTED: [(&str, &[&str]); 5] = [
    ("transport/", &["promises", "delivery", "cuts"]),
    ("auth/", &["auth"]),
    ("paging/", &["pager", "paging", "looking_back"]),
    ("webhook/", &["web_hook_vectors", "web_hooks"]),
    ("condition/", &["condition", "conformance"]),
];

/// Files of which every mutant is tried: what they decide cannot be taken back, or lets somebody in.
const ALWAYS: [&str; 9] = [
    "paging/proof.rs",
    "transport/retry.rs",
    "transport/body.rs",
    "transport/state.rs",
    "condition/compile.rs",
    "webhook/hook.rs",
    "webhook/jwt.rs",
    "webhook/signed_url.rs",
    "webhook/compare.rs",
];

/// How many more, chosen by their names: the same ones every time.
const SAMPLE: usize = 300;

/// What must be caught, of a hundred that can be built.
const CAUGHT: usize = 97;

/// A test that waits for ever is a mutant that was caught.
const PATIENCE: Duration = Duration::from_secs(300);

/// `mutants [SHARD/SHARDS]`
pub fn run(words: &[&str]) -> Result {
    let (shard, shards) = match words {
        [] => (0, 1),
        [share] => share
            .split_once('/')
            .and_then(|(shard, of)| Some((shard.parse::<usize>().ok()?, of.parse::<usize>().ok()?)))
            .filter(|(shard, of)| shard < of)
            .ok_or("a share is written 0/2")?,
        _ => return Err("usage: mutants [SHARD/SHARDS]".into()),
    };
    let folder = workspace::target()?.join("mutants");
    let tree = copy(&folder)?;
    let known = results(&folder)?;
    let chosen = chosen(&tree)?;
    let mine =
        chosen.iter().enumerate().filter(|(number, _)| number % shards == shard).map(|(_, mutant)| mutant);
    for mutant in mine.filter(|mutant| !known.contains_key(&name(mutant))) {
        let end = attempt(&tree, &folder, mutant)?;
        println!("{end:<9} {}", name(mutant));
        let line = json!({ "mutant": name(mutant), "end": end });
        let mut log = OpenOptions::new().create(true).append(true).open(folder.join("results.jsonl"))?;
        writeln!(log, "{line}")?;
    }
    summary(&chosen, &results(&folder)?)
}

/// The last commit, in a work tree of its own: what is being worked on is not touched.
fn copy(folder: &Path) -> Result<PathBuf> {
    let tree = folder.join("tree");
    fs::create_dir_all(folder)?;
    let mut git = Command::new("git");
    git.current_dir(workspace::root());
    if tree.exists() {
        process::run(
            Command::new("git")
                .current_dir(&tree)
                .args(["checkout", "--quiet", "--force", "--detach"])
                .arg(head()?),
        )?;
    } else {
        process::run(git.args(["worktree", "add", "--quiet", "--detach"]).arg(&tree))?;
    }
    Ok(tree)
}

fn head() -> Result<String> {
    let text =
        process::output(Command::new("git").current_dir(workspace::root()).args(["rev-parse", "HEAD"]))?;
    Ok(text.trim().to_owned())
}

/// Every mutant of some files, and a sample of the others.
fn chosen(tree: &Path) -> Result<Vec<Value>> {
    let mut command = Command::new("cargo");
    command.current_dir(tree).args(["mutants", "--list", "--json", "-p", "sondage"]);
    for (folder, _) in TESTED {
        command.arg("-f").arg(format!("crates/sondage/src/{folder}**"));
    }
    let text = process::output(workspace::undescribed(&mut command)).map_err(|_| Missing {
        what: "The places to change are listed by cargo-mutants.",
        install: "cargo install --locked cargo-mutants",
    })?;
    let all: Vec<Value> = serde_json::from_str(&text)?;
    let (mut always, mut others): (Vec<Value>, Vec<Value>) =
        all.into_iter().partition(|mutant| ALWAYS.iter().any(|file| text_of(mutant, "file").ends_with(file)));
    others.sort_by_key(|mutant| hash(&name(mutant)));
    others.truncate(SAMPLE);
    always.append(&mut others);
    Ok(always)
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

fn text_of<'value>(mutant: &'value Value, field: &str) -> &'value str {
    mutant[field].as_str().unwrap_or_default()
}

fn name(mutant: &Value) -> String {
    text_of(mutant, "name").to_owned()
}

/// Makes the change, runs the tests, takes it back.
fn attempt(tree: &Path, folder: &Path, mutant: &Value) -> Result<&'static str> {
    let file = tree.join(text_of(mutant, "file"));
    let original = fs::read_to_string(&file)?;
    fs::write(&file, mutated(&original, mutant)?)?;
    let end = judge(folder, tree, mutant);
    fs::write(&file, original)?;
    end
}

fn mutated(original: &str, mutant: &Value) -> Result<String> {
    let at = |end: &str| -> Result<usize> {
        let place = &mutant["span"][end];
        let number =
            |field: &str| place[field].as_u64().and_then(|n| usize::try_from(n).ok()).ok_or("no place");
        let (line, column) = (number("line")?, number("column")?);
        let before: usize = original.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let within = original[before..].chars().take(column - 1).map(char::len_utf8).sum::<usize>();
        Ok(before + within)
    };
    Ok(format!("{}{}{}", &original[..at("start")?], text_of(mutant, "replacement"), &original[at("end")?..]))
}

fn judge(folder: &Path, tree: &Path, mutant: &Value) -> Result<&'static str> {
    let file = text_of(mutant, "file");
    let tests = TESTED
        .iter()
        .find(|(part, _)| file.contains(&format!("/src/{part}")))
        .map_or(&[][..], |(_, tests)| tests);
    let cargo = |last: &[&str]| {
        let mut command = Command::new("cargo");
        command
            .current_dir(tree)
            .env("CARGO_TARGET_DIR", folder.join("build"))
            .args(["test", "--quiet", "-p", "sondage", "--lib"]);
        command.args(tests.iter().flat_map(|test| ["--test", test])).args(last);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        workspace::undescribed(&mut command);
        command
    };
    if !cargo(&["--no-run"]).status()?.success() {
        return Ok("unviable");
    }
    let mut running = cargo(&[]).spawn()?;
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        if let Some(status) = running.try_wait()? {
            return Ok(if status.success() { "ALIVE" } else { "caught" });
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    running.kill()?;
    running.wait()?;
    Ok("caught")
}

fn results(folder: &Path) -> Result<BTreeMap<String, String>> {
    let text = fs::read_to_string(folder.join("results.jsonl")).unwrap_or_default();
    let mut results = BTreeMap::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line)?;
        results.insert(text_of(&line, "mutant").to_owned(), text_of(&line, "end").to_owned());
    }
    Ok(results)
}

fn summary(chosen: &[Value], results: &BTreeMap<String, String>) -> Result {
    let count = |wanted: &str| {
        chosen.iter().filter(|mutant| results.get(&name(mutant)).is_some_and(|end| end == wanted)).count()
    };
    let (caught, alive, unviable) = (count("caught"), count("ALIVE"), count("unviable"));
    let open = chosen.len() - caught - alive - unviable;
    println!("\n{caught} caught, {alive} alive, {unviable} could not be built, {open} not tried yet");
    for (name, _) in results.iter().filter(|(_, end)| *end == "ALIVE") {
        println!("ALIVE     {name}");
    }
    if caught * 100 < (caught + alive) * CAUGHT {
        return Err(format!("less than {CAUGHT} of a hundred were caught").into());
    }
    Ok(())
}
