//! The outcome of rows whose members one call created. The response names no members, so they are found by their keys.

use super::facts::Planned;
use super::past::OpenPast;
use super::report::{Outcome, RowOutcome, SendStatus};
use super::request::SendResult;
use crate::import::{persons::TAKEN_OUT, refusal};
use sondage::error::Result;
use std::collections::BTreeMap;

/// Why the outcome of a row is unknown although the service has responded.
pub(super) const SOME: &str = "the service accepted some rows of its call and did not say which";

/// The member for each row: 0 if the service refused it, [`TAKEN_OUT`] if it was created and is not visible yet. `None`
/// if this cannot be determined.
///
/// `issues`: the number of issues in the response. `over`: whether the quiet time is over, so that a member that does not
/// exist was not created.
pub(super) fn attributed(
    rows: &[i64],
    there: &BTreeMap<i64, i64>,
    issues: usize,
    over: bool,
) -> Option<Vec<i64>> {
    let missing = rows.iter().filter(|row| !there.contains_key(row)).count();
    let absent = match issues {
        0 => TAKEN_OUT,
        // An issue may concern several rows, or a row that the list does not show yet.
        _ if missing <= issues || over => 0,
        _ => return None,
    };
    Some(rows.iter().map(|row| there.get(row).copied().unwrap_or(absent)).collect())
}

impl Planned {
    /// Determines the outcome of the rows of a call that got a response. An error means that the members could not be read.
    pub(super) async fn attribute(
        &self,
        rows: &[i64],
        made: &SendResult,
        outcome: &mut Outcome,
        journal: Option<(&OpenPast, u64)>,
    ) -> Result<()> {
        let read = self.order.read_back(&self.client, &self.seen).await;
        let answer = match &read {
            Ok(None) => return Ok(()),
            Ok(Some(there)) => attributed(rows, there, made.issues.len(), false),
            Err(_) => None,
        };
        let Some(ids) = answer else {
            if !made.issues.is_empty() {
                outcome.set(rows, SendStatus::Unknown, Some(SOME));
            }
            return read.map(|_| ());
        };
        for (row, id) in rows.iter().zip(&ids) {
            let row_outcome = match id {
                0 => RowOutcome::new(SendStatus::Refused, Some(refusal(&made.issues).to_string())),
                id => {
                    RowOutcome { member: (*id > 0).then_some(*id), ..RowOutcome::new(SendStatus::Done, None) }
                }
            };
            outcome.rows.insert(*row, row_outcome);
        }
        match journal {
            Some((journal, chunk)) => journal.found(chunk, ids).await,
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_called_refused_who_may_have_been_created() {
        let members = BTreeMap::from([(0, 70), (2, 72)]);
        let of = |issues, over| attributed(&[0, 1, 2, 3], &members, issues, over);
        assert_eq!(of(0, false), Some(vec![70, TAKEN_OUT, 72, TAKEN_OUT]), "the list lags behind");
        assert_eq!(of(2, false), Some(vec![70, 0, 72, 0]));
        assert_eq!(of(1, false), None, "one of them was refused, and the other is not to be seen yet");
        assert_eq!(of(1, true), Some(vec![70, 0, 72, 0]), "the service has had its time");
    }
}
