//! Surveys and the workspaces that hold them.

use super::{Condition, Paging, SurveyConfiguration, SurveyDefinition, open_enum::open_enum};
use sondage_macros::{record, request, response};

open_enum! {
    /// The status of a survey.
    #[source("API 4.1, published")]
    SurveyStatus { Inactive, Active, Revision, Closed }
}

/// Lists the workspaces of the account.
#[request]
#[source("API 4.2, published")]
pub struct ReadWorkspaceListRequest {
    /// Which workspaces.
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    pub paging: Option<Paging>,
}

/// Workspaces.
#[response]
pub struct ReadWorkspaceListResponse {
    /// The workspaces.
    pub workspaces: Vec<Workspace>,
    /// The total number, as counted by the service.
    pub total_count: Option<i64>,
}

/// A workspace: a group of surveys.
#[record]
#[source("API 4.2, published")]
pub struct Workspace {
    /// Id of the workspace.
    #[wire(id)]
    pub id: i64,
    /// Its name.
    pub name: Option<String>,
    /// The number of surveys in it.
    pub number_of_surveys: Option<i64>,
}

/// Lists the surveys of a workspace.
#[request]
#[source("API 4.3, published")]
pub struct ReadSurveyListRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// Which surveys.
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    pub paging: Option<Paging>,
}

/// Surveys.
#[response]
pub struct ReadSurveyListResponse {
    /// The surveys.
    pub surveys: Vec<SurveyListItem>,
    /// The total number, as counted by the service.
    pub total_count: Option<i64>,
}

/// A survey in a list. Its dates are kept as the service's text: their format is not published.
#[record]
#[source("API 4.3, published")]
pub struct SurveyListItem {
    /// Id of the survey.
    #[wire(id)]
    pub id: i64,
    /// Its name.
    pub name: Option<String>,
    /// When it was last changed.
    pub modified_date: Option<String>,
    /// When it closes.
    pub end_date: Option<String>,
    /// Whether it closes automatically.
    pub is_end_date_enabled: Option<bool>,
    /// Its status.
    pub status: Option<SurveyStatus>,
    /// When it was archived.
    pub archive_date: Option<String>,
    /// Whether it is active.
    pub status_on: Option<bool>,
    /// The number of answers.
    pub answers: Option<i64>,
}

/// Deletes a survey with its interviews.
#[request]
#[source("API 4.7, published")]
pub struct DeleteSurveyRequest {
    /// The survey.
    pub survey_id: i64,
}

/// The survey and all its links were deleted.
#[response]
pub struct DeleteSurveyResponse {}

/// Lists the public links of a survey.
#[request]
#[source("API 4.8, published")]
pub struct ReadSurveyLinksRequest {
    /// The survey.
    pub survey_id: i64,
}

/// The public links.
#[response]
pub struct ReadSurveyLinksResponse {
    /// Links by which anybody can answer without an invitation.
    pub anonymous_list: Vec<SurveyLink>,
}

/// A public link. It stops working when the survey closes.
#[record]
#[source("API 4.8, published")]
pub struct SurveyLink {
    /// The address.
    pub url: Option<String>,
    /// Whether the address was chosen by a person instead of the service.
    pub is_custom: Option<bool>,
    /// The language in which the survey starts.
    pub language: Option<String>,
}

/// Creates a survey. It is unpublished at first: a workflow transition publishes it.
#[request]
#[source("API 4.4, published")]
pub struct CreateSurveyRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// The survey's name.
    #[wire(max_length = 256)]
    pub name: String,
    /// The questionnaire.
    pub survey_definition: SurveyDefinition,
    /// The layout, and the data that it records about respondents.
    pub survey_configuration: Option<SurveyConfiguration>,
}

/// The survey was created.
#[response]
pub struct CreateSurveyResponse {
    /// Its number.
    pub survey_id: Option<i64>,
}

/// Reads a survey and its questionnaire.
#[request]
#[source("API 4.5, published")]
pub struct ReadSurveyRequest {
    /// The tenant; the client's own when left out.
    pub tenant: Option<String>,
    /// The survey.
    pub survey_id: i64,
}

/// A survey and its questionnaire.
#[response]
pub struct ReadSurveyResponse {
    /// Its name.
    pub survey_name: Option<String>,
    /// The number of its version.
    pub survey_version: Option<i64>,
    /// Its state in the workflow `SurveyDesign`, for example `Published`. The other possible values are not published.
    pub survey_state: Option<String>,
    /// When it was created, as the service's text: its format is not published.
    pub created_at: Option<String>,
    /// Who created it.
    pub created_by: Option<String>,
    /// The questionnaire.
    pub survey: Option<SurveyDefinition>,
    /// The layout, and the data that it records about respondents.
    pub survey_configuration: Option<SurveyConfiguration>,
}

/// Replaces the questionnaire of a survey. Read it first and send it back with your changes: anything left out is
/// deleted.
#[request]
#[source("API 4.6, published")]
pub struct UpdateSurveyRequest {
    /// The survey.
    pub survey_id: i64,
    /// A new name. Default: unchanged.
    pub survey_name: Option<String>,
    /// The new questionnaire, complete.
    pub survey_definition: SurveyDefinition,
    /// The layout, and the data that it records about respondents. Default: unchanged (assumed).
    pub survey_configuration: Option<SurveyConfiguration>,
}

/// The survey was changed.
#[response]
pub struct UpdateSurveyResponse {}
