//! Invitations: their members, channels and messages.

use super::{
    Condition, ConditionDefinition, DistributionChannel, NewMember, Paging, TextBlock, Timestamp,
    ValidationIssue,
};
use sondage_macros::{record, request, response};

/// Invites members of a panel or sample to a survey. Without `conditions` and `member_ids` **everybody in
/// the panel** is invited.
#[request]
#[source("API 7.3, specified")]
pub struct InviteMembersRequest {
    /// The survey to which members are invited.
    pub survey_id: i64,
    /// The panel or sample whose members are invited.
    pub panel_id: i64,
    /// The message.
    pub message_template_id: i64,
    /// The channel of the message, for example `Email`.
    pub channel: Option<DistributionChannel>,
    /// Whether the service responds before it has sent the messages. What `false` does is not published.
    pub async_process: Option<bool>,
    /// Adds the invitation to this sampling project instead of creating one.
    #[source("API 7.3, published")]
    pub sampling_project_id: Option<i64>,
    /// Only these members. An empty list is refused. Default: everybody in the panel.
    #[source("API 7.3, published")]
    #[wire(selects)]
    pub member_ids: Option<Vec<i64>>,
    /// Only members who match these conditions: a partial sample. An empty list is refused. Default: everybody in the
    /// panel.
    #[wire(selects)]
    pub conditions: Option<Vec<Condition>>,
    /// Texts that replace blocks of the message's layout.
    pub text_blocks: Option<Vec<TextBlock>>,
    /// When to send. Default: immediately.
    pub schedule_date_time: Option<Timestamp>,
    /// When the interviews expire.
    #[source("API 7.3, published")]
    pub interview_expiry_date: Option<String>,
    /// The sender's address.
    #[source("API 7.3, published")]
    pub from: Option<String>,
    /// The sender's name.
    #[source("API 7.3, published")]
    pub from_name: Option<String>,
    /// The reply-to address.
    #[source("API 7.3, published")]
    pub reply_to: Option<String>,
    /// The reply-to name.
    #[source("API 7.3, published")]
    pub reply_to_name: Option<String>,
}

/// The sampling project and the distributor that were created for the invitation.
#[response]
pub struct InviteMembersResponse {
    /// The sampling project.
    pub sampling_project_id: Option<i64>,
    /// The distributor.
    pub distributor_id: Option<i64>,
}

/// Creates members and invites them. It takes no conditions: the published definition has none, and if the service
/// ignored a filter, everybody would be invited.
#[request]
#[source("API 7.4, specified")]
pub struct CreateAndInviteMembersRequest {
    /// The survey to which members are invited.
    pub survey_id: i64,
    /// The panel or sample in which the members are created.
    pub panel_id: i64,
    /// The message.
    pub message_template_id: i64,
    /// The channel of the message.
    pub channel: DistributionChannel,
    /// The members to create and invite. An empty list is refused.
    #[wire(changes)]
    pub members: Vec<NewMember>,
    /// Whether the service responds before it has sent the messages. What `false` does is not published.
    pub async_process: Option<bool>,
    /// Adds the invitation to this sampling project instead of creating one.
    #[source("API 7.4, published")]
    pub sampling_project_id: Option<i64>,
    /// Texts that replace blocks of the message's layout.
    pub text_blocks: Option<Vec<TextBlock>>,
    /// When to send. Default: immediately.
    pub schedule_date_time: Option<Timestamp>,
    /// When the interviews expire.
    #[source("API 7.4, published")]
    pub interview_expiry_date: Option<String>,
    /// The sender's address.
    #[source("API 7.4, published")]
    pub from: Option<String>,
    /// The sender's name.
    #[source("API 7.4, published")]
    pub from_name: Option<String>,
    /// The reply-to address.
    #[source("API 7.4, published")]
    pub reply_to: Option<String>,
    /// The reply-to name.
    #[source("API 7.4, published")]
    pub reply_to_name: Option<String>,
}

/// What was created, and why some members were not.
#[response]
pub struct CreateAndInviteMembersResponse {
    /// The sampling project.
    pub sampling_project_id: Option<i64>,
    /// The distributor.
    pub distributor_id: Option<i64>,
    /// Why members were not created.
    pub validation_issues: Vec<ValidationIssue>,
}

/// Lists the message templates of a workspace.
#[request]
#[source("API 7.6, published")]
pub struct ReadMessageTemplateListRequest {
    /// Language of the texts: two letters, for example `"de"`.
    #[wire(max_length = 2)]
    pub language: String,
    /// The workspace.
    pub workspace_id: Option<i64>,
    /// Which templates.
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    pub paging: Option<Paging>,
}

/// Message templates.
#[response]
pub struct ReadMessageTemplateListResponse {
    /// The templates.
    pub message_templates: Vec<MessageTemplate>,
    /// The total number, as counted by the service.
    pub total_count: Option<i64>,
}

/// A message template.
#[record]
#[source("API 7.6, published")]
pub struct MessageTemplate {
    /// Id of the template.
    #[wire(id)]
    pub id: i64,
    /// Its name.
    pub name: Option<String>,
    /// Its text.
    pub content: Option<String>,
    /// Its subject line.
    pub subject: Option<String>,
    /// The fallback language.
    pub default_locale: Option<String>,
    /// The languages in which it has text.
    pub locales: Vec<String>,
}

/// Lists the distributors of a survey or panel.
#[request]
#[source("API 7.7, published")]
pub struct ReadDistributorListRequest {
    /// Only distributors of this survey.
    pub survey_id: Option<i64>,
    /// Only distributors of this panel.
    pub panel_id: Option<i64>,
    /// Which distributors.
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    pub paging: Option<Paging>,
}

/// Distributors.
#[response]
pub struct ReadDistributorListResponse {
    /// The distributors.
    pub distributors: Vec<Distributor>,
    /// The total number, as counted by the service.
    pub total_count: Option<i64>,
}

/// A distributor: the service's record of one invitation and its sending.
#[record]
#[source("API 7.7, published")]
pub struct Distributor {
    /// Id of the distributor.
    #[wire(id)]
    pub distributor_id: i64,
    /// The channel.
    pub distribution_channel: Option<DistributionChannel>,
    /// The survey.
    pub survey_id: Option<i64>,
    /// The sampling project.
    pub sampling_project_id: Option<i64>,
    /// The version of the survey.
    pub survey_version: Option<i64>,
    /// The panel.
    pub panel_id: Option<i64>,
    /// The scheduled time of sending.
    pub scheduled_distribution: Option<Timestamp>,
    /// When it was sent.
    pub executed_distribution: Option<Timestamp>,
    /// Its status.
    pub distribution_state: Option<String>,
    /// The conditions by which members were selected.
    pub conditions: Vec<ConditionDefinition>,
}
