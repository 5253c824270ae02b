//! Workflows: the states that surveys, sampling projects, distributions and reminders go through.

use super::{Json, open_enum::open_enum};
use indexmap::IndexMap;
use sondage_macros::{record, request, response};

open_enum! {
    /// What goes through the states. `SurveyDesign` is a survey's own: published, closed and so on.
    #[source("API 9.1, published")]
    WorkflowType {
        SurveyDesign, LocalSamplingProject, Distribution, Reminder, ClientSamplingProject, LegacySamplingProject,
        SmartSamplingProject, DynataSamplingProject,
    }
}

/// Asks where one can go from a state.
#[request]
#[source("API 9.2, published")]
pub struct ReadWorkflowTransitionsRequest {
    /// The workflow.
    pub workflow: WorkflowType,
    /// The state, for example the `survey_state` that `read_survey` returns. The names of states are not published.
    pub current_state: String,
}

/// Where one can go from a state.
#[response]
pub struct ReadWorkflowTransitionsResponse {
    /// The transitions. None when the state is the last.
    pub transitions: Vec<WorkflowTransition>,
}

/// A way from one state to another.
#[record]
#[source("API 9.2, published")]
pub struct WorkflowTransition {
    /// Its name.
    pub name: Option<String>,
    /// What it does.
    pub action: Option<String>,
    /// The state it leads to: the `target_state` of `execute_workflow_transition`.
    pub new_state: Option<String>,
    /// What must hold for it.
    pub condition: Option<String>,
}

/// Takes a survey, sampling project, distributor or reminder to another state. Name the one thing that the
/// workflow is about.
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
    /// The state to go to: the `new_state` of one of the transitions.
    pub target_state: String,
    /// What the transition needs beside that. Its names are not published.
    pub dynamic_parameters: Option<IndexMap<String, Json>>,
}

/// The transition was made.
#[response]
pub struct ExecuteWorkflowTransitionResponse {}
