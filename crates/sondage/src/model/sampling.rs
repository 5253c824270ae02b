//! What comes after an invitation: reminders, and the sampling projects and distributors that hold it.

use super::{Condition, ConditionDefinition, DistributionChannel, TextBlock, Timestamp};
use sondage_macros::{record, request, response};

/// Reminds the members of a distributor who have not answered. Without `conditions` **everybody who has not
/// answered** gets a message.
#[request]
#[source("API 7.5, published")]
pub struct RemindMembersRequest {
    /// The distributor that carried the invitation.
    pub distributor_id: i64,
    /// The message.
    pub message_template_id: i64,
    /// Texts that replace blocks of the message's layout.
    pub text_blocks: Option<Vec<TextBlock>>,
    /// When to send; at once when left out.
    pub schedule_date_time: Option<Timestamp>,
    /// Only members who pass these conditions. An empty list is refused: leave it out to mean everybody who has not
    /// answered.
    #[wire(selects)]
    pub conditions: Option<Vec<Condition>>,
    /// How the message travels; as the invitation did when left out (assumed).
    pub channel: Option<DistributionChannel>,
    /// The sender's address.
    pub from: Option<String>,
    /// The sender's name.
    pub from_name: Option<String>,
    /// The address for answers.
    pub reply_to: Option<String>,
    /// The name for answers.
    pub reply_to_name: Option<String>,
}

/// What was made to carry the reminder.
#[response]
pub struct RemindMembersResponse {
    /// Number of the reminder.
    pub reminder_id: Option<i64>,
}

/// Deletes a distributor.
#[request]
#[source("API 7.8, published")]
pub struct DeleteDistributorRequest {
    /// The distributor.
    pub distributor_id: i64,
    /// Whether the interviews that it invited to stay. It must be said: what happens without it is not published.
    pub keep_interviews: bool,
}

/// The distributor is gone.
#[response]
pub struct DeleteDistributorResponse {}

/// Asks for a sampling project.
#[request]
#[source("API 7.9, published")]
pub struct ReadSamplingProjectRequest {
    /// The sampling project.
    pub sampling_project_id: i64,
}

/// A sampling project.
#[response]
pub struct ReadSamplingProjectResponse {
    /// The sampling project.
    pub sampling_project: Option<SamplingProject>,
}

/// What holds the distributors of an invitation together.
#[record]
#[source("API 7.9, published")]
pub struct SamplingProject {
    /// Number of the sampling project.
    #[wire(id)]
    pub sampling_project_id: i64,
    /// Its name.
    pub name: Option<String>,
    /// The workspace.
    pub workspace_id: Option<i64>,
    /// The survey to answer.
    pub survey_id: Option<i64>,
    /// The version of the survey.
    pub survey_version: Option<i64>,
    /// The panel whose members were invited.
    pub panel_id: Option<i64>,
    /// Who provides the sample; what the numbers mean is not published.
    pub sampling_provider_id: Option<i64>,
    /// How far it is. The words are not published.
    pub project_state: Option<String>,
    /// When it was to send, as the text that came.
    pub scheduled_distribution: Option<String>,
    /// When it sent, as the text that came.
    pub executed_distribution: Option<String>,
    /// The conditions by which members were chosen.
    pub conditions: Vec<ConditionDefinition>,
}

/// Deletes a sampling project and its distributors.
#[request]
#[source("API 7.10, published")]
pub struct DeleteSamplingProjectRequest {
    /// The sampling project.
    pub sampling_project_id: i64,
    /// Whether the interviews that it invited to stay. It must be said: what happens without it is not published.
    pub keep_interviews: bool,
}

/// The sampling project is gone.
#[response]
pub struct DeleteSamplingProjectResponse {}
