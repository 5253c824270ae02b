//! The cost of a cell in small and large, narrow and wide responses: goal 11.

use super::cost;
use super::goals::Goals;
use super::{Result, Sizes, Tools};

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    println!("## Size\n\nCompact, to a finished table, warm.\n");
    println!("| columns | cells | ns a cell |\n|---|---|---|");
    let widest = sizes.cells.len().min(3);
    let narrow = sizes.cells.iter().map(|cells| (60, *cells));
    let wide = std::iter::once((300, sizes.cells[widest - 1]));
    let mut found: Vec<(usize, f64, f64)> = Vec::new();
    for (columns, cells) in narrow.chain(wide) {
        let words = [columns.to_string(), cells.to_string()];
        let runs = (0..sizes.rounds).map(|_| {
            let said = cost::numbers(&mut tools.program(&["scale", &words[0], &words[1]]))?;
            let [cells, nanoseconds] = said[..] else { return Err("`scale` says two numbers".into()) };
            Ok((cells, nanoseconds))
        });
        let runs = runs.collect::<Result<Vec<_>>>()?;
        let best = runs.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).ok_or("nothing was measured")?;
        println!("| {columns} | {:.0} | {:.1} |", best.0, best.1);
        found.push((columns, best.0, best.1));
    }
    println!();
    let costs = |columns| found.iter().filter(move |found| found.0 == columns).map(|found| found.2);
    let (least, most) = (costs(60).min_by(f64::total_cmp), costs(60).max_by(f64::total_cmp));
    let spread = most.zip(least).map(|(most, least)| most / least);
    goals.most(
        11,
        "60 columns, the highest time per cell of all sizes divided by the lowest",
        1.3,
        spread,
        " times",
    );
    let same_size = costs(60).nth(widest - 1);
    let wide = costs(300).next().zip(same_size).map(|(wide, narrow)| wide / narrow);
    goals.most(11, "300 columns to 60, ns a cell", 1.25, wide, " times");
    Ok(())
}
