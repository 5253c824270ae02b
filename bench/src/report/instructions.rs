//! Instructions per cell, which other load on the machine does not affect: goal 3.

use super::goals::Goals;
use super::{Result, Sizes, Tools};
use std::process::Command;

const ANSWERS: [(&str, usize); 4] = [("compact", 60), ("compact", 300), ("structured", 60), ("members", 18)];

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    println!("## Instructions of a cell\n");
    let there =
        Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success());
    if there {
        println!("callgrind, decoding alone, as the slope between two sizes.\n");
        println!("| answer | instructions |\n|---|---|");
    } else {
        println!("Not counted: valgrind is missing (`apt-get install valgrind`).\n");
    }
    for (form, columns) in ANSWERS {
        let slope = if there { Some(slope(tools, form, columns, sizes)?) } else { None };
        if let Some(slope) = slope {
            println!("| {form}, {columns} columns | {slope:.0} |");
        }
        goals.most(3, format!("{form}, {columns} columns, instructions of a cell"), 150.0, slope, "");
    }
    println!();
    Ok(())
}

fn slope(tools: &Tools, form: &str, columns: usize, sizes: &Sizes) -> Result<f64> {
    let [small, large] = sizes.kilobytes;
    let (small, large) = (count(tools, form, columns, small)?, count(tools, form, columns, large)?);
    Ok((large.0 - small.0) / (large.1 - small.1))
}

/// Instructions and cells.
fn count(tools: &Tools, form: &str, columns: usize, kilobytes: usize) -> Result<(f64, f64)> {
    let program = tools.program(&["count", form, &columns.to_string(), &kilobytes.to_string()]);
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=*decode_only*"]);
    let output = valgrind.arg(program.get_program()).args(program.get_args()).output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected =
        said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse::<f64>().ok());
    let cells = String::from_utf8_lossy(&output.stdout).trim().parse::<f64>();
    match (collected.filter(|collected| *collected > 0.0), cells) {
        (Some(collected), Ok(cells)) => Ok((collected, cells)),
        _ => Err(format!("callgrind counted nothing: {said}").into()),
    }
}
