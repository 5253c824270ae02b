//! The verdict for the caller.

use sondage_macros::{report, words};
use std::fmt;
use std::time::Duration;

/// Whether a write happened.
#[words]
#[non_exhaustive]
pub enum Verdict {
    /// The write happened: do not make the call again.
    Happened,
    /// The write did not happen, and will not: the call can be made again.
    DidNotHappen,
    /// Unknown.
    StillUnknown,
}

/// The verdict on a write with an unknown outcome.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reconciled {
    /// The API's name of the operation.
    pub operation: String,
    /// The verdict. `"happened"`: do not make the call again. `"did_not_happen"`: it can be made again. `"still_unknown"`: see
    /// `evidence` and `candidates`.
    pub verdict: Verdict,
    /// What the call created, by ids as text: members in the order of the request, the sampling project and the distributor
    /// of an invitation, a survey, a transaction, a webhook, the path of an artifact.
    pub ids: Vec<String>,
    /// Objects that the call may have created, by ids as text, if that is not certain.
    pub candidates: Vec<String>,
    /// The evidence, or why the outcome is unknown.
    pub evidence: String,
    /// Whether only this login can have done it. Otherwise the requested state exists, and the service does not show who
    /// made it.
    pub attributed: bool,
    /// Members of the request that do not exist, by their positions in it, counted from 0: the service refused them, as its
    /// response would have said.
    pub missing: Vec<usize>,
    /// If it was called too early: how long until it is worth calling again.
    pub again_in: Option<Duration>,
}

impl fmt::Display for Reconciled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { operation, evidence, .. } = self;
        let verdict = match self.verdict {
            Verdict::Happened => "happened",
            Verdict::DidNotHappen => "did not happen, and can be called again",
            Verdict::StillUnknown => "may or may not have happened",
        };
        write!(f, "{operation} {verdict}: {evidence}")?;
        if !self.ids.is_empty() {
            write!(f, "\n  made: {}", some(&self.ids))?;
        }
        if !self.candidates.is_empty() {
            write!(f, "\n  perhaps: {}", some(&self.candidates))?;
        }
        if let Some(wait) = self.again_in {
            write!(f, "\n  ask again in {} s", wait.as_secs_f64().ceil())?;
        }
        Ok(())
    }
}

/// The first items.
fn some(ids: &[String]) -> String {
    let more = if ids.len() > 10 { ", ..." } else { "" };
    ids.iter().take(10).map(String::as_str).collect::<Vec<_>>().join(", ") + more
}
