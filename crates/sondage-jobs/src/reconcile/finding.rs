//! What was found, and the verdict that follows from it.

use super::report::Verdict;
use serde_json::Value;

/// The result of reading back.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    pub verdict: Verdict,
    /// What the call created.
    pub ids: Vec<String>,
    /// Objects that the call may have created, if that is not certain.
    pub candidates: Vec<String>,
    /// The evidence, or why the outcome is unknown: a sentence without a full stop.
    pub evidence: String,
    /// Whether nobody else can have done it.
    pub attributed: bool,
    /// Positions in the request of members that do not exist.
    pub missing: Vec<usize>,
    /// The response that the service would have given, as far as it can be read back.
    pub answer: Option<Value>,
}

impl Finding {
    fn new(verdict: Verdict, evidence: impl Into<String>) -> Self {
        Self {
            verdict,
            ids: Vec::new(),
            candidates: Vec::new(),
            evidence: evidence.into(),
            attributed: verdict == Verdict::Happened,
            missing: Vec::new(),
            answer: None,
        }
    }

    /// The write happened, and created this.
    pub fn happened(ids: Vec<String>, evidence: impl Into<String>, answer: Value) -> Self {
        Self { ids, answer: Some(answer), ..Self::new(Verdict::Happened, evidence) }
    }

    /// The requested state exists. The service does not show who made it.
    pub fn holds(evidence: impl Into<String>) -> Self {
        let answer = Some(Value::Object(serde_json::Map::new()));
        Self { attributed: false, answer, ..Self::new(Verdict::Happened, evidence) }
    }

    /// The write did not happen.
    pub fn did_not(evidence: impl Into<String>) -> Self {
        Self::new(Verdict::DidNotHappen, evidence)
    }

    /// The outcome is unknown.
    pub fn unknown(why: impl Into<String>) -> Self {
        Self::new(Verdict::StillUnknown, why)
    }

    /// The call may have created these.
    #[must_use]
    pub fn among(mut self, candidates: Vec<String>) -> Self {
        self.candidates = candidates;
        self
    }
}

/// Objects like the one that a call creates, all of which were created in the time of the call.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// Created by this login, and equal in everything that can be compared.
    pub ours: Vec<Candidate>,
    /// Equal in some respects only, or with an unknown author.
    pub others: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Candidate {
    pub ids: Vec<String>,
    pub answer: Value,
}

impl Candidates {
    /// `what`: what the call creates, such as "a distributor". `ambiguous_with_own_call`: another call of this process may have created the
    /// same.
    pub fn judge(mut self, what: &str, name: Option<&str>, ambiguous_with_own_call: bool) -> Finding {
        let candidates = || -> Vec<String> {
            self.ours
                .iter()
                .filter_map(|it| it.ids.first().cloned())
                .chain(self.others.iter().cloned())
                .collect()
        };
        match (self.ours.len(), self.others.len()) {
            (0, 0) => Finding::did_not(format!("there is no {what} that it can have created")),
            (1, _) if !ambiguous_with_own_call => {
                let only = self.ours.remove(0);
                let evidence = format!("this login created one {what} like it at that time");
                Finding::happened(only.ids, evidence, only.answer)
            }
            (1, _) => Finding::unknown(format!(
                "there is one {what} like it, but another call of this process with the same request may have created it"
            ))
            .among(candidates()),
            (0, 1) => Finding::unknown(format!(
                "there is one {what} from that time, but nothing shows that this call created it: {}",
                not_by(name)
            ))
            .among(candidates()),
            (0, count) => Finding::unknown(format!(
                "there are {count} from that time ({what}), but nothing shows that this call created one: {}",
                not_by(name)
            ))
            .among(candidates()),
            (count, _) => Finding::unknown(format!(
                "this login created {count} like it at that time ({what})"
            ))
            .among(candidates()),
        }
    }
}

/// Why the author is not conclusive.
pub(super) fn not_by(name: Option<&str>) -> String {
    match name {
        Some(name) => format!(
            "it was not created under the name `{name}`; if the service knows this login by another name, give that as \
             created_by"
        ),
        None => "the name under which the service records this login is not known; give it as created_by"
            .to_owned(),
    }
}
