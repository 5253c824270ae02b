//! `cargo xtask bench`: the ways to a table, one after the other in every round, and their ratios.

use crate::{Result, process, workspace};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The answers that are read: form and columns.
const ANSWERS: [(&str, usize); 4] = [("compact", 60), ("compact", 300), ("structured", 60), ("members", 18)];
const OWN: [&str; 3] = ["sondage", "sondage, the ordinary way", "sonic-rs, skipping"];
const PEERS: [&str; 5] =
    ["orjson + polars", "pyarrow.json", "orjson + pandas", "json + pandas", "polars.read_json"];
const MEGABYTES: usize = 20;
const ROUNDS: usize = 3;

/// What a way costs: the median of the rounds.
struct Cost {
    cpu: f64,
    wall: f64,
    peak: f64,
}

struct Bench {
    program: PathBuf,
    python: Option<PathBuf>,
    folder: PathBuf,
}

/// Only proves that everything runs: small answers, one round, and no peers that would have to be installed.
fn quick() -> Result {
    let bench = Bench { program: build("dev")?, python: None, folder: folder()? };
    println!("{}", report(&bench, 1, 1)?);
    Ok(())
}

/// `bench [--quick]`
pub fn run(words: &[&str]) -> Result {
    if words == ["--quick"] {
        return quick();
    }
    let bench = Bench { program: build("release")?, python: Some(python()?), folder: folder()? };
    let report = report(&bench, MEGABYTES, ROUNDS)?;
    println!("{report}");
    fs::write(workspace::root().join("docs/benchmarks.md"), page(&report)?)?;
    Ok(())
}

fn folder() -> Result<PathBuf> {
    let folder = workspace::target()?.join("bench");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn build(profile: &str) -> Result<PathBuf> {
    let target = workspace::target()?;
    let mut command = workspace::cargo();
    command.args(["build", "--profile", profile]).env("CARGO_TARGET_DIR", &target);
    process::run(command.current_dir(workspace::root().join("bench")))?;
    let profile = if profile == "dev" { "debug" } else { profile };
    Ok(target.join(profile).join("sondage-bench").with_extension(std::env::consts::EXE_EXTENSION))
}

fn python() -> Result<PathBuf> {
    let environment = folder()?.join("python");
    let python = environment.join(if cfg!(windows) { "Scripts/python" } else { "bin/python" });
    if !python.exists() {
        process::run(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let requirements = workspace::root().join("bench/requirements.txt");
    let arguments = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement"];
    process::run(Command::new(&python).args(arguments).arg(requirements))?;
    Ok(python)
}

/// A table for each answer.
fn report(bench: &Bench, megabytes: usize, rounds: usize) -> Result<String> {
    let mut report = String::new();
    for (form, columns) in ANSWERS {
        let file = bench.folder.join(format!("{form}-{columns}.json"));
        let arguments = ["write", form, &columns.to_string(), &megabytes.to_string()];
        let said = process::output(Command::new(&bench.program).args(arguments).arg(&file))?;
        let sizes: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [bytes, rows, cells] = sizes[..] else { return Err(format!("cannot read {said}").into()) };
        let costs = measure(bench, form, &file, rounds)?;
        fs::remove_file(&file)?;
        let own = costs.iter().find(|(way, _)| *way == OWN[0]).ok_or("nothing was measured")?.1.cpu;
        writeln!(report, "### {form}, {columns} columns: {:.0} MB, {rows} rows\n", bytes / 1e6)?;
        report.push_str(
            "| way | CPU, ratio | ns a cell | wall, ms | peak memory, inputs |\n|---|---|---|---|---|\n",
        );
        for (way, cost) in &costs {
            let (ratio, cell, memory) = (cost.cpu / own, cost.cpu * 1e9 / cells, cost.peak / bytes);
            writeln!(report, "| {way} | {ratio:.1} | {cell:.1} | {:.0} | {memory:.1} |", cost.wall * 1e3)?;
        }
        report.push('\n');
    }
    Ok(report)
}

/// Every way once in every round, so that a busy moment is busy for all of them.
fn measure(bench: &Bench, form: &str, file: &Path, rounds: usize) -> Result<Vec<(&'static str, Cost)>> {
    let peers = if bench.python.is_some() { &PEERS[..] } else { &[] };
    let ways: Vec<&'static str> = OWN.iter().chain(peers).copied().collect();
    let mut found: Vec<Vec<[f64; 3]>> = ways.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds {
        for (way, found) in ways.iter().zip(&mut found) {
            let mut command = match &bench.python {
                Some(python) if peers.contains(way) => {
                    let mut command = Command::new(python);
                    command.arg(workspace::root().join("bench/peers.py"));
                    command
                }
                _ => {
                    let mut command = Command::new(&bench.program);
                    command.arg("measure");
                    command
                }
            };
            let times = if peers.contains(way) { "1" } else { "5" };
            command.args([way, form]).arg(file).arg(times).stderr(Stdio::null());
            // A peer that cannot read the answer at all has no line in the table.
            let output = command.output()?;
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
            if let ([cpu, wall, peak], true) = (&numbers[..], output.status.success()) {
                found.push([*cpu, *wall, *peak]);
            } else if OWN.contains(way) {
                return Err(format!("{way} failed on {form}").into());
            }
        }
    }
    let measured = ways.into_iter().zip(found).filter(|(_, found)| !found.is_empty());
    Ok(measured.map(|(way, found)| (way, median(&found))).collect())
}

fn median(found: &[[f64; 3]]) -> Cost {
    let middle = |which: usize| {
        let mut values: Vec<f64> = found.iter().map(|cost| cost[which]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Cost { cpu: middle(0), wall: middle(1), peak: middle(2) }
}

/// The page of the documentation, with the machine and how busy it was.
fn page(report: &str) -> Result<String> {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default();
    let processor = read("/proc/cpuinfo");
    let processor = processor.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or(" unknown");
    let processor = processor.trim_start_matches([' ', '\t', ':']);
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("unknown");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let compiler = process::output(Command::new("rustc").arg("--version"))?;
    let versions = fs::read_to_string(workspace::root().join("bench/notes.md"))?;
    Ok(format!(
        "# Benchmarks\n\n`cargo xtask bench` writes this page. Machine: {processor}, {cores} cores, {}; {ROUNDS} rounds, every way once in \
         every round, median; the load average at the end was {load}, so that **only the ratios of one table say something**, and \
         wall times nothing. CPU is of all threads; ratios are to the first line. Peak memory is what comes on top of the answer itself, \
         in sizes of the answer.\n\n{report}{versions}",
        compiler.trim(),
    ))
}
