//! The start of a program: goal 9.

use super::goals::Goals;
use super::{Result, Sizes, Tools, cost};

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    let service = tools.service(1)?;
    let said = cost::output(&mut tools.python("start.py", &[&service.port, &sizes.starts.to_string()]))?;
    println!("## Start of a program in Python\n");
    println!("| program | over a bare interpreter, wall ms | CPU ms | threads |\n|---|---|---|---|");
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
        println!("| {way} | {:.1} | {:.1} | {threads:.0} |", wall - bare[0], cpu - bare[1]);
    }
    println!();
    let of = |wanted: &str| found.iter().find(|(way, _)| *way == wanted).map(|(_, numbers)| *numbers);
    let import = of("import sondage");
    goals.most(9, "import, over a bare interpreter", 5.0, import.map(|import| import[0] - bare[0]), " ms");
    goals.most(9, "threads after the import", 1.0, import.map(|import| import[2]), "");
    let first = of("sondage, first call").zip(import).map(|(call, import)| call[0] - import[0]);
    goals.most(9, "first call with its token, after the import", 5.0, first, " ms");
    Ok(())
}
