//! Responses in memory to tables: goals 1 to 4 and 6.

use super::cost::{self, Cost};
use super::goals::Goals;
use super::{Result, Sizes, Tools};
use std::fs;

const OURS: &str = "sondage";
const SKIP: &str = "sonic-rs, skipping";
const OWN: [&str; 3] = [OURS, "sondage, the ordinary way", SKIP];
const PEERS: [&str; 5] =
    ["orjson + polars", "pyarrow.json", "orjson + pandas", "json + pandas", "polars.read_json"];

/// The positions of the figures in the output of a way.
const CPU: usize = 0;
const WALL: usize = 1;
const PEAK: usize = 2;
const RESULT: usize = 3;
const AFTER: usize = 4;

/// A response that was measured.
struct MeasuredAnswer {
    form: &'static str,
    columns: usize,
    /// Whether it is the smaller one of two.
    small: bool,
    bytes: f64,
    cells: f64,
    costs: Vec<Cost>,
}

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    println!("## Answers in memory to tables\n");
    let mut largest = 0;
    for (form, columns, megabytes) in sizes.answers {
        let file = tools.folder.join(format!("{form}-{columns}.json"));
        let name = file.to_string_lossy().into_owned();
        let said = cost::numbers(&mut tools.program(&[
            "write",
            form,
            &columns.to_string(),
            &megabytes.to_string(),
            &name,
        ]))?;
        let [bytes, rows, cells] = said[..] else { return Err("`write` says three numbers".into()) };
        let small = *megabytes < largest && *columns == 60;
        largest = largest.max(*megabytes);
        let ways: Vec<&'static str> = OWN.into_iter().chain(PEERS).collect();
        // Each way first reads a small response, as a program does that has just started.
        let times = if small { "1" } else { "3" };
        let costs = cost::rounds(sizes.rounds, &ways, |way| {
            if PEERS.contains(&way) {
                tools.python("peers.py", &[way, form, &name, "1"])
            } else {
                tools.program(&["measure", way, form, &name, times])
            }
        })?;
        fs::remove_file(&file)?;
        let answer = MeasuredAnswer { form, columns: *columns, small, bytes, cells, costs };
        let megabytes = bytes / 1e6;
        println!("### {form}, {columns} columns: {megabytes:.0} MB, {rows} rows\n");
        table(&answer);
        judge(&answer, goals);
    }
    Ok(())
}

fn table(answer: &MeasuredAnswer) {
    println!(
        "| way | wall, ratio | CPU, ratio | ns a cell | wall, ms | peak memory, inputs |\n|---|---|---|---|---|---|"
    );
    let ours = |number| cost::of(&answer.costs, OURS, number).unwrap_or(f64::NAN);
    for Cost { way, numbers } in &answer.costs {
        println!(
            "| {way} | {:.1} | {:.1} | {:.1} | {:.0} | {:.2} |",
            numbers[WALL] / ours(WALL),
            numbers[CPU] / ours(CPU),
            numbers[CPU] * 1e9 / answer.cells,
            numbers[WALL] * 1e3,
            numbers[PEAK] / answer.bytes,
        );
    }
    println!(
        "\nThe table of sondage takes {:.2} of the answer's size, and was ready {:.1} ms after the last byte.\n",
        ours(RESULT) / answer.bytes,
        ours(AFTER) * 1e3
    );
}

fn judge(answer: &MeasuredAnswer, goals: &mut Goals) {
    let MeasuredAnswer { form, columns, costs, .. } = answer;
    let ours = |number| cost::of(costs, OURS, number);
    let times = |other: Option<f64>, ours: Option<f64>| Some(other? / ours?);
    let best_wall = times(cost::best(costs, &PEERS, WALL), ours(WALL));
    let what = format!("{form}, {columns} columns, {:.0} MB", answer.bytes / 1e6);
    let against = |way: &str| times(cost::of(costs, way, WALL), ours(WALL));
    match (*form, columns, answer.small) {
        ("compact", 60, false) => {
            goals.least(1, format!("{what}, wall, to the best peer"), 6.0, best_wall, " times");
            for (peer, least) in
                [("orjson + polars", 14.0), ("orjson + pandas", 16.0), ("polars.read_json", 40.0)]
            {
                goals.least(1, format!("{what}, wall, to {peer}"), least, against(peer), " times");
            }
        }
        ("compact", 60, true) => {
            let mut peers: Vec<f64> = PEERS.iter().filter_map(|peer| cost::of(costs, peer, WALL)).collect();
            peers.sort_by(f64::total_cmp);
            for (place, least) in [(0, 4.0), (1, 7.0)] {
                let which = ["best", "second best"][place];
                let measured = times(peers.get(place).copied(), ours(WALL));
                goals.least(1, format!("{what}, cold, wall, to the {which} peer"), least, measured, " times");
            }
        }
        ("structured", ..) => {
            goals.least(2, format!("{what}, wall, to the best peer"), 30.0, best_wall, " times");
        }
        ("members", ..) => {
            goals.least(2, format!("{what}, wall, to the best peer"), 50.0, best_wall, " times");
        }
        _ => {}
    }
    let most_after = if answer.small { 1.0 } else { 5.0 };
    let after = ours(AFTER).map(|after| after * 1e3);
    goals.most(6, format!("{what}, ready after the last byte"), most_after, after, " ms");
    if answer.small {
        return;
    }
    let cell = ours(CPU).map(|cpu| cpu * 1e9 / answer.cells);
    goals.most(3, format!("{what}, a cell, warm"), 12.0, cell, " ns");
    let skipping = times(cost::of(costs, SKIP, CPU), ours(CPU));
    goals.least(3, format!("{what}, CPU, to skipping by sonic-rs"), 1.0, skipping, " times");
    let peak = times(ours(PEAK), ours(RESULT));
    goals.most(4, format!("{what}, peak over input, to the result"), 1.3, peak, " times");
    let beside = times(ours(PEAK), cost::best(costs, &PEERS, PEAK));
    goals.most(4, format!("{what}, peak over input, to the best peer"), 0.25, beside, " times");
}
