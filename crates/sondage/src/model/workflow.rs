//! Workflows: the states that surveys, sampling projects, distributions and reminders go through.

use super::{Json, open_enum::open_enum};
use indexmap::IndexMap;
use sondage_macros::{record, request, response};

open_enum! {
    /// What a workflow applies to. `SurveyDesign` is the workflow of a survey: published, closed and so on.
    #[source("API 9.1, published")]
    WorkflowType {
        SurveyDesign, LocalSamplingProject, Distribution, Reminder, ClientSamplingProject, LegacySamplingProject,
        SmartSamplingProject, DynataSamplingProject,
    }
}

/// Lists the transitions from a state.
#[request]
#[source("API 9.2, published")]
pub struct ReadWorkflowTransitionsRequest {
    /// The workflow.
    pub workflow: WorkflowType,
    /// The state, for example the `survey_state` that `read_survey` returns. The names of states are not published.
    pub current_state: String,
}

/// The transitions from a state.
#[response]
pub struct ReadWorkflowTransitionsResponse {
    /// The transitions. Empty when the state is final.
    pub transitions: Vec<WorkflowTransition>,
}

/// A transition from one state to another.
#[record]
#[source("API 9.2, published")]
pub struct WorkflowTransition {
    /// Its name.
    pub name: Option<String>,
    /// Its name.
    pub action: Option<String>,
    /// The state to which it leads: the `target_state` of `execute_workflow_transition`.
    pub new_state: Option<String>,
    /// The conditions for it.
    pub condition: Option<String>,
}

/// Moves a survey, sampling project, distributor or reminder to another state. Set only the id that belongs to the
/// workflow.
#[request]
#[source("API 9.3, published")]
pub struct ExecuteWorkflowTransitionRequest {
    /// The workflow.
    pub workflow: WorkflowType,
    /// The survey, for `SurveyDesign`.
    pub survey_id: Option<i64>,
    /// The sampling project, for the workflows of sampling projects.
    pub sampling_project_id: Option<i64>,
    /// The distributor, for `Distribution`.
    pub distributor_id: Option<i64>,
    /// The reminder, for `Reminder`.
    pub reminder_id: Option<i64>,
    /// The new state: the `new_state` of one of the transitions.
    pub target_state: String,
    /// Further parameters of the transition. Their names are not published.
    pub dynamic_parameters: Option<IndexMap<String, Json>>,
}

/// The transition was executed.
#[response]
pub struct ExecuteWorkflowTransitionResponse {}
