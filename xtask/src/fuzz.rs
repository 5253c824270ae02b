//! `cargo xtask fuzz`: every target of `fuzz/` for a while.
//!
//! The flags are those of cargo-fuzz, which is not needed: the compiler's own coverage, and no sanitizer, because the only
//! unsafe code (`column/texts.rs`) checks what it relies on.

use crate::stage::{Missing, Stage, Tally};
use crate::{Result, process, workspace};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub const STAGES: &[Stage] = &[Stage { group: "fuzz", name: "fuzzing", run: stage }];

/// Of each target, in seconds: what `cargo xtask fuzz` takes, and what the tests take.
const A_MINUTE: u32 = 60;
const BRIEFLY: u32 = 10;

/// So many targets there are at least: none is lost without somebody saying so here.
const TARGETS: usize = 16;

const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
    "-Cdebuginfo=line-tables-only",
];

fn stage() -> Result<Tally> {
    // The same inputs every time: what fails here fails again.
    run_for(BRIEFLY, &[], Some(1))
}

/// `fuzz [SECONDS] [TARGET ...]`
pub fn run(words: &[&str]) -> Result {
    let seconds = words.first().and_then(|word| word.parse().ok());
    let targets = if seconds.is_some() { &words[1..] } else { words };
    let tally = run_for(seconds.unwrap_or(A_MINUTE), targets, None)?;
    println!("\n{tally}");
    if tally.failed > 0 { Err("there are findings: see above".into()) } else { Ok(()) }
}

/// Runs the targets, as many at once as there are processors.
fn run_for(seconds: u32, only: &[&str], seed: Option<u32>) -> Result<Tally> {
    let known = targets()?;
    if let Some(unknown) = only.iter().find(|name| !known.iter().any(|known| known == *name)) {
        return Err(format!("there is no target {unknown}; there are {}", known.join(", ")).into());
    }
    if known.len() < TARGETS {
        return Err(format!("there are {} targets, and there were {TARGETS}", known.len()).into());
    }
    let program = build()?;
    let wanted: Vec<&String> =
        known.iter().filter(|name| only.is_empty() || only.contains(&name.as_str())).collect();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut tally = Tally::default();
    for batch in wanted.chunks(jobs) {
        let mut running = Vec::new();
        for target in batch {
            let log = logs()?.join(format!("{target}.log"));
            let mut command = command(&program, target, seconds)?;
            command.args(seed.map(|seed| format!("-seed={seed}")));
            let child = command.stdout(Stdio::null()).stderr(File::create(&log)?).spawn()?;
            running.push((target, child, log));
        }
        for (target, mut child, log) in running {
            let succeeded = child.wait()?.success();
            tally += report(target, succeeded, &String::from_utf8_lossy(&fs::read(log)?));
        }
    }
    Ok(tally)
}

fn report(target: &str, succeeded: bool, log: &str) -> Tally {
    let runs = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    if succeeded && let Some(runs) = runs {
        println!("{target}: {} executions without a finding", runs.trim());
        return Tally::PASSED;
    }
    log.lines().filter(|line| !line.starts_with('#')).for_each(|line| println!("{line}"));
    println!("{target}: FAILED");
    Tally::FAILED
}

fn logs() -> Result<PathBuf> {
    let logs = workspace::target()?.join("fuzz/logs");
    fs::create_dir_all(&logs)?;
    Ok(logs)
}

fn targets() -> Result<Vec<String>> {
    let mut names = Vec::new();
    for file in fs::read_dir(folder().join("src/targets"))? {
        names.extend(file?.path().file_stem().map(|stem| stem.to_string_lossy().into_owned()));
    }
    names.retain(|name| name != "mod");
    names.sort();
    Ok(names)
}

fn folder() -> PathBuf {
    workspace::root().join("fuzz")
}

/// Builds the program that holds the targets, and says where it is. Naming the machine keeps the flags away from build scripts.
fn build() -> Result<PathBuf> {
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    if !Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success()) {
        let what = "libFuzzer is built with a C++ compiler.";
        return Err(Missing { what, install: "apt-get install g++" }.into());
    }
    let version = process::output(Command::new("rustc").arg("-vV"))?;
    let machine =
        version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    let target = workspace::target()?.join("fuzz");
    let mut command = workspace::cargo();
    command.args(["build", "--release", "--bins", "--target", machine]);
    command.current_dir(folder()).env("CARGO_TARGET_DIR", &target).env("RUSTFLAGS", FLAGS.join(" "));
    process::run(&mut command)?;
    Ok(target.join(machine).join("release/fuzz").with_extension(std::env::consts::EXE_EXTENSION))
}

/// What is found on the way stays under `target/`; the seeds are kept with the sources.
fn command(program: &Path, target: &str, seconds: u32) -> Result<Command> {
    let corpus = workspace::target()?.join("fuzz/corpus").join(target);
    let findings = workspace::target()?.join("fuzz/findings");
    fs::create_dir_all(&corpus)?;
    fs::create_dir_all(&findings)?;
    let mut command = Command::new(program);
    command.env("SONDAGE_FUZZ_TARGET", target).arg(corpus).arg(folder().join("seeds").join(target));
    command.arg(format!("-dict={}", folder().join("json.dict").display()));
    command.arg(format!("-artifact_prefix={}/{target}-", findings.display()));
    command.args([
        &format!("-max_total_time={seconds}"),
        "-print_final_stats=1",
        "-timeout=20",
        "-rss_limit_mb=4096",
    ]);
    Ok(command)
}
