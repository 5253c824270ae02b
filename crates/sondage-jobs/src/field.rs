//! Dispositions of everybody who was invited, and response rates as the American Association for Public Opinion Research
//! defines them ("Standard Definitions", internet surveys of specifically named persons).

use crate::field_groups::{self, GroupColumn};
use crate::options::FieldReportOptions;
use futures_util::future::BoxFuture;
use indexmap::IndexMap;
use sondage::error::Result;
use sondage::internals::runtime;
use sondage::job::{Job, Observer};
use sondage::model::{FieldValue, ReadInterviewListRequest};
use sondage::operations::ReadInterviewListCompact;
use sondage::{Client, Error, text};
use sondage_macros::report;
use std::fmt;

/// The most groups of a field report.
const MOST_GROUPS: usize = 500;

/// The dispositions of everybody who was invited to a survey, and the resulting response rates.
#[report]
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[non_exhaustive]
pub struct FieldReport {
    /// The survey.
    pub survey_id: i64,
    /// Interviews by invitation.
    pub cases: usize,
    /// Interviews by a public link. They have no sample, and are in no other count.
    pub uninvited: usize,
    /// Complete interviews (`I`).
    pub complete: usize,
    /// Partial interviews (`P`).
    pub partial: usize,
    /// Refusals and break-offs (`R`).
    pub refusal: usize,
    /// Other cases that are eligible and gave no interview (`O`).
    pub other: usize,
    /// Unknown eligibility, because there was no response or the message bounced (`UH` and `UO`).
    pub unknown: usize,
    /// Not eligible: screened out, or beyond a quota.
    pub not_eligible: usize,
    /// The share of eligible cases among those with known eligibility (`e`); nothing if there is none.
    pub eligibility: Option<f64>,
    /// Response rate 1: complete interviews among all cases that are or may be eligible.
    pub rr1: Option<f64>,
    /// Response rate 2: as 1, with partial interviews as responses.
    pub rr2: Option<f64>,
    /// Response rate 3: complete interviews among the eligible and the estimated share of the unknown.
    pub rr3: Option<f64>,
    /// Response rate 4: as 3, with partial interviews as responses.
    pub rr4: Option<f64>,
    /// Response rate 5: complete interviews among the cases known to be eligible.
    pub rr5: Option<f64>,
    /// Response rate 6: as 5, with partial interviews as responses.
    pub rr6: Option<f64>,
    /// The column by which the cases are broken down.
    pub by: Option<String>,
    /// The text of its question, with that of the row of a matrix and of the choice.
    pub by_label: Option<String>,
    /// The cases of each value of that column: those of a question in the order of the questionnaire, others most first.
    pub groups: Vec<FieldReportGroup>,
}

/// The dispositions of the cases with one value of a column.
#[report]
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[non_exhaustive]
pub struct FieldReportGroup {
    /// The value; nothing where there is none.
    pub value: Option<String>,
    /// The label of the value of a question.
    pub label: Option<String>,
    /// Interviews by invitation.
    pub cases: usize,
    /// Complete interviews (`I`).
    pub complete: usize,
    /// Partial interviews (`P`).
    pub partial: usize,
    /// Refusals and break-offs (`R`).
    pub refusal: usize,
    /// Other cases that are eligible and gave no interview (`O`).
    pub other: usize,
    /// Unknown eligibility (`UH` and `UO`).
    pub unknown: usize,
    /// Not eligible: screened out, or beyond a quota.
    pub not_eligible: usize,
    /// Response rate 1 of the group.
    pub rr1: Option<f64>,
    /// Response rate 2 of the group.
    pub rr2: Option<f64>,
    /// Response rate 3 of the group.
    pub rr3: Option<f64>,
    /// Response rate 4 of the group.
    pub rr4: Option<f64>,
    /// Response rate 5 of the group.
    pub rr5: Option<f64>,
    /// Response rate 6 of the group.
    pub rr6: Option<f64>,
}

/// Counts of cases, by the letters of the definitions. The service reports nothing that corresponds to a non-contact
/// (`NC`).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cases {
    complete: usize,
    partial: usize,
    refusal: usize,
    other: usize,
    unknown: usize,
    not_eligible: usize,
}

