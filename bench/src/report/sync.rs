//! A store that is made by a sync: memory that must not grow, and the cost beside pandas.

use super::cost::{self, Cost};
use super::goals::Goals;
use super::{Result, Sizes, Tools};

const PAGE: &str = "5000";
const SQLITE: &str = "SQLite";
const DUCKDB: &str = "DuckDB";
const PEER: &str = "to_pandas, to_sql";
const MEGABYTE: f64 = 1_048_576.0;

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    let service = tools.service(1)?;
    let interviews = sizes.interviews[1];
    let rows = interviews.to_string();
    let folder = tools.folder.to_string_lossy().into_owned();
    let database = tools.folder.join("sync.sqlite").to_string_lossy().into_owned();
    println!(
        "## Sync\n\nThe first sync of a survey of {rows} interviews and 20 columns, from a service in another process, in pages of {PAGE}. `{PEER}`: a \
         Python program that reads with `to_pandas` and writes with `to_sql` into SQLite. Peak memory: of the whole process for {SQLITE}, which the \
         command writes; in Python above that of the interpreter with its libraries.\n"
    );
    let costs = cost::rounds(1, &[SQLITE, DUCKDB, PEER], |way| match way {
        SQLITE => tools.program(&["sync", &database, &service.port, &rows, PAGE]),
        _ => tools.python("sync.py", &[way, &service.port, &rows, &folder]),
    })?;
    println!("| way | CPU, s | CPU, ratio to pandas | wall, s | peak, MiB |\n|---|---|---|---|---|");
    let peer = cost::of(&costs, PEER, 1);
    for Cost { way, numbers } in &costs {
        let [found, cpu, wall, peak] = numbers[..] else { return Err("four numbers are said".into()) };
        if format!("{found}") != rows {
            return Err(format!("{way}: {found} of {rows} interviews").into());
        }
        let ratio = peer.unwrap_or(f64::NAN) / cpu;
        println!("| {way} | {cpu:.1} | {ratio:.1} | {wall:.1} | {:.1} |", peak / MEGABYTE);
    }
    println!();
    for way in [SQLITE, DUCKDB] {
        let peak = cost::of(&costs, way, 3).map(|peak| peak / MEGABYTE);
        goals.most(4, format!("peak of a sync to {way}, {rows} interviews"), 64.0, peak, " MiB");
        let times = peer.zip(cost::of(&costs, way, 1)).map(|(peer, ours)| peer / ours);
        goals.least(8, format!("a sync to {way}, CPU to `{PEER}`"), 3.0, times, " times");
    }
    Ok(())
}
