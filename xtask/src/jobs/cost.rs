//! The overhead of jobs compared with plain calls, with optimised programs: the CPU time of an import, and of a call that the
//! daily budget counts.

use crate::bench::tools::{self, BenchService};
use crate::{Result, process};
use std::process::Command;

/// The rows of the import, and the number of rounds, of which the best counts.
const IMPORT: [&str; 2] = ["100000", "9"];
/// The calls of a round, and the number of rounds, of which the best counts.
const CALLS: [&str; 2] = ["400", "90"];
/// The goals: for an import as a multiple of a plain creation, and for counting a call in microseconds.
const MOST: (f64, f64) = (1.3, 5.0);

/// A line with the figures, and with the goals if one of them is missed.
pub fn measure() -> Result<String> {
    let program = tools::program()?;
    let service = BenchService::start(&program, 1)?;
    let numbers = |part: &str, sizes: [&str; 2]| -> Result<Vec<f64>> {
        let mut command = Command::new(&program);
        let said = process::output(command.args([part, &service.port]).args(sizes))?;
        println!("{part}: {}", said.trim());
        said.split_whitespace().map(|word| Ok(word.parse()?)).collect()
    };
    let ([plain, import], [off, memory, file]) =
        (exactly(numbers("import", IMPORT)?)?, exactly(numbers("budget", CALLS)?)?);
    let (ratio, count) = (import / plain, [memory - off, file - off]);
    let line = format!(
        "an import of {} rows takes {ratio:.2} times the CPU of a plain creation ({import:.2} s and {plain:.2} s); counting a call takes \
         {:.1} µs in memory and {:.1} µs in a file, of {off:.0} µs",
        IMPORT[0], count[0], count[1]
    );
    let missed = ratio > MOST.0 || count[1] > MOST.1;
    let line =
        if missed { format!("{line}; the goals are {} times and {} µs", MOST.0, MOST.1) } else { line };
    println!("{line}");
    Ok(line)
}

fn exactly<const N: usize>(numbers: Vec<f64>) -> Result<[f64; N]> {
    numbers.try_into().map_err(|_| "the program has printed another number of figures".into())
}