/// The disposition of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disposition {
    Complete,
    Partial,
    Refusal,
    Other,
    Unknown,
    NotEligible,
}

impl Disposition {
    /// `partial`: whether an interview that was started counts as partial, or as a break-off.
    fn of(state: &str, partial: bool) -> Self {
        match state {
            "Completed" => Self::Complete,
            "InProgress" if partial => Self::Partial,
            "InProgress" => Self::Refusal,
            "Screenout" | "Quotafull" => Self::NotEligible,
            // No response, or a bounce: in both cases the eligibility is unknown.
            "NotResponded" => Self::Unknown,
            _ => Self::Other,
        }
    }
}

impl Cases {
    fn count(&mut self, disposition: Disposition) {
        let counter = match disposition {
            Disposition::Complete => &mut self.complete,
            Disposition::Partial => &mut self.partial,
            Disposition::Refusal => &mut self.refusal,
            Disposition::Other => &mut self.other,
            Disposition::Unknown => &mut self.unknown,
            Disposition::NotEligible => &mut self.not_eligible,
        };
        *counter += 1;
    }

    /// Counts the case of an interview in this state.
    pub(crate) fn count_state(&mut self, state: &str, partial: bool) {
        self.count(Disposition::of(state, partial));
    }

    fn total(self) -> usize {
        self.complete + self.partial + self.refusal + self.other + self.unknown + self.not_eligible
    }

    fn group(self, value: Option<String>, column: &GroupColumn) -> FieldReportGroup {
        let label = value.as_deref().and_then(|value| column.of(value)).map(|(_, label)| label.to_owned());
        let Self { complete, partial, refusal, other, unknown, not_eligible } = self;
        let (_, [rr1, rr2, rr3, rr4, rr5, rr6]) = self.rates();
        let cases = self.total();
        FieldReportGroup {
            value,
            label,
            cases,
            complete,
            partial,
            refusal,
            other,
            unknown,
            not_eligible,
            rr1,
            rr2,
            rr3,
            rr4,
            rr5,
            rr6,
        }
    }

    /// The share of eligible cases among the resolved ones, and the six rates.
    pub(crate) fn rates(self) -> (Option<f64>, [Option<f64>; 6]) {
        let [complete, partial, unknown] = [self.complete, self.partial, self.unknown].map(float);
        let eligible = float(self.complete + self.partial + self.refusal + self.other);
        let eligibility = share(eligible, eligible + float(self.not_eligible));
        // If no case is resolved, all count as eligible, which gives the lowest possible rate.
        let likely = unknown * eligibility.unwrap_or(1.0);
        let of =
            |beside: f64| [share(complete, eligible + beside), share(complete + partial, eligible + beside)];
        let [[rr1, rr2], [rr3, rr4], [rr5, rr6]] = [unknown, likely, 0.0].map(of);
        (eligibility, [rr1, rr2, rr3, rr4, rr5, rr6])
    }
}

