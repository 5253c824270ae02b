//! Files of SPSS, Stata and Excel: memory that must not grow, and the cost beside other libraries.

use super::cost::{self, Cost};
use super::goals::Goals;
use super::{Result, Sizes, Tools};

const COLUMNS: usize = 60;
const PAGE: &str = "5000";
const OURS: &str = "sondage";
const MEGABYTE: f64 = 1_048_576.0;
/// Each format, whose rows are exported, and the library that writes it in Python.
const FORMATS: [(&str, &str, &str); 3] =
    [("sav", "SPSS", "pyreadstat"), ("dta", "Stata", "pandas"), ("xlsx", "Excel", "pandas + openpyxl")];

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    let service = tools.service_of(1, COLUMNS)?;
    let port = service.port.as_str();
    let file = |ending: &str| tools.folder.join(format!("answers.{ending}")).to_string_lossy().into_owned();
    println!(
        "## Files of SPSS, Stata and Excel\n\nA survey of {COLUMNS} columns, exported from a service in another process in pages of {PAGE}: the most \
         memory that the process had (VmHWM).\n"
    );
    println!("| what | interviews | peak, MiB | seconds | CPU, s |\n|---|---|---|---|---|");
    for (ending, program, _) in FORMATS {
        for interviews in sizes.interviews {
            // Excel has no more rows.
            let rows = if ending == "xlsx" { interviews.min(sizes.sheet) } else { interviews }.to_string();
            let said = cost::numbers(&mut tools.program(&["download", &file(ending), port, &rows, PAGE]))?;
            let [found, cpu, wall, peak] = said[..] else {
                return Err("`download` says four numbers".into());
            };
            if format!("{found}") != rows {
                return Err(format!("{program}: {found} of {rows} interviews").into());
            }
            println!("| {program} | {rows} | {:.1} | {wall:.1} | {cpu:.1} |", peak / MEGABYTE);
            if interviews == sizes.interviews[1] {
                let what = format!("peak of an export to {program}, {rows} interviews");
                goals.most(4, what, 64.0, Some(peak / MEGABYTE), " MiB");
            }
        }
    }
    println!("\nA table in memory to a file, in Python; the other library has a frame without labels.\n");
    println!(
        "| format | rows | way | CPU, ratio | CPU, s | peak above the table, MiB | file, MB |\n|---|---|---|---|---|---|---|"
    );
    for ((ending, program, peer), rows) in FORMATS.into_iter().zip(sizes.files) {
        let (rows, file) = (rows.to_string(), file(ending));
        let costs =
            cost::rounds(1, &[OURS, peer], |way| tools.python("files.py", &[way, port, &rows, &file]))?;
        for Cost { way, numbers } in &costs {
            let [cpu, _, peak, size] = numbers[..] else { return Err("`files.py` says four numbers".into()) };
            let ratio = cpu / cost::of(&costs, OURS, 0).unwrap_or(f64::NAN);
            let (peak, size) = (peak / MEGABYTE, size / 1e6);
            println!("| {program} | {rows} | {way} | {ratio:.1} | {cpu:.2} | {peak:.0} | {size:.1} |");
        }
        let ratio = cost::of(&costs, peer, 0).zip(cost::of(&costs, OURS, 0)).map(|(peer, ours)| peer / ours);
        let limit = match ending {
            "sav" => 12.0,
            "xlsx" => 15.0,
            _ => continue,
        };
        goals.least(8, format!("a file of {program}, CPU to {peer}"), limit, ratio, " times");
    }
    println!();
    Ok(())
}
