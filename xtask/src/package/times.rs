//! `cargo xtask package times`: what `pip install .` costs from a clone, where nothing has been built before.

use super::fresh;
use crate::python::empty;
use crate::{Result, files, process, workspace};
use std::fs;
use std::process::Command;

/// Six minutes of two processors, in seconds.
const MOST: f64 = 720.0;

const PAGE: &str = "docs/packages.md";
const ROW: [&str; 2] = ["| `pip install .` from a clone |", "\n`cargo xtask package times`"];

/// Runs a command, and prints the seconds that it took, and those of processors that it and its children used.
const MEASURE: &str = "
import resource, subprocess, sys, time
began = time.monotonic()
subprocess.run(sys.argv[1:], check=True, stdout=sys.stderr)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.monotonic() - began, used.ru_utime + used.ru_stime)
";

pub fn run() -> Result {
    let room = fresh("times")?;
    let (clone, environment) = (room.join("clone"), empty(&room.join("venv"))?);
    process::run(Command::new("git").args(["clone", "--quiet"]).arg(workspace::root()).arg(&clone))?;
    let mut measure = environment.python();
    measure.args(["-c", MEASURE]).arg(environment.program("python"));
    measure.args(["-m", "pip", "install", "--quiet", "--no-deps", "."]).current_dir(&clone);
    let printed = process::output(workspace::undescribed(measure.env_remove("CARGO_TARGET_DIR")))?;
    let seconds: Vec<f64> = printed.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [wall, processors] = seconds[..] else { return Err(format!("cannot read {printed}").into()) };
    process::run(environment.python().arg(workspace::root().join("examples/first.py")).current_dir(&room))?;
    fs::remove_dir_all(&room)?;
    println!("{wall:.0} s, {processors:.0} s of processors");
    // Other programs on the machine change the time, and hardly what the processors do.
    let row = format!(" {processors:.0} s | {MOST:.0} s |\n");
    files::rewrite(PAGE, ROW, |_| row)?;
    if processors > MOST {
        return Err(format!("pip used {processors:.0} s of processors, and may use {MOST}").into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_row() {
        let page = fs::read_to_string(workspace::root().join(PAGE)).unwrap();
        let changed = files::between(&page, ROW, |_| " 1 s | 2 s |\n".to_owned()).unwrap();
        assert!(
            changed
                .contains("\n| `pip install .` from a clone | 1 s | 2 s |\n\n`cargo xtask package times` ")
        );
        assert_eq!(changed.lines().count(), page.lines().count());
    }
}
