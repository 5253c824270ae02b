//! The steps of an erasure.

use super::files::{FileFinding, FileKind};
use super::found::Found;
use serde::Deserialize;
use sondage_macros::{report, words};

/// The state of a step.
#[words]
#[non_exhaustive]
pub enum StepOutcome {
    /// To be erased.
    Planned,
    /// The deletion was sent, and no response has arrived yet.
    Sent,
    /// Erased.
    Erased,
    /// No longer existed.
    Gone,
    /// Left: the reason says why, and who can erase it.
    Left,
}

impl StepOutcome {
    /// Whether there is still something to do.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::Planned | Self::Sent)
    }
}

/// A step of an erasure.
#[report]
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ErasureStep {
    /// `"file"`, `"interview"`, `"opt_out"`, `"member"`, or the name of a source of which something is left.
    pub what: String,
    /// Where it is: a path, or a survey, panel or workspace by its id.
    pub place: String,
    /// GUID of the interview or id of the member. After the erasure, a digest of it that is keyed with the receipt's own
    /// key.
    pub id: Option<String>,
    /// The state of the step.
    pub outcome: StepOutcome,
    /// A description, or why it is left and who can erase it.
    pub reason: String,
}

impl ErasureStep {
    fn new(what: &str, place: &str, id: Option<String>, outcome: StepOutcome, reason: &str) -> Self {
        let (what, reason) = (what.to_owned(), reason.to_owned());
        Self { what, place: place.to_owned(), id, outcome, reason }
    }
}

/// What the caller chose to keep.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    pub interviews: bool,
    pub opt_outs: bool,
}

/// The steps in the order of erasure. Members come last, because a resumed run finds everything else through them.
pub(super) fn steps(found: &Found, files: &[FileFinding], kept: Kept) -> Vec<ErasureStep> {
    use StepOutcome::{Left, Planned};
    let mut steps = Vec::new();
    for file in files {
        let step = |outcome, reason: &str| ErasureStep::new("file", &file.path, None, outcome, reason);
        match file.kind {
            FileKind::Left(why) => steps.push(step(Left, why)),
            _ if file.items == 0 => {}
            FileKind::Plan => {
                steps.push(step(Planned, &format!("the member's number in {} calls of a plan", file.items)));
            }
            FileKind::Journal => steps.push(step(Planned, &format!("{} rows of a journal", file.items))),
            FileKind::Archive => {
                steps.push(step(Planned, &format!("{} documents of an archive", file.items)));
            }
            FileKind::Export => steps.push(step(Planned, &format!("{} files of an export", file.items))),
        }
    }
    for interview in found.interviews() {
        let (outcome, reason) = match interview.survey {
            _ if kept.interviews => {
                (Left, "it was to be kept: check whether its answers identify the person")
            }
            None => (
                Left,
                "the service does not say to which survey it belongs: an administrator deletes it in the web pages",
            ),
            Some(_) => (Planned, "the interview with its answers"),
        };
        let survey_text = interview.survey.map_or_else(|| "?".to_owned(), |survey| survey.to_string());
        steps.push(ErasureStep::new("interview", &survey_text, Some(interview.id), outcome, reason));
    }
    for opted_out in &found.opted_out {
        let (outcome, reason) = if kept.opt_outs {
            (Left, "it was to be kept: without it the person could get messages again")
        } else {
            (Planned, "the address or number on the opt-out list")
        };
        let scope = match (opted_out.panel_id, opted_out.workspace_id) {
            (Some(panel), _) => format!("panel {panel}"),
            (None, workspace) => format!("workspace {}", workspace.unwrap_or_default()),
        };
        // An address and a number on the same list are removed by one call.
        if !steps.iter().any(|step| step.what == "opt_out" && step.place == scope) {
            steps.push(ErasureStep::new("opt_out", &scope, None, outcome, reason));
        }
    }
    for (what, count, reason) in [
        ("bounces", found.bounces.len(), "no operation deletes bounced messages: ask the provider"),
        ("incentives", found.transactions.len(), "no operation deletes what was earned: ask the provider"),
    ] {
        if count > 0 {
            steps.push(ErasureStep::new(what, &count.to_string(), None, Left, reason));
        }
    }
    for source in found.sources.iter().filter(|source| source.outcome == super::SourceOutcome::NotRead) {
        steps.push(ErasureStep::new(&source.name, "", None, Left, &source.reason));
    }
    for (panel, member) in &found.members {
        steps.push(ErasureStep::new(
            "member",
            &panel.to_string(),
            Some(member.id.to_string()),
            Planned,
            "the member with all fields",
        ));
    }
    steps
}