#[allow(clippy::cast_precision_loss)] // no survey has 2^53 interviews
fn float(count: usize) -> f64 {
    count as f64
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

async fn read(client: Client, options: FieldReportOptions) -> Result<FieldReport> {
    let FieldReportOptions { survey_id, partial, by } = options;
    let mut fields = vec!["Id", "State", "DistributorId"];
    let column = match &by {
        Some(by) => GroupColumn::read(&client, survey_id, by).await?,
        None => GroupColumn::default(),
    };
    fields.extend(by.as_deref().filter(|by| !["Id", "State", "DistributorId"].contains(by)));
    let request = ReadInterviewListRequest::new(survey_id).fields_to_download(fields);
    let mut pages = client.pages::<ReadInterviewListCompact>(request).pager()?;
    let mut groups: IndexMap<Option<String>, Cases> = IndexMap::new();
    let (mut cases, mut report) = (Cases::default(), FieldReport { survey_id, ..FieldReport::default() });
    let explained = |error: Error| match &by {
        Some(by) => column.explained(error, by),
        None => error,
    };
    while let Some(page) = pages.next().await.map_err(explained)? {
        for interview in &page {
            if absent(interview, "DistributorId") {
                report.uninvited += 1;
                continue;
            }
            report.cases += 1;
            let state = state_of(interview);
            cases.count_state(state, partial);
            if let Some(by) = &by {
                let value = interview.get(by.as_str()).and_then(field_groups::text_of);
                groups.entry(value).or_default().count_state(state, partial);
                if groups.len() > MOST_GROUPS {
                    return Err(Error::invalid_argument(text!(
                        "by: {by:?} has more than {MOST_GROUPS} different values, and is no group"
                    ))
                    .with_hint(field_groups::HINT));
                }
            }
        }
    }
    let Cases { complete, partial, refusal, other, unknown, not_eligible } = cases;
    let (eligibility, [rr1, rr2, rr3, rr4, rr5, rr6]) = cases.rates();
    let FieldReport { cases, uninvited, .. } = report;
    let mut groups: Vec<FieldReportGroup> =
        groups.into_iter().map(|(value, cases)| cases.group(value, &column)).collect();
    let place = |group: &FieldReportGroup| {
        let place = group.value.as_deref().and_then(|value| column.of(value)).map(|(place, _)| place);
        (column.title.is_some() && group.value.is_none(), place.unwrap_or(usize::MAX))
    };
    groups.sort_by(|a, b| {
        place(a).cmp(&place(b)).then_with(|| b.cases.cmp(&a.cases)).then_with(|| a.value.cmp(&b.value))
    });
    Ok(FieldReport {
        survey_id,
        cases,
        uninvited,
        complete,
        partial,
        refusal,
        other,
        unknown,
        not_eligible,
        eligibility,
        rr1,
        rr2,
        rr3,
        rr4,
        rr5,
        rr6,
        by_label: column.title,
        by,
        groups,
    })
}

/// The state of an interview.
pub(crate) fn state_of(interview: &IndexMap<String, FieldValue>) -> &str {
    interview.get("State").and_then(FieldValue::as_str).unwrap_or_default()
}

pub(crate) fn absent(interview: &IndexMap<String, FieldValue>, column: &str) -> bool {
    interview.get(column).is_none_or(FieldValue::is_null)
}

impl fmt::Display for FieldReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { survey_id, cases, complete, partial, refusal, other, unknown, not_eligible, .. } = self;
        write!(
            f,
            "survey {survey_id}: {cases} invited: {complete} complete, {partial} partial, {refusal} refused or broken off, "
        )?;
        write!(f, "{other} other, {unknown} unknown, {not_eligible} not eligible")?;
        let rates = [self.rr1, self.rr2, self.rr3, self.rr4, self.rr5, self.rr6];
        for (number, rate) in (1..).zip(rates) {
            match rate {
                Some(rate) => write!(f, "\n  RR{number} {:.1} %", rate * 100.0)?,
                None => write!(f, "\n  RR{number} none")?,
            }
        }
        Ok(())
    }
}

impl Job for FieldReportOptions {
    type With = ();
    type Progress = ();
    type Report = FieldReport;

    fn run(
        self,
        client: &Client,
        (): (),
        _: Option<Observer<()>>,
    ) -> BoxFuture<'static, Result<FieldReport>> {
        let client = client.clone();
        Box::pin(async move { runtime::here(read(client, self)).await })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the R package outcomerate (rOpenSci, README at 0c59953), which follows the ninth edition of the definitions:
    /// I 4, P 2, R 1, NC 1, O 1, UH 1, UO 1, NE 1. The non-contact is counted here as another eligible case.
    #[test]
    fn the_rates_are_those_of_a_published_example() {
        let cases = Cases { complete: 4, partial: 2, refusal: 1, other: 2, unknown: 2, not_eligible: 1 };
        let (eligibility, rates) = cases.rates();
        assert!((eligibility.unwrap() - 0.9).abs() < 1e-12);
        let readme = [0.364, 0.545, 0.370, 0.556, 0.444, 0.667];
        for (rate, shown) in rates.into_iter().zip(readme) {
            assert!((rate.unwrap() - shown).abs() < 0.000_5, "{rate:?} {shown}");
        }
    }

    #[test]
    fn without_cases_there_are_no_rates() {
        assert_eq!(Cases::default().rates(), (None, [None; 6]));
        let silent = Cases { unknown: 3, ..Cases::default() };
        assert_eq!(silent.rates(), (None, [Some(0.0), Some(0.0), Some(0.0), Some(0.0), None, None]));
    }
}
