//! What a caller is told.

use sondage_macros::report;
use std::fmt;
use std::time::Duration;

/// Whether a write happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Verdict {
    /// It happened: do not make the call again.
    Happened,
    /// It did not happen, and will not: the call can be made again.
    DidNotHappen,
    /// It cannot be told.
    StillUnknown,
}

impl Verdict {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Happened, Self::DidNotHappen, Self::StillUnknown];

    /// The word for it, the same in every language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Happened => "happened",
            Self::DidNotHappen => "did_not_happen",
            Self::StillUnknown => "still_unknown",
        }
    }
}

/// What became of a write whose outcome was unknown.
#[report]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reconciled {
    /// The API's name of the operation.
    pub operation: String,
    /// What became of it. `happened`: do not make the call again. `did_not_happen`: it can be made again. `still_unknown`:
    /// look at `evidence` and `candidates`.
    pub verdict: Verdict,
    /// What it made, by its ids as text: members in the order of the request, the sampling project and the distributor of an
    /// invitation, a survey, a transaction, a webhook, the path of an artifact.
    pub ids: Vec<String>,
    /// What was found and may come from it, by ids as text, where that cannot be told.
    pub candidates: Vec<String>,
    /// What shows it, or why it cannot be told.
    pub evidence: String,
    /// Whether only this login can have done it. Otherwise what was asked for is so, and the service does not show who did it.
    pub attributed: bool,
    /// Members of the request who are not there, by their places in it, from 0: the service has refused them, as it would have
    /// said in its answer.
    pub missing: Vec<usize>,
    /// When it was asked too early: how long until asking again helps.
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

/// The first of them.
fn some(ids: &[String]) -> String {
    let more = if ids.len() > 10 { ", ..." } else { "" };
    ids.iter().take(10).map(String::as_str).collect::<Vec<_>>().join(", ") + more
}
