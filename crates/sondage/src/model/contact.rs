//! Contacts: bounced messages, opt-outs, and single mails.

use super::identity::{Identified, Identity};
use super::{Condition, Paging, TextBlock, Timestamp, open_enum::open_enum};
use sondage_macros::{record, request, response, value};

open_enum! {
    /// Whether a message was an invitation or a reminder.
    #[source("API 7.11, published")]
    InvitationType { Invitation, Reminder }

    /// The kind of bounce: hard (permanent), soft (temporary), or spam.
    #[source("API 7.11, published")]
    BounceType { Hard, Soft, Spam }

    /// Whether an entry is added to the list or removed.
    #[source("API 7.13, published")]
    OptOutOperation { Add, Delete }
}

/// Lists the bounced messages of a survey.
#[request]
#[source("API 7.11, published")]
pub struct ReadBounceListRequest {
    /// The survey.
    pub survey_id: i64,
    /// Only messages to members of this panel.
    pub panel_id: Option<i64>,
    /// Only messages of these distributors.
    pub distributors: Option<Vec<i64>>,
    /// Only invitations, or only reminders.
    pub invitation_type: Option<InvitationType>,
    /// Which bounces.
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    pub paging: Option<Paging>,
}

/// Bounced messages.
#[response]
pub struct ReadBounceListResponse {
    /// The bounces.
    pub bounces: Vec<Bounce>,
    /// The total number, as counted by the service.
    pub total_count: Option<i64>,
}

/// A bounced message.
#[record]
#[source("API 7.11, published")]
pub struct Bounce {
    /// The distributor that sent it.
    pub distributor_id: Option<i64>,
    /// GUID of the interview to which it was an invitation.
    pub interview_id: Option<String>,
    /// The panel.
    pub panel_id: Option<i64>,
    /// Id of the member.
    pub panel_member_id: Option<i64>,
    /// The kind of bounce.
    pub bounce_type: BounceType,
    /// When it bounced.
    pub timestamp: Timestamp,
    /// The state of the interview.
    pub state: Option<String>,
    /// The reason that the mail server or the mobile operator gave.
    pub reason: String,
    /// The address.
    #[wire(personal)]
    pub email: Option<String>,
    /// The mobile number, with country code and without + or leading zeros.
    #[wire(personal)]
    pub phone: Option<i64>,
    /// Whether the message was an invitation or a reminder.
    pub invitation_type: Option<InvitationType>,
}

/// Several messages to one member can bounce, so no field identifies a row.
impl Identified for Bounce {
    const ORDER: Option<&'static str> = None;

    fn identity(&self) -> Option<Identity<'_>> {
        None
    }
}

/// Lists the opt-outs: addresses and numbers that must get no messages.
#[request]
#[source("API 7.12, published")]
pub struct ReadOptOutListRequest {
    /// The opt-out list of this panel.
    pub panel_id: Option<i64>,
    /// The opt-out list of this workspace.
    pub workspace_id: Option<i64>,
    /// Which entries.
    pub conditions: Option<Vec<Condition>>,
    /// Which page of the list.
    pub paging: Option<Paging>,
}

/// Opt-outs.
#[response]
pub struct ReadOptOutListResponse {
    /// The entries.
    pub opt_out_items: Vec<OptOutItem>,
    /// The total number, as counted by the service.
    pub total_count: Option<i64>,
}

/// An address or a number that must get no messages.
#[record]
#[source("API 7.12, published")]
pub struct OptOutItem {
    /// The address.
    #[wire(personal)]
    pub email: Option<String>,
    /// The mobile number, with country code and without + or leading zeros.
    #[wire(personal)]
    pub phone: Option<i64>,
    /// When it was added, as the service's text: its format is not published.
    pub opt_out_at: Option<String>,
    /// Who added it.
    pub opt_out_by: Option<String>,
}

/// An entry is identified by its address or number.
impl Identified for OptOutItem {
    const ORDER: Option<&'static str> = None;

    fn identity(&self) -> Option<Identity<'_>> {
        let phone = || self.phone.as_ref().map(Identity::from);
        self.email.as_ref().map(Identity::from).or_else(phone)
    }
}

/// Adds addresses and numbers to an opt-out list, or removes them.
///
/// The list is that of a workspace, a panel or the audience of one distributor: name exactly one of them.
#[request]
#[source("API 7.13, published")]
pub struct WriteOptOutListRequest {
    /// The opt-out list of this workspace.
    pub workspace_id: Option<i64>,
    /// The opt-out list of this panel.
    pub panel_id: Option<i64>,
    /// The opt-out list of the panel that this distributor invited (assumed).
    pub distributor_id: Option<i64>,
    /// Addresses.
    #[wire(changes)]
    pub emails: Option<Vec<EmailItem>>,
    /// Mobile numbers.
    #[wire(changes)]
    pub cell_phones: Option<Vec<CellPhoneItem>>,
}

/// The list was changed.
#[response]
pub struct WriteOptOutListResponse {}

/// An address to add to the list or to remove from it.
#[value]
#[source("API 7.13, published")]
pub struct EmailItem {
    /// The address.
    #[wire(personal)]
    pub email: String,
    /// Whether to add or remove it.
    pub opt_out_operation: OptOutOperation,
}

/// A mobile number to add to the list or to remove from it.
#[value]
#[source("API 7.13, published")]
pub struct CellPhoneItem {
    /// The number, with country code and without + or leading zeros.
    #[wire(personal)]
    pub cell_phone: i64,
    /// Whether to add or remove it.
    pub opt_out_operation: OptOutOperation,
}

/// Sends one mail to one person, from a message template or with a subject and a text.
#[request]
#[source("API 9.4, published")]
pub struct ExecuteSendMailRequest {
    /// The message template. Without it, `subject` and `body` are sent.
    pub message_template_id: Option<i64>,
    /// Texts that replace blocks of the message's layout.
    #[wire(personal)]
    pub text_blocks: Option<Vec<TextBlock>>,
    /// Language of the message: two letters, for example `"de"`.
    pub language: String,
    /// The subject line.
    #[wire(personal)]
    pub subject: Option<String>,
    /// The text.
    #[wire(personal)]
    pub body: Option<String>,
    /// The sender's address.
    #[wire(personal)]
    pub from: String,
    /// The sender's name.
    #[wire(personal)]
    pub from_name: Option<String>,
    /// The recipient's address.
    #[wire(personal)]
    pub to: String,
    /// The recipient's name.
    #[wire(personal)]
    pub to_name: Option<String>,
    /// The reply-to address.
    #[wire(personal)]
    pub reply_to: Option<String>,
    /// The reply-to name.
    #[wire(personal)]
    pub reply_to_name: Option<String>,
}

/// The mail was accepted for sending. Whether it arrives is not reported.
#[response]
pub struct ExecuteSendMailResponse {}
