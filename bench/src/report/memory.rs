//! Memory that must not grow with the survey: part of goal 4.

use super::cost;
use super::goals::Goals;
use super::{Result, Sizes, Tools};

pub const PARQUET: &str = "peak of an export to Parquet, ten times the interviews";
const MEGABYTE: f64 = 1_048_576.0;
/// Rows per page: an export has this many in memory, whatever the size of the survey.
const PAGE: &str = "5000";

pub fn run(tools: &Tools, sizes: &Sizes, goals: &mut Goals) -> Result {
    let service = tools.service(1)?;
    println!(
        "## Memory of large surveys\n\nThe most memory that the process had (VmHWM), interviews of 20 columns in pages of {PAGE}, from a service in \
         another process, which hands them out in the order of their ids. Batches keep 9 bytes of each id, by which rows are told apart; an export looks at its \
         pages on the disk again, as long as ids ascend.\n"
    );
    println!("| what | interviews | peak, MiB | seconds |\n|---|---|---|---|");
    let file = tools.folder.join("interviews.parquet").to_string_lossy().into_owned();
    for (word, what) in [(file.as_str(), "export to Parquet"), ("batches", "streamed batches")] {
        let mut peaks = Vec::new();
        for interviews in sizes.interviews {
            let said = cost::numbers(&mut tools.program(&[
                "download",
                word,
                &service.port,
                &interviews.to_string(),
                PAGE,
            ]))?;
            let [rows, _, wall, peak] = said[..] else { return Err("`download` says four numbers".into()) };
            if format!("{rows}") != format!("{interviews}") {
                return Err(format!("{what}: {rows} of {interviews} interviews").into());
            }
            println!("| {what} | {rows} | {:.1} | {wall:.1} |", peak / MEGABYTE);
            peaks.push(peak);
        }
        let [small, large] = peaks[..] else { continue };
        if word == "batches" {
            goals.most(
                4,
                "peak of streamed batches, the largest survey",
                32.0,
                Some(large / MEGABYTE),
                " MiB",
            );
        } else {
            goals.most(4, PARQUET, 1.2, Some(large / small), " times");
        }
    }
    println!();
    Ok(())
}
