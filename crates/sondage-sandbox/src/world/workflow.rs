//! The states of workflows, as a table. Neither states nor transitions are published: all of these are assumed, based on
//! the known names (`Published`, the four statuses of surveys, the events about approval).

/// A transition from one state to another.
pub(crate) struct WorkflowStep {
    pub(crate) workflow: &'static str,
    pub(crate) from: &'static str,
    pub(crate) name: &'static str,
    pub(crate) to: &'static str,
    /// The condition for it.
    pub(crate) condition: Option<&'static str>,
}

/// The condition that a survey has questions.
pub(crate) const HAS_QUESTIONS: &str = "SurveyHasQuestions";

const fn step(
    workflow: &'static str,
    from: &'static str,
    name: &'static str,
    to: &'static str,
    condition: Option<&'static str>,
) -> WorkflowStep {
    WorkflowStep { workflow, from, name, to, condition }
}

#[rustfmt::skip]
const STEPS: &[WorkflowStep] = &[
    step("SurveyDesign", "Draft",             "RequestApproval", "ApprovalRequested", Some(HAS_QUESTIONS)),
    step("SurveyDesign", "Draft",             "Publish",         "Published",         Some(HAS_QUESTIONS)),
    step("SurveyDesign", "ApprovalRequested", "Approve",         "Approved",          None),
    step("SurveyDesign", "ApprovalRequested", "Reject",          "Draft",             None),
    step("SurveyDesign", "Approved",          "Publish",         "Published",         Some(HAS_QUESTIONS)),
    step("SurveyDesign", "Published",         "Revise",          "Revision",          None),
    step("SurveyDesign", "Published",         "Close",           "Closed",            None),
    step("SurveyDesign", "Revision",          "Publish",         "Published",         Some(HAS_QUESTIONS)),
    step("SurveyDesign", "Revision",          "Close",           "Closed",            None),
    step("SurveyDesign", "Closed",            "Reopen",          "Published",         None),
    step("Distribution", "Scheduled",         "SendNow",         "Executed",          None),
    step("Reminder",     "Scheduled",         "SendNow",         "Executed",          None),
];

/// The transitions from a state.
pub(crate) fn steps<'a>(
    workflow: &'a str,
    from: &'a str,
) -> impl Iterator<Item = &'static WorkflowStep> + 'a {
    STEPS.iter().filter(move |step| step.workflow == workflow && step.from == from)
}

/// Whether a workflow has a state of this name.
pub(crate) fn knows(workflow: &str, state: &str) -> bool {
    STEPS.iter().any(|step| step.workflow == workflow && (step.from == state || step.to == state))
}

/// The status in the list of surveys for a state of `SurveyDesign`.
// API 4.1, published
pub(crate) fn status(state: &str) -> &'static str {
    match state {
        "Published" => "Active",
        "Revision" => "Revision",
        "Closed" => "Closed",
        _ => "Inactive",
    }
}
