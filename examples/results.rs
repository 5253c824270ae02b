//! Counts answers, and shows them: on a survey platform in this process.

use sondage::arguments::{CrosstabOptions, FrequenciesOptions, InterviewsOptions, QualityOptions};
use sondage_data::Picture;
use sondage_data::blocking::Tables;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::FieldReportOptions;
use sondage_sandbox::Sandbox;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let sandbox = Sandbox::demo_blocking()?;
    let client = sandbox.client().build_blocking()?;
    let interviews = client.interviews(InterviewsOptions::new(sandbox.survey_id()))?;

    // One question. Only its column is downloaded.
    println!("{}", interviews.frequencies(FrequenciesOptions::new("vote"))?.to_text());

    // One question by another; as text, as data, and as a picture.
    let crosstab = interviews.crosstab(CrosstabOptions::new("vote", "PID").show(vec!["col%".to_owned()]))?;
    println!("{}", crosstab.to_text());
    let (cells, picture) = (crosstab.cells.len(), crosstab.to_svg());
    println!("{} of {} rows, {cells} cells, {}..>", crosstab.base, crosstab.rows, &picture[..4]);

    // Who answered an invitation, by language.
    let feedback = sandbox.feedback_survey_id();
    let report = client.field_report(FieldReportOptions::new(feedback).by("Language"))?;
    println!("{}", report.to_text());

    // Interviews that may not be worth counting.
    let quality = interviews.quality(QualityOptions::new().speeder_percent(30))?;
    for check in &quality.checks {
        println!("{}: {} of {}", check.name, check.marked, check.examined);
    }
    Ok(())
}
