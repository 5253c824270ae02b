//! `cargo xtask bench`: the cost of decoding and of small calls, compared with other libraries.

mod answers;
mod calls;
mod cost;
mod download;
mod instructions;
mod members;
mod memory;
mod page;
mod scale;
mod start;
pub mod tools;
mod trace;

use crate::Result;
use page::PageSection;
use std::time::Instant;
use tools::Tools;

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
    starts: 1,
};

type BenchPart = fn(&Tools, &Sizes) -> Result<PageSection>;

const PARTS: [(&str, BenchPart); 9] = [
    ("answers", answers::run),
    ("instructions", instructions::run),
    ("scale", scale::run),
    ("memory", memory::run),
    ("download", download::run),
    ("calls", calls::run),
    ("members", members::run),
    ("start", start::run),
    ("trace", trace::run),
];

/// Parts that need neither Python nor Node.js.
const RUST: [&str; 2] = ["instructions", "trace"];

/// `bench [--quick] [PART ...]`: prints the measurements as Markdown, for docs/benchmarks.md.
pub fn run(words: &[&str]) -> Result {
    let quick = words.contains(&"--quick");
    let wanted: Vec<&str> = words.iter().copied().filter(|word| *word != "--quick").collect();
    if let Some(unknown) = wanted.iter().find(|word| PARTS.iter().all(|(name, _)| name != *word)) {
        let names = PARTS.map(|(name, _)| name).join(", ");
        return Err(format!("no part {unknown}; there are {names}").into());
    }
    let alone = !wanted.is_empty() && wanted.iter().all(|name| RUST.contains(name));
    let (tools, sizes) = (Tools::ready(!alone)?, if quick { &QUICK } else { &FULL });
    let mut sections = Vec::new();
    for (name, part) in PARTS.iter().filter(|(name, _)| wanted.is_empty() || wanted.contains(name)) {
        let began = Instant::now();
        let section = part(&tools, sizes).map_err(|why| format!("{name}: {why}"))?;
        println!("{}({name} took {:.0} s)\n", section.text, began.elapsed().as_secs_f64());
        sections.push(section);
    }
    if quick {
        println!("Every part ran. The figures of such small responses mean nothing.");
        return Ok(());
    }
    println!("{}", page::goals(&sections));
    memory::check(&sections)
}
