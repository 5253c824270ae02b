//! Surveys and the workspaces that hold them.

use super::{Condition, Paging, SurveyConfiguration, SurveyDefinition, open_enum::open_enum};
use sondage_macros::{record, request, response};

open_enum! {
    /// How far a survey is.
    #[source("API 4.1, published")]
    SurveyStatus { Inactive, Active, Revision, Closed }
}

/// Asks for the workspaces of the account.
#[request]
#[source("API 4.2, published")]
pub struct ReadWorkspaceListRequest {
    /// Which workspaces.
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list.
    pub paging: Option<Paging>,
}

/// Workspaces.
#[response]
pub struct ReadWorkspaceListResponse {
    /// The workspaces.
    pub workspaces: Vec<Workspace>,
    /// How many there are, as the service counts.
    pub total_count: Option<i64>,
}

/// A workspace: surveys that belong together.
#[record]
#[source("API 4.2, published")]
pub struct Workspace {
    /// Number of the workspace.
    #[wire(id)]
    pub id: i64,
    /// Its name.
    pub name: Option<String>,
    /// How many surveys it holds.
    pub number_of_surveys: Option<i64>,
}

/// Asks for the surveys of a workspace.
#[request]
#[source("API 4.3, published")]
pub struct ReadSurveyListRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// Which surveys.
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list.
    pub paging: Option<Paging>,
}

/// Surveys.
#[response]
pub struct ReadSurveyListResponse {
    /// The surveys.
    pub surveys: Vec<SurveyListItem>,
    /// How many there are, as the service counts.
    pub total_count: Option<i64>,
}

/// A survey in a list. Its dates are kept as the texts that came: their form is not published.
#[record]
#[source("API 4.3, published")]
pub struct SurveyListItem {
    /// Number of the survey.
    #[wire(id)]
    pub id: i64,
    /// Its name.
    pub name: Option<String>,
    /// When it was last changed.
    pub modified_date: Option<String>,
    /// When it ends.
    pub end_date: Option<String>,
    /// Whether it ends by itself.
    pub is_end_date_enabled: Option<bool>,
    /// How far it is.
    pub status: Option<SurveyStatus>,
    /// When it was archived.
    pub archive_date: Option<String>,
    /// Whether it is switched on.
    pub status_on: Option<bool>,
    /// How many answers it has.
    pub answers: Option<i64>,
}

/// Deletes a survey with its interviews.
#[request]
#[source("API 4.7, published")]
pub struct DeleteSurveyRequest {
    /// The survey.
    pub survey_id: i64,
}

/// The survey is gone, and every link to it.
#[response]
pub struct DeleteSurveyResponse {}

/// Asks for the public links of a survey.
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

/// A public link. It ends with the survey.
#[record]
#[source("API 4.8, published")]
pub struct SurveyLink {
    /// The address.
    pub url: Option<String>,
    /// Whether somebody chose the address, rather than the service.
    pub is_custom: Option<bool>,
    /// The language in which the survey begins.
    pub language: Option<String>,
}

/// Creates a survey. It begins unpublished: a workflow transition publishes it.
#[request]
#[source("API 4.4, published")]
pub struct CreateSurveyRequest {
    /// The workspace.
    pub workspace_id: i64,
    /// The survey's name.
    #[wire(max_length = 256)]
    pub name: String,
    /// What it asks.
    pub survey_definition: SurveyDefinition,
    /// How it looks and what it records.
    pub survey_configuration: Option<SurveyConfiguration>,
}

/// The survey was created.
#[response]
pub struct CreateSurveyResponse {
    /// Its number.
    pub survey_id: Option<i64>,
}

/// Asks for a survey and its questionnaire.
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
    /// Number of its version.
    pub survey_version: Option<i64>,
    /// Its state in the workflow `SurveyDesign`, for example `Published`. The other words are not published.
    pub survey_state: Option<String>,
    /// When it was created, as it came: the form is not published.
    pub created_at: Option<String>,
    /// Who created it.
    pub created_by: Option<String>,
    /// What it asks.
    pub survey: Option<SurveyDefinition>,
    /// How it looks and what it records.
    pub survey_configuration: Option<SurveyConfiguration>,
}

/// Replaces the questionnaire of a survey. Read it first and send it back changed: what is left out of it is
/// gone.
#[request]
#[source("API 4.6, published")]
pub struct UpdateSurveyRequest {
    /// The survey.
    pub survey_id: i64,
    /// A new name; the old one when left out.
    pub survey_name: Option<String>,
    /// What it asks from now on: the whole of it.
    pub survey_definition: SurveyDefinition,
    /// How it looks and what it records; as before when left out (assumed).
    pub survey_configuration: Option<SurveyConfiguration>,
}

/// The survey was changed.
#[response]
pub struct UpdateSurveyResponse {}
