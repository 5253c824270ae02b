//! What the trace takes of a call that nobody watches: goal 12.

use super::goals::Goals;
use super::{Result, Sizes, Tools};
use std::process::Command;

/// Two numbers of calls, whose instructions are counted: what is done once cancels out.
const CALLS: [u32; 2] = [10_000, 110_000];

/// Calls whose time is taken, and how often: the best counts.
const TIMED: u32 = 1_000_000;

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    println!("## The trace of a call\n");
    println!(
        "What a call of one attempt takes for trace and log, its id included, in one thread: instructions by callgrind, and CPU time.\n"
    );
    println!("| trace | instructions of a call | µs of a call |\n|---|---|---|");
    for (name, entries) in [("off", "0"), ("the last 1000 entries are kept", "1000")] {
        let instructions = instructions(tools, entries)?;
        let time = (0..sizes.rounds).map(|_| time(tools, entries)).collect::<Result<Vec<f64>>>()?;
        let time = time.into_iter().fold(f64::INFINITY, f64::min) * 1e6 / f64::from(TIMED);
        let counted = instructions.map_or_else(|| "valgrind is missing".to_owned(), |it| format!("{it:.0}"));
        println!("| {name} | {counted} | {time:.2} |");
        if entries == "0" {
            goals.most(12, "trace, off, CPU of a call", 1.0, Some(time), " µs");
        }
    }
    println!();
    Ok(())
}

fn time(tools: &Tools, entries: &str) -> Result<f64> {
    let numbers =
        super::cost::numbers(&mut tools.program(&["trace", "measure", entries, &TIMED.to_string()]))?;
    numbers.first().copied().ok_or_else(|| "no time was printed".into())
}

/// `None` if valgrind is missing.
fn instructions(tools: &Tools, entries: &str) -> Result<Option<f64>> {
    let mut counts = [0.0; 2];
    for (calls, count) in CALLS.iter().zip(&mut counts) {
        let program = tools.program(&["trace", "count", entries, &calls.to_string()]);
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
        let Ok(output) = valgrind.arg(program.get_program()).args(program.get_args()).output() else {
            return Ok(None);
        };
        if !output.status.success() {
            return Err(format!("under valgrind: {}", String::from_utf8_lossy(&output.stderr)).into());
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let collected = said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
        *count = collected.ok_or_else(|| format!("callgrind counted nothing: {said}"))?;
    }
    Ok(Some((counts[1] - counts[0]) / f64::from(CALLS[1] - CALLS[0])))
}
