//! Compares the client's claims with what the service saw. Each rule is a promise of the library; it does not know the
//! fault, only the ledger.

mod history;
mod pauses;
mod rules;

pub use history::CallFacts;

/// The result of a cell.
#[derive(Clone, Debug, Default)]
pub struct CellVerdict {
    /// Promises that were broken.
    pub broken: Vec<Broken>,
    /// The client reported an unknown outcome although no complete request had arrived. This is allowed: not every unsent
    /// request can be proved unsent.
    pub careful: bool,
    /// Requests that arrived completely.
    pub whole: usize,
    pub succeeded: bool,
}

/// A promise that was not kept.
#[derive(Clone, Debug)]
pub struct Broken {
    pub rule: &'static str,
    pub detail: String,
}

type Rule = fn(&CallFacts) -> Option<String>;

/// Every promise, by the name under which its violation is reported.
const RULES: [(&str, Rule); 17] = [
    ("nothing hangs", rules::comes_back),
    ("a write is sent once", rules::sent_once),
    ("a success was given", rules::success_was_given),
    ("a doubt is said", rules::doubt_is_said),
    ("nothing was changed", rules::nothing_was_changed),
    ("delivery", rules::delivery),
    ("safe to retry", rules::safe_to_retry),
    ("attempts", rules::attempts),
    ("not repeated", rules::not_repeated),
    ("the reported status is the one sent", rules::status_was_said),
    ("a refusal is told", rules::refusal_is_told),
    ("retry after is kept", rules::retry_after_kept),
    ("retry after is told", rules::retry_after_told),
    ("a token is renewed once", rules::renewed_once),
    ("idempotent calls are retried", rules::repeated),
    ("a certificate is refused once", rules::certificate),
    ("calls reported as unsent never arrive", rules::stays_unsent),
];

/// Rules for a call and the calls that follow it.
const AMONG_CALLS: [(&str, Rule); 4] = [
    ("nothing hangs", rules::comes_back),
    ("a pause is kept", pauses::kept),
    ("one call goes first", pauses::one_goes_first),
    ("calls that cannot wait fail at once", pauses::told),
];

pub fn judge(facts: &CallFacts) -> CellVerdict {
    let mut verdict = CellVerdict {
        whole: facts.pages.whole(),
        careful: facts.report.kind() == Some("OutcomeUnknown") && facts.pages.whole() == 0,
        succeeded: facts.report.kind.is_none(),
        broken: Vec::new(),
    };
    let rules = if facts.cell.setting.others > 0 { &AMONG_CALLS[..] } else { &RULES };
    for (rule, check) in rules.iter().copied() {
        if let Some(detail) = check(facts) {
            verdict.broken.push(Broken { rule, detail });
        }
    }
    verdict
}
