//! The field report.

use crate::methods::kinds;
use serde::Serialize;
use sondage::Client;
use sondage::arguments::FieldReportOptions;
use sondage::jobs::{self, Job};

/// Counts and rates.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldReport {
    survey_id: i64,
    cases: usize,
    uninvited: usize,
    complete: usize,
    partial: usize,
    refusal: usize,
    other: usize,
    unknown: usize,
    not_eligible: usize,
    eligibility: Option<f64>,
    rr1: Option<f64>,
    rr2: Option<f64>,
    rr3: Option<f64>,
    rr4: Option<f64>,
    rr5: Option<f64>,
    rr6: Option<f64>,
}

/// Counts them.
pub fn report(client: &Client, options: FieldReportOptions) -> kinds::Call<FieldReport> {
    let work = options.run(client, (), None);
    Box::pin(async move { work.await.map(|report| told(&report)) })
}

fn told(report: &jobs::FieldReport) -> FieldReport {
    FieldReport {
        survey_id: report.survey_id,
        cases: report.cases,
        uninvited: report.uninvited,
        complete: report.complete,
        partial: report.partial,
        refusal: report.refusal,
        other: report.other,
        unknown: report.unknown,
        not_eligible: report.not_eligible,
        eligibility: report.eligibility,
        rr1: report.rr1,
        rr2: report.rr2,
        rr3: report.rr3,
        rr4: report.rr4,
        rr5: report.rr5,
        rr6: report.rr6,
    }
}
