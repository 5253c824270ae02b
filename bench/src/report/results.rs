//! A crosstab that is counted page by page: memory that must not grow, and the cost beside pandas.

use super::cost::{self, Cost};
use super::goals::Goals;
use super::{Result, Sizes, Tools};

const OURS: &str = "sondage";
const PEER: &str = "pandas + orjson";
const COLUMNS: usize = 60;
const MEGABYTE: f64 = 1_048_576.0;

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    let service = tools.service_of(1, COLUMNS)?;
    println!(
        "## Crosstabs\n\nTwo columns of a survey of {COLUMNS}, from a service in another process, in Python; downloading is included. \
         pandas gets these two columns of the pages as orjson reads them.\n"
    );
    println!(
        "| interviews | way | CPU, ratio | CPU, s | wall, s | peak above the start, MiB |\n|---|---|---|---|---|---|"
    );
    for interviews in sizes.interviews {
        let rows = interviews.to_string();
        let costs = cost::rounds(1, &[OURS, PEER], |way| {
            tools.python("results.py", &[way, &service.port, &rows])
        })?;
        for Cost { way, numbers } in &costs {
            let [cpu, wall, peak, counted] = numbers[..] else {
                return Err("`results.py` says four numbers".into());
            };
            if format!("{counted}") != rows {
                return Err(format!("{way} counted {counted} of {rows} interviews").into());
            }
            let ratio = cpu / cost::of(&costs, OURS, 0).unwrap_or(f64::NAN);
            println!("| {rows} | {way} | {ratio:.1} | {cpu:.2} | {wall:.2} | {:.1} |", peak / MEGABYTE);
        }
        if interviews == sizes.interviews[1] {
            let peak = cost::of(&costs, OURS, 2).map(|peak| peak / MEGABYTE);
            goals.most(4, format!("peak of a crosstab, {rows} interviews"), 64.0, peak, " MiB");
            let ratio =
                cost::of(&costs, PEER, 0).zip(cost::of(&costs, OURS, 0)).map(|(peer, ours)| peer / ours);
            goals.least(8, format!("a crosstab, CPU to {PEER}"), 5.0, ratio, " times");
        }
    }
    println!();
    Ok(())
}
