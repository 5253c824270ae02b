//! The start of a program: goal 9.

use super::page::{PageSection, WantedSide};
use super::{Sizes, tools::Tools};
use crate::{Result, process};

pub fn run(tools: &Tools, sizes: &Sizes) -> Result<PageSection> {
    let mut section = PageSection::default();
    let service = tools.service(1)?;
    let said = process::output(&mut tools.python("start.py", &[&service.port, &sizes.starts.to_string()]))?;
    section.line(format_args!("## Start of a program in Python\n"));
    section.line(format_args!(
        "| program | over a bare interpreter, wall ms | CPU ms | threads |\n|---|---|---|---|"
    ));
    let mut found: Vec<(&str, [f64; 3])> = Vec::new();
    for line in said.lines() {
        let mut words = line.split('\t');
        let way = words.next().unwrap_or_default();
        let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
        let [wall, cpu, threads] = numbers[..] else { return Err(format!("cannot read {line}").into()) };
        found.push((way, [wall * 1e3, cpu * 1e3, threads]));
    }
    let bare = found.first().map_or([0.0; 3], |(_, numbers)| *numbers);
    for (way, [wall, cpu, threads]) in &found {
        section.line(format_args!("| {way} | {:.1} | {:.1} | {threads:.0} |", wall - bare[0], cpu - bare[1]));
    }
    section.line(format_args!(""));
    let of = |wanted: &str| found.iter().find(|(way, _)| *way == wanted).map(|(_, numbers)| *numbers);
    let import = of("import sondage");
    section.goal(
        9,
        "import, over a bare interpreter",
        WantedSide::AtMost(5.0),
        import.map(|import| import[0] - bare[0]),
        " ms",
    );
    section.goal(9, "threads after the import", WantedSide::AtMost(1.0), import.map(|import| import[2]), "");
    let first = of("sondage, first call").zip(import).map(|(call, import)| call[0] - import[0]);
    section.goal(9, "first call with its token, after the import", WantedSide::AtMost(5.0), first, " ms");
    Ok(section)
}
