//! The report of rows that are sent without a journal, from the responses.

use super::format::RowsFormat;
use super::report::{Attribution, ImportReport, RowResult, RowStatus};
use super::send::{chunk_refusal, placed, refusal};
use sondage::error::{Error, Result};
use sondage::model::CreateMembersResponse;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fills in a report while rows are sent, chunk by chunk.
#[doc(hidden)] // for sondage-data
#[derive(Debug)]
pub struct Tally(ImportReport);

impl Tally {
    /// No row was sent.
    pub fn new(panel_id: i64) -> Self {
        Self(ImportReport {
            panel_id,
            journal: None,
            stopped: None,
            resumed: false,
            unattributed: Vec::new(),
            format: None,
            columns: Vec::new(),
            note: String::new(),
            kept: Vec::new(),
            reasons: BTreeMap::new(),
            first_row: 0,
            again: false,
            chunk_refused: false,
            ahead: None,
        })
    }

    /// The rows are from a file that was read in this way.
    #[must_use]
    pub fn in_format(mut self, format: Option<RowsFormat>) -> Self {
        self.0.format = format;
        self
    }

    /// How many rows were sent.
    pub fn len(&self) -> usize {
        self.0.kept.len()
    }

    /// Whether no row was sent.
    pub fn is_empty(&self) -> bool {
        self.0.kept.is_empty()
    }

    /// Takes the response for the next rows. `false`: it is an error, after which nothing more is to be sent.
    pub fn add(&mut self, rows: usize, answer: Result<CreateMembersResponse>) -> bool {
        match answer {
            Ok(answer) => self.answered(rows, &answer),
            Err(error) => {
                let (status, reason) = if !error.changed_nothing() {
                    (RowStatus::Unknown, Some("the service did not answer".into()))
                } else if let Some(reason) = chunk_refusal(&error) {
                    self.0.chunk_refused = true;
                    (RowStatus::Refused, Some(reason))
                } else {
                    (RowStatus::NotSent, None)
                };
                self.push(rows, status, reason.as_ref());
                self.0.stopped = Some(error);
            }
        }
        self.0.stopped.is_none()
    }

    fn answered(&mut self, rows: usize, answer: &CreateMembersResponse) {
        let issues = &answer.validation_issues;
        if let Some(ids) = placed(rows, answer) {
            for id in ids {
                let refused = id == 0;
                let status = if refused { RowStatus::Refused } else { RowStatus::Created };
                self.push(1, status, refused.then(|| refusal(issues)).as_ref());
                if let Some(kept) = self.0.kept.last_mut() {
                    *kept = RowResult { id, how: Attribution::Answer, ..*kept };
                }
            }
            return;
        }
        let created_ids: Vec<i64> = answer.members_ids.iter().flatten().copied().collect();
        if created_ids.is_empty() && !issues.is_empty() {
            self.push(rows, RowStatus::Refused, Some(&refusal(issues)));
        } else {
            let reason = "the service accepted some rows of its chunk and did not say which".into();
            self.push(rows, RowStatus::Unknown, Some(&reason));
        }
        self.0.unattributed.extend(created_ids);
    }

    fn push(&mut self, rows: usize, status: RowStatus, reason: Option<&Arc<str>>) {
        for _ in 0..rows {
            if let (Some(reason), Ok(row)) = (reason, u32::try_from(self.len())) {
                self.0.reasons.insert(row, Arc::clone(reason));
            }
            self.0.kept.push(RowResult { status, how: Attribution::None, id: 0 });
        }
    }

    /// The report. `left`: rows that were not sent; `stopped`: the error, unless a response stopped the run.
    pub fn end(mut self, left: usize, stopped: Option<Error>) -> ImportReport {
        self.push(left, RowStatus::NotSent, None);
        self.0.stopped = self.0.stopped.or(stopped).map(Error::in_report);
        self.0
    }
}
