//! What follows an invitation: reminders, and the sampling projects and distributors that it belongs to.

use super::{Condition, ConditionDefinition, DistributionChannel, TextBlock, Timestamp};
use sondage_macros::{record, request, response};

/// Reminds the members of a distributor who have not answered. Without `conditions` **everybody who has not
/// answered** gets a message.
#[request]
#[source("API 7.5, published")]
pub struct RemindMembersRequest {
    /// The distributor that sent the invitation.
    pub distributor_id: i64,
    /// The message.
    pub message_template_id: i64,
    /// Texts that replace blocks of the message's layout.
    pub text_blocks: Option<Vec<TextBlock>>,
    /// When to send. Default: immediately.
    pub schedule_date_time: Option<Timestamp>,
    /// Only members who match these conditions. An empty list is refused. Default: everybody who has not answered.
    #[wire(selects)]
    pub conditions: Option<Vec<Condition>>,
    /// The channel of the message. Default: the channel of the invitation (assumed).
    pub channel: Option<DistributionChannel>,
    /// The sender's address.
    pub from: Option<String>,
    /// The sender's name.
    pub from_name: Option<String>,
    /// The reply-to address.
    pub reply_to: Option<String>,
    /// The reply-to name.
    pub reply_to_name: Option<String>,
}

/// The reminder that was created.
#[response]
pub struct RemindMembersResponse {
    /// Id of the reminder.
    pub reminder_id: Option<i64>,
}

/// Deletes a distributor.
#[request]
#[source("API 7.8, published")]
pub struct DeleteDistributorRequest {
    /// The distributor.
    pub distributor_id: i64,
    /// Whether the interviews of its invitations are kept. This is required, because the service's default is not
    /// published.
    pub keep_interviews: bool,
}

/// The distributor was deleted.
#[response]
pub struct DeleteDistributorResponse {}

/// Reads a sampling project.
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

/// A sampling project: the distributors of an invitation.
#[record]
#[source("API 7.9, published")]
pub struct SamplingProject {
    /// Id of the sampling project.
    #[wire(id)]
    pub sampling_project_id: i64,
    /// Its name.
    pub name: Option<String>,
    /// The workspace.
    pub workspace_id: Option<i64>,
    /// The survey to which members are invited.
    pub survey_id: Option<i64>,
    /// The version of the survey.
    pub survey_version: Option<i64>,
    /// The panel whose members were invited.
    pub panel_id: Option<i64>,
    /// The provider of the sample; what the numbers mean is not published.
    pub sampling_provider_id: Option<i64>,
    /// Its status. The possible values are not published.
    pub project_state: Option<String>,
    /// The scheduled time of sending, as the service's text.
    pub scheduled_distribution: Option<String>,
    /// When it was sent, as the service's text.
    pub executed_distribution: Option<String>,
    /// The conditions by which members were selected.
    pub conditions: Vec<ConditionDefinition>,
}

/// Deletes a sampling project and its distributors.
#[request]
#[source("API 7.10, published")]
pub struct DeleteSamplingProjectRequest {
    /// The sampling project.
    pub sampling_project_id: i64,
    /// Whether the interviews of its invitations are kept. This is required, because the service's default is not
    /// published.
    pub keep_interviews: bool,
}

/// The sampling project was deleted.
#[response]
pub struct DeleteSamplingProjectResponse {}
