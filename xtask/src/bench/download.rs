//! A large response over HTTP: goal 5.

use super::cost::{self, Cost};
use super::page::{PageSection, WantedSide};
use super::{Sizes, tools::Tools};
use crate::Result;

const OURS: &str = "sondage";
const RAW: [&str; 2] = ["requests, the bytes", "httpx, the bytes"];
const CURL: &str = "curl, thrown away";
const WAYS: [&str; 6] = [OURS, RAW[0], RAW[1], "requests + json + pandas", "httpx + orjson + polars", CURL];
/// The surveys of the service: the same response, plain and compressed.
const SURVEYS: [(&str, &str); 2] = [("1", "plain"), ("2", "gzip")];

pub fn run(tools: &Tools, sizes: &Sizes) -> Result<PageSection> {
    let mut section = PageSection::default();
    let service = tools.service(sizes.download)?;
    section.line(format_args!(
        "## Over HTTP, in Python\n\n{} MB, compact, 60 columns, {} interviews in one answer, on this machine. sondage ends with a typed table, \
         after a second, empty answer that proves that nothing is missing; the bytes end with `bytes`; curl throws them away.\n",
        sizes.download, service.rows
    ));
    for (survey, encoding) in SURVEYS {
        let costs = cost::rounds(sizes.rounds, &WAYS, |way| {
            tools.python("fetch.py", &[way, &service.port, survey, &service.rows])
        })?;
        section.line(format_args!(
            "| {encoding} | CPU, ratio | CPU, ms | wall, ms | peak memory, MiB |\n|---|---|---|---|---|"
        ));
        let ours = |number| cost::of(&costs, OURS, number);
        for Cost { way, numbers } in &costs {
            let [cpu, wall, peak] = numbers[..] else { return Err("`fetch.py` says three numbers".into()) };
            section.line(format_args!(
                "| {way} | {:.2} | {:.0} | {:.0} | {:.0} |",
                cpu / ours(0).unwrap_or(f64::NAN),
                cpu * 1e3,
                wall * 1e3,
                peak / 1_048_576.0
            ));
        }
        section.line(format_args!(""));
        let to = |ways: &[&str], number| Some(ours(number)? / cost::best(&costs, ways, number)?);
        section.goal(
            5,
            format!("{encoding}, table, CPU to the bytes by requests or httpx"),
            WantedSide::AtMost(1.0),
            to(&RAW, 0),
            " times",
        );
        section.goal(
            5,
            format!("{encoding}, table, memory to the bytes by requests or httpx"),
            WantedSide::AtMost(1.0),
            to(&RAW, 2),
            " times",
        );
        if encoding == "gzip" {
            section.goal(
                5,
                "gzip, table, CPU to `curl --compressed`",
                WantedSide::AtMost(1.05),
                to(&[CURL], 0),
                " times",
            );
        }
    }
    Ok(section)
}
