//! Memory that must not grow with the survey: part of goal 4.

use super::cost;
use super::page::{PageSection, WantedSide};
use super::{Sizes, tools::Tools};
use crate::Result;

const PARQUET: &str = "peak of an export to Parquet, ten times the interviews";
const MEGABYTE: f64 = 1_048_576.0;
/// Rows per page: an export has this many in memory, whatever the size of the survey.
const PAGE: &str = "5000";

pub fn run(tools: &Tools, sizes: &Sizes) -> Result<PageSection> {
    let mut section = PageSection::default();
    let service = tools.service(1)?;
    section.line(format_args!(
        "## Memory of large surveys\n\nThe most memory that the process had (VmHWM), interviews of 20 columns in pages of {PAGE}, from a service in \
         another process, which hands them out in the order of their ids. Batches keep 9 bytes of each id, by which rows are told apart; an export looks at its \
         pages on the disk again, as long as ids ascend.\n"
    ));
    section.line(format_args!("| what | interviews | peak, MiB | seconds |\n|---|---|---|---|"));
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
            section.line(format_args!("| {what} | {rows} | {:.1} | {wall:.1} |", peak / MEGABYTE));
            peaks.push(peak);
        }
        let [small, large] = peaks[..] else { continue };
        if word == "batches" {
            section.goal(
                4,
                "peak of streamed batches, the largest survey",
                WantedSide::AtMost(32.0),
                Some(large / MEGABYTE),
                " MiB",
            );
        } else {
            section.goal(4, PARQUET, WantedSide::AtMost(1.2), Some(large / small), " times");
        }
    }
    section.line(format_args!(""));
    Ok(section)
}

/// Growing memory is an error, not just a worse figure.
pub fn check(sections: &[PageSection]) -> Result {
    let grows = |goal: &&super::page::Goal| goal.what == PARQUET && goal.met() == Some(false);
    match sections.iter().flat_map(|section| &section.goals).find(grows) {
        Some(goal) => {
            Err(format!("{} took {:.2} times the memory", goal.what, goal.measured.unwrap_or(0.0)).into())
        }
        None => Ok(()),
    }
}
