//! `cargo xtask fuzz`: every target of `fuzz/` for a while.
//!
//! The flags are those of cargo-fuzz, which is not needed: the compiler's own coverage, and no sanitizer, because the only
//! unsafe code (`column/texts.rs`) checks its preconditions. Only the crates of this workspace are compiled with them:
//! dependencies are already compiled by the tests, and their coverage would distract the fuzzer from our code.

use crate::stage::{Missing, Stage, TestCounts};
use crate::{Result, process, workspace};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

pub const STAGES: &[Stage] = &[Stage { group: "fuzz", name: "fuzzing", run: stage }];

/// Seconds per target: for `cargo xtask fuzz`, and for the tests.
const A_MINUTE: u32 = 60;
const BRIEFLY: u32 = 10;

/// The minimum number of targets, so that a missing one is noticed.
const TARGETS: usize = 16;

/// Added to the flags of a build with debug assertions: overflows are findings, too.
const FLAGS: [&str; 7] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
    "-Cdebuginfo=line-tables-only",
];

fn stage() -> Result<TestCounts> {
    // The same inputs every time, so that failures can be reproduced. The build is unoptimised, because an optimised one
    // takes longer than the run.
    run_for("dev", BRIEFLY, &[], Some(1))
}

/// `fuzz [SECONDS] [TARGET ...]`
pub fn run(words: &[&str]) -> Result {
    let seconds = words.first().and_then(|word| word.parse().ok());
    let targets = if seconds.is_some() { &words[1..] } else { words };
    let tally = run_for("fuzz", seconds.unwrap_or(A_MINUTE), targets, None)?;
    println!("\n{tally}");
    if tally.failed > 0 { Err("there are findings: see above".into()) } else { Ok(()) }
}

/// Runs the targets, as many concurrently as there are processors.
fn run_for(profile: &str, seconds: u32, only: &[&str], seed: Option<u32>) -> Result<TestCounts> {
    let known = targets()?;
    if let Some(unknown) = only.iter().find(|name| !known.iter().any(|known| known == *name)) {
        return Err(format!("there is no target {unknown}; there are {}", known.join(", ")).into());
    }
    if known.len() < TARGETS {
        return Err(format!("there are {} targets, and there were {TARGETS}", known.len()).into());
    }
    let program = build(profile)?;
    let wanted: Vec<&String> =
        known.iter().filter(|name| only.is_empty() || only.contains(&name.as_str())).collect();
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let mut tally = TestCounts::default();
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

fn report(target: &str, succeeded: bool, log: &str) -> TestCounts {
    let runs = log.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    if succeeded && let Some(runs) = runs {
        println!("{target}: {} executions without a finding", runs.trim());
        return TestCounts::PASSED;
    }
    log.lines().filter(|line| !line.starts_with('#')).for_each(|line| println!("{line}"));
    println!("{target}: FAILED");
    TestCounts::FAILED
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

/// Builds the program with the targets, and returns its path.
fn build(profile: &str) -> Result<PathBuf> {
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    if !Command::new(compiler).arg("--version").output().is_ok_and(|output| output.status.success()) {
        let what = "libFuzzer is built with a C++ compiler.";
        return Err(Missing { what, install: "apt-get install g++" }.into());
    }
    // The whole workspace is built: for one package alone, cargo may choose other features for shared crates, and compile
    // them again.
    let mut command = workspace::cargo();
    command.args(["build", "--workspace", "--bin", "sondage-fuzz", "--features", "sondage-fuzz/libfuzzer"]);
    command.args(["--profile", profile]);
    command.current_dir(workspace::root()).env("RUSTC_WORKSPACE_WRAPPER", std::env::current_exe()?);
    process::run(&mut command)?;
    let folder = if profile == "dev" { "debug" } else { profile };
    let program = workspace::target()?.join(folder).join("sondage-fuzz");
    Ok(program.with_extension(std::env::consts::EXE_EXTENSION))
}

/// Whether cargo calls this program instead of the compiler, whose path is then the first argument.
pub fn is_wrapper(words: &[&str]) -> bool {
    let first = words.first().and_then(|word| Path::new(word).file_stem());
    std::env::var_os("RUSTC_WORKSPACE_WRAPPER").is_some() && first.is_some_and(|stem| stem == "rustc")
}

/// Compiles a crate of the workspace, with the fuzzing flags unless it is part of the compiler or of cargo.
pub fn compile(words: &[&str]) -> ExitCode {
    let (compiler, arguments) = words.split_first().expect("the compiler is named first");
    let pair = |name, value| arguments.windows(2).any(|pair| pair == [name, value]);
    let inside = pair("--crate-type", "proc-macro") || pair("--crate-name", "build_script_build");
    let mut command = Command::new(compiler);
    command.args(arguments);
    if !inside && arguments.contains(&"--crate-name") {
        command.args(FLAGS);
    }
    match command.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("{compiler}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// New inputs stay under `target/`; the seeds are kept with the sources.
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
