//! Columns of members to request bodies: goal 8.

use super::cost::{self, Cost};
use super::goals::Goals;
use super::{Result, Sizes, Tools};

const OURS: &str = "sondage";
const PEER: &str = "polars + orjson";

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    let rows = sizes.members.to_string();
    let costs = cost::rounds(sizes.rounds, &[OURS, PEER], |way| match way {
        OURS => tools.program(&["bodies", &rows, "3"]),
        _ => tools.python("members.py", &[&rows, "1"]),
    })?;
    println!(
        "## Bodies of CreateMembers\n\n{rows} members with 12 fields from columns to JSON, 1000 in a body, the same bytes by both.\n"
    );
    println!("| way | CPU, ratio | CPU, ms | ns a cell | peak memory, MiB |\n|---|---|---|---|---|");
    for Cost { way, numbers } in &costs {
        let [_, cpu, _, peak] = numbers[..] else { return Err("four numbers are said".into()) };
        let ratio = cpu / cost::of(&costs, OURS, 1).unwrap_or(f64::NAN);
        let cell = cpu * 1e9 / (f64::from(sizes.members) * 12.0);
        println!("| {way} | {ratio:.1} | {:.1} | {cell:.1} | {:.1} |", cpu * 1e3, peak / 1_048_576.0);
    }
    println!();
    let bytes = |way| cost::of(&costs, way, 0);
    if bytes(PEER).is_some_and(|peer| Some(peer.to_bits()) != bytes(OURS).map(f64::to_bits)) {
        return Err(format!("the bodies differ: {:?} and {:?} bytes", bytes(OURS), bytes(PEER)).into());
    }
    let times = cost::of(&costs, PEER, 1).zip(cost::of(&costs, OURS, 1)).map(|(peer, ours)| peer / ours);
    goals.least(8, "bodies, CPU to polars + orjson", 30.0, times, " times");
    let body = bytes(OURS).map(|bytes| bytes / (f64::from(sizes.members) / 1000.0));
    let peak = cost::of(&costs, OURS, 3).zip(body).map(|(peak, body)| peak / body);
    goals.most(8, "memory beyond the columns, in bodies", 4.0, peak, "");
    Ok(())
}
