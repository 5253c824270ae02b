//! Small calls in Python and Node.js: goal 7.

use super::cost::{self, Cost};
use super::goals::Goals;
use super::{Result, Sizes, Tools};
use std::process::Command;

/// What is compared: the title, the ways, the number of concurrent calls, our maximum in µs, and the minimum factor
/// compared with the others.
struct Race {
    title: &'static str,
    ways: &'static [&'static str],
    together: bool,
    most: f64,
    peers: &'static [(&'static str, f64)],
}

/// Ours, with the daily count in a file.
const COUNTED: &str = "sondage, counted";

const RACES: [Race; 3] = [
    Race {
        title: "Python, asyncio",
        ways: &["sondage, async", "aiohttp", "httpx, async"],
        together: true,
        most: 20.0,
        peers: &[("aiohttp", 4.0), ("httpx, async", 50.0)],
    },
    Race {
        title: "Python, blocking",
        ways: &["sondage", COUNTED, "requests", "httpx"],
        together: false,
        most: 40.0,
        peers: &[("requests", 5.0)],
    },
    Race {
        title: "Node.js",
        ways: &["sondage", "undici", "fetch"],
        together: true,
        most: 25.0,
        peers: &[("undici", 1.8), ("fetch", 10.0)],
    },
];

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    let service = tools.service(1)?;
    let (calls, concurrency) = (sizes.calls.to_string(), sizes.concurrency.to_string());
    println!(
        "## Small calls\n\n`ReadPanel`, {calls} calls; asyncio and Node.js {concurrency} at once. CPU of a call, all threads.\n"
    );
    println!("| where | way | ratio | µs |\n|---|---|---|---|");
    for Race { title, ways, together, most, peers } in RACES {
        let concurrency = if together { concurrency.as_str() } else { "1" };
        let costs = cost::rounds(sizes.rounds, ways, |way| -> Command {
            let words = [way, &service.port, &calls, concurrency];
            if title == "Node.js" {
                tools.node("calls.mjs", &words)
            } else {
                tools.python("calls.py", &words)
            }
        })?;
        let ours = cost::of(&costs, ways[0], 0);
        for Cost { way, numbers } in &costs {
            let ratio = numbers[0] / ours.unwrap_or(f64::NAN);
            println!("| {title} | {way} | {ratio:.1} | {:.1} |", numbers[0] * 1e6);
        }
        goals.most(7, format!("{title}, CPU of a call"), most, ours.map(|ours| ours * 1e6), " µs");
        if let Some(counted) = cost::of(&costs, COUNTED, 0) {
            let more = ours.map(|ours| (counted - ours) * 1e6);
            goals.most(7, format!("{title}, CPU of the day's count"), 5.0, more, " µs");
        }
        for (peer, least) in peers {
            let times = cost::of(&costs, peer, 0).zip(ours).map(|(peer, ours)| peer / ours);
            goals.least(7, format!("{title}, CPU to {peer}"), *least, times, " times");
        }
    }
    println!();
    Ok(())
}
