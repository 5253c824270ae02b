//! The overhead of jobs compared with plain calls, with optimised programs: the CPU time of an import, and of a call that the
//! daily budget counts.

use super::{BenchService, Result, cost};
use std::process::Command;

/// The rows of the import, and the number of rounds, of which the best counts.
const IMPORT: [&str; 2] = ["100000", "9"];
/// The calls of a round, and the number of rounds, of which the best counts.
const CALLS: [&str; 2] = ["400", "90"];
/// The processes that measure calls, of which the best counts for each way.
const PROCESSES: usize = 5;
/// The goals: for an import as a multiple of the calls that create the same members, and for counting a call in microseconds.
const MOST: (f64, f64) = (1.3, 5.0);

/// Prints a line with the figures, and with the goals if one of them is missed.
pub fn measure() -> Result {
    let program = std::env::current_exe()?;
    stay()?;
    let mut service = Command::new(&program);
    service.args(["serve", "1", "20"]);
    let service = BenchService::start(service)?;
    let numbers = |part: &str, sizes: [&str; 2]| -> Result<[f64; 3]> {
        let mut command = Command::new(&program);
        let numbers = cost::numbers(command.args([part, &service.port]).args(sizes))?;
        println!("{part}: {numbers:?}");
        numbers.try_into().map_err(|_| "the program has printed another number of figures".into())
    };
    let [calls, plain, import] = numbers("import", IMPORT)?;
    let mut best = [f64::MAX; 3];
    for _ in 0..PROCESSES {
        let one = numbers("budget", CALLS)?;
        best = std::array::from_fn(|way| best[way].min(one[way]));
    }
    let [off, memory, file] = best;
    let (ratio, count) = (import / calls, [memory - off, file - off]);
    let line = format!(
        "an import of {} rows takes {ratio:.2} times the CPU of the calls that create the same members ({import:.2} s and {calls:.2} s), and \
         {:.2} times that of `create_members_from`, which checks nothing ({plain:.2} s); counting a call takes {:.1} µs in memory and \
         {:.1} µs in a file, of {off:.0} µs",
        IMPORT[0],
        import / plain,
        count[0],
        count[1]
    );
    let missed = ratio > MOST.0 || count[1] > MOST.1;
    let line =
        if missed { format!("{line}; the goals are {} times and {} µs", MOST.0, MOST.1) } else { line };
    println!("{line}");
    Ok(())
}

/// Keeps what is started from here on, service and client, on one processor. On two, it is chance whether they wake each other
/// across processors, which doubles the time of a call for as long as its connection lasts.
fn stay() -> Result {
    if cfg!(target_os = "linux") {
        let this = std::process::id().to_string();
        cost::output(Command::new("taskset").args(["--cpu-list", "--pid", "0", &this]))?;
    }
    Ok(())
}
