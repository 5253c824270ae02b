//! A large response over HTTP: goal 5.

use super::cost::{self, Cost};
use super::goals::Goals;
use super::{Result, Sizes, Tools};

const OURS: &str = "sondage";
const RAW: [&str; 2] = ["requests, the bytes", "httpx, the bytes"];
const CURL: &str = "curl, thrown away";
const WAYS: [&str; 6] = [OURS, RAW[0], RAW[1], "requests + json + pandas", "httpx + orjson + polars", CURL];
/// The surveys of the service: the same response, plain and compressed.
const SURVEYS: [(&str, &str); 2] = [("1", "plain"), ("2", "gzip")];

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    let service = tools.service(sizes.download)?;
    println!(
        "## Over HTTP, in Python\n\n{} MB, compact, 60 columns, {} interviews in one answer, on this machine. sondage ends with a typed table, \
         after a second, empty answer that proves that nothing is missing; the bytes end with `bytes`; curl throws them away.\n",
        sizes.download, service.rows
    );
    for (survey, encoding) in SURVEYS {
        let costs = cost::rounds(sizes.rounds, &WAYS, |way| {
            tools.python("fetch.py", &[way, &service.port, survey, &service.rows])
        })?;
        println!(
            "| {encoding} | CPU, ratio | CPU, ms | wall, ms | peak memory, MiB |\n|---|---|---|---|---|"
        );
        let ours = |number| cost::of(&costs, OURS, number);
        for Cost { way, numbers } in &costs {
            let [cpu, wall, peak] = numbers[..] else { return Err("`fetch.py` says three numbers".into()) };
            println!(
                "| {way} | {:.2} | {:.0} | {:.0} | {:.0} |",
                cpu / ours(0).unwrap_or(f64::NAN),
                cpu * 1e3,
                wall * 1e3,
                peak / 1_048_576.0
            );
        }
        println!();
        let to = |ways: &[&str], number| Some(ours(number)? / cost::best(&costs, ways, number)?);
        goals.most(
            5,
            format!("{encoding}, table, CPU to the bytes by requests or httpx"),
            1.0,
            to(&RAW, 0),
            " times",
        );
        goals.most(
            5,
            format!("{encoding}, table, memory to the bytes by requests or httpx"),
            1.0,
            to(&RAW, 2),
            " times",
        );
        if encoding == "gzip" {
            goals.most(5, "gzip, table, CPU to `curl --compressed`", 1.05, to(&[CURL], 0), " times");
        }
    }
    Ok(())
}
