//! The cost of decoding and of small calls, compared with other libraries: the measuring programs are run, and their figures
//! printed as Markdown, for docs/benchmarks.md.

mod answers;
mod calls;
mod cost;
mod download;
mod files;
mod goals;
mod instructions;
pub mod jobs;
mod members;
mod memory;
mod results;
mod scale;
mod start;
mod sync;
mod trace;

use goals::Goals;
use std::error::Error;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// The measuring programs: this one, Python with the scripts beside it, and Node.js with the folder of its script.
pub struct Tools {
    python: PathBuf,
    node: PathBuf,
    folder: PathBuf,
}

impl Tools {
    /// This program.
    fn program(&self, words: &[&str]) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "sondage-bench".into()));
        command.args(words);
        command
    }

    /// A Python script.
    fn python(&self, script: &str, words: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.env_remove("PYTHONPATH").env_remove("PYTHONHOME");
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join(script)).args(words);
        command
    }

    /// The Node.js script.
    fn node(&self, script: &str, words: &[&str]) -> Command {
        let mut command = Command::new("node");
        command.arg(self.node.join(script)).args(words);
        command
    }

    fn service(&self, megabytes: usize) -> Result<BenchService> {
        self.service_of(megabytes, 20)
    }

    /// The service with surveys of this many columns beside the large response.
    fn service_of(&self, megabytes: usize, columns: usize) -> Result<BenchService> {
        BenchService::start(self.program(&["serve", &megabytes.to_string(), &columns.to_string()]))
    }
}

/// The service, until it is dropped.
struct BenchService {
    child: Child,
    port: String,
    /// The number of interviews in its large response.
    rows: String,
}

impl BenchService {
    fn start(mut service: Command) -> Result<Self> {
        let mut child = service.stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("the service has no output")?).read_line(&mut line)?;
        let mut words = line.split_whitespace().map(str::to_owned);
        let (port, rows) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        Ok(Self { child, port, rows })
    }
}

impl Drop for BenchService {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The amount of work.
pub struct Sizes {
    /// Format, columns and megabytes of the responses.
    answers: &'static [(&'static str, usize, usize)],
    rounds: usize,
    /// The response over HTTP, in megabytes.
    download: usize,
    /// The number of sequential and of concurrent small calls.
    calls: usize,
    concurrency: usize,
    members: u32,
    /// The cells of the smallest and the largest response.
    cells: &'static [usize],
    /// The size in kilobytes of the two responses whose instructions are counted.
    kilobytes: [usize; 2],
    /// Interviews of the two surveys that are exported.
    interviews: [i64; 2],
    /// The most of them in a workbook, and the rows of files that are compared.
    sheet: i64,
    files: [i64; 3],
    /// How often a program is started.
    starts: usize,
}

const FULL: Sizes = Sizes {
    answers: &[
        ("compact", 60, 200),
        ("compact", 60, 10),
        ("compact", 300, 50),
        ("structured", 60, 100),
        ("members", 18, 100),
    ],
    rounds: 3,
    download: 50,
    calls: 4_000,
    concurrency: 16,
    members: 100_000,
    cells: &[10_000, 100_000, 1_000_000, 10_000_000],
    kilobytes: [1_000, 3_000],
    interviews: [100_000, 1_000_000],
    sheet: 200_000,
    files: [200_000, 200_000, 10_000],
    starts: 15,
};

/// Small sizes that only show that every part runs.
const QUICK: Sizes = Sizes {
    answers: &[("compact", 60, 1), ("structured", 60, 1), ("members", 18, 1)],
    rounds: 1,
    download: 1,
    calls: 160,
    concurrency: 16,
    members: 1_000,
    cells: &[10_000, 100_000],
    kilobytes: [100, 200],
    interviews: [2_000, 20_000],
    sheet: 2_000,
    files: [2_000, 2_000, 500],
    starts: 1,
};

type BenchPart = fn(&Tools, &Sizes, &mut Goals) -> Result;

const PARTS: [(&str, BenchPart); 12] = [
    ("answers", answers::run),
    ("instructions", instructions::run),
    ("scale", scale::run),
    ("memory", memory::run),
    ("files", files::run),
    ("sync", sync::run),
    ("results", results::run),
    ("download", download::run),
    ("calls", calls::run),
    ("members", members::run),
    ("start", start::run),
    ("trace", trace::run),
];

/// `PYTHON NODE FOLDER [--quick] [PART ...]`: prints the measurements, with this Python, this folder of `node_modules` and this one
/// for files.
pub fn run(words: &[&str]) -> Result {
    let [python, node, folder, words @ ..] = words else { return Err("report PYTHON NODE FOLDER".into()) };
    let tools = Tools { python: python.into(), node: node.into(), folder: folder.into() };
    let quick = words.contains(&"--quick");
    let wanted: Vec<&str> = words.iter().copied().filter(|word| *word != "--quick").collect();
    if let Some(unknown) = wanted.iter().find(|word| PARTS.iter().all(|(name, _)| name != *word)) {
        let names = PARTS.map(|(name, _)| name).join(", ");
        return Err(format!("no part {unknown}; there are {names}").into());
    }
    let (sizes, mut goals) = (if quick { &QUICK } else { &FULL }, Goals::default());
    for (name, part) in PARTS.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(name)) {
        let began = Instant::now();
        part(&tools, sizes, &mut goals).map_err(|why| format!("{name}: {why}"))?;
        println!("({name} took {:.0} s)\n", began.elapsed().as_secs_f64());
    }
    if quick {
        println!("Every part ran. The figures of such small responses mean nothing.");
        return Ok(());
    }
    let rows = goals.rows();
    println!("| # | what | goal | measured | |\n|---|---|---|---|---|\n{}", rows.join("\n"));
    // Growing memory is an error, not just a worse figure.
    match rows.iter().find(|row| row.contains(memory::PARQUET) && row.contains("**missed**")) {
        Some(row) => Err(row.clone().into()),
        None => Ok(()),
    }
}
