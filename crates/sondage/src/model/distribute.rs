//! Invitations: who is asked to answer, through which channel, with which message.

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
    /// The survey to answer.
    pub survey_id: i64,
    /// The panel or sample whose members are invited.
    pub panel_id: i64,
    /// The message.
    pub message_template_id: i64,
    /// How the message travels, for example by `Email`.
    pub channel: Option<DistributionChannel>,
    /// Whether the service answers before it has sent. What `false` does is not published.
    pub async_process: Option<bool>,
    /// Invites inside this sampling project instead of a new one.
    #[source("API 7.3, published")]
    pub sampling_project_id: Option<i64>,
    /// Only these members. An empty list is refused: leave it out to mean everybody.
    #[source("API 7.3, published")]
    #[wire(selects)]
    pub member_ids: Option<Vec<i64>>,
    /// Only members who pass these conditions: a partial sample. An empty list is refused: leave it out to mean
    /// everybody.
    #[wire(selects)]
    pub conditions: Option<Vec<Condition>>,
    /// Texts that replace blocks of the message's layout.
    pub text_blocks: Option<Vec<TextBlock>>,
    /// When to send; at once when left out.
    pub schedule_date_time: Option<Timestamp>,
    /// When the interviews stop being open.
    #[source("API 7.3, published")]
    pub interview_expiry_date: Option<String>,
    /// The sender's address.
    #[source("API 7.3, published")]
    pub from: Option<String>,
    /// The sender's name.
    #[source("API 7.3, published")]
    pub from_name: Option<String>,
    /// The address for answers.
    #[source("API 7.3, published")]
    pub reply_to: Option<String>,
    /// The name for answers.
    #[source("API 7.3, published")]
    pub reply_to_name: Option<String>,
}

/// What was made to carry the invitation.
#[response]
pub struct InviteMembersResponse {
    /// The sampling project.
    pub sampling_project_id: Option<i64>,
    /// The distributor.
    pub distributor_id: Option<i64>,
}

/// Creates members and invites them. It takes no conditions: the published definition has none, and a
/// filter that the service ignores would invite everybody.
#[request]
#[source("API 7.4, specified")]
pub struct CreateAndInviteMembersRequest {
    /// The survey to answer.
    pub survey_id: i64,
    /// The panel or sample in which the members are created.
    pub panel_id: i64,
    /// The message.
    pub message_template_id: i64,
    /// How the message travels.
    pub channel: DistributionChannel,
    /// The members to create and invite. An empty list is refused.
    #[wire(changes)]
    pub members: Vec<NewMember>,
    /// Whether the service answers before it has sent. What `false` does is not published.
    pub async_process: Option<bool>,
    /// Invites inside this sampling project instead of a new one.
    #[source("API 7.4, published")]
    pub sampling_project_id: Option<i64>,
    /// Texts that replace blocks of the message's layout.
    pub text_blocks: Option<Vec<TextBlock>>,
    /// When to send; at once when left out.
    pub schedule_date_time: Option<Timestamp>,
    /// When the interviews stop being open.
    #[source("API 7.4, published")]
    pub interview_expiry_date: Option<String>,
    /// The sender's address.
    #[source("API 7.4, published")]
    pub from: Option<String>,
    /// The sender's name.
    #[source("API 7.4, published")]
    pub from_name: Option<String>,
    /// The address for answers.
    #[source("API 7.4, published")]
    pub reply_to: Option<String>,
    /// The name for answers.
    #[source("API 7.4, published")]
    pub reply_to_name: Option<String>,
}

/// What was made, and who could not be created.
#[response]
pub struct CreateAndInviteMembersResponse {
    /// The sampling project.
    pub sampling_project_id: Option<i64>,
    /// The distributor.
    pub distributor_id: Option<i64>,
    /// Why members were not created.
    pub validation_issues: Vec<ValidationIssue>,
}

/// Asks for the message templates of a workspace.
#[request]
#[source("API 7.6, published")]
pub struct ReadMessageTemplateListRequest {
    /// Language of the texts: two letters, for example `de`.
    #[wire(max_length = 2)]
    pub language: String,
    /// The workspace.
    pub workspace_id: Option<i64>,
    /// Which templates.
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list.
    pub paging: Option<Paging>,
}

/// Message templates.
#[response]
pub struct ReadMessageTemplateListResponse {
    /// The templates.
    pub message_templates: Vec<MessageTemplate>,
    /// How many there are, as the service counts.
    pub total_count: Option<i64>,
}

/// A message that can be sent.
#[record]
#[source("API 7.6, published")]
pub struct MessageTemplate {
    /// Number of the template.
    #[wire(id)]
    pub id: i64,
    /// Its name.
    pub name: Option<String>,
    /// Its text.
    pub content: Option<String>,
    /// Its subject line.
    pub subject: Option<String>,
    /// The language it falls back to.
    pub default_locale: Option<String>,
    /// The languages it has.
    pub locales: Vec<String>,
}

/// Asks for the distributors of a survey or panel.
#[request]
#[source("API 7.7, published")]
pub struct ReadDistributorListRequest {
    /// Only distributors of this survey.
    pub survey_id: Option<i64>,
    /// Only distributors of this panel.
    pub panel_id: Option<i64>,
    /// Which distributors.
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list.
    pub paging: Option<Paging>,
}

/// Distributors.
#[response]
pub struct ReadDistributorListResponse {
    /// The distributors.
    pub distributors: Vec<Distributor>,
    /// How many there are, as the service counts.
    pub total_count: Option<i64>,
}

/// What carried, or will carry, one invitation to its members.
#[record]
#[source("API 7.7, published")]
pub struct Distributor {
    /// Number of the distributor.
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
    /// When it sent.
    pub executed_distribution: Option<Timestamp>,
    /// How far it is.
    pub distribution_state: Option<String>,
    /// The conditions by which members were chosen.
    pub conditions: Vec<ConditionDefinition>,
}
