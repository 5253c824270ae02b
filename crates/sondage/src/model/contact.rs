//! Who can be written to: messages that came back, people who want none, and single mails.

use super::identity::{Identified, Identity};
use super::{Condition, Paging, TextBlock, Timestamp, open_enum::open_enum};
use sondage_macros::{record, request, response, value};

open_enum! {
    /// What a message was for.
    #[source("API 7.11, published")]
    InvitationType { Invitation, Reminder }

    /// How a message came back: for good, for now, or as unwanted.
    #[source("API 7.11, published")]
    BounceType { Hard, Soft, Spam }

    /// What becomes of an entry of the list.
    #[source("API 7.13, published")]
    OptOutOperation { Add, Delete }
}

/// Asks for the messages of a survey that came back.
#[request]
#[source("API 7.11, published")]
pub struct ReadBounceListRequest {
    /// The survey.
    pub survey_id: i64,
    /// Only members of this panel.
    pub panel_id: Option<i64>,
    /// Only messages of these distributors.
    pub distributors: Option<Vec<i64>>,
    /// Only invitations, or only reminders.
    pub invitation_type: Option<InvitationType>,
    /// Which bounces.
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list.
    pub paging: Option<Paging>,
}

/// Messages that came back.
#[response]
pub struct ReadBounceListResponse {
    /// The bounces.
    pub bounces: Vec<Bounce>,
    /// How many there are, as the service counts.
    pub total_count: Option<i64>,
}

/// A message that came back.
#[record]
#[source("API 7.11, published")]
pub struct Bounce {
    /// The distributor that carried it.
    pub distributor_id: Option<i64>,
    /// GUID of the interview to which it invited.
    pub interview_id: Option<String>,
    /// The panel.
    pub panel_id: Option<i64>,
    /// Number of the member.
    pub panel_member_id: Option<i64>,
    /// How it came back.
    pub bounce_type: BounceType,
    /// When it came back.
    pub timestamp: Timestamp,
    /// How the interview stands.
    pub state: Option<String>,
    /// What the mail server or the operator said.
    pub reason: String,
    /// The address.
    pub email: Option<String>,
    /// The mobile number, with country code and without + or leading zeros.
    pub phone: Option<i64>,
    /// What the message was for.
    pub invitation_type: Option<InvitationType>,
}

/// Several messages of one member can come back, so nothing in a row names it.
impl Identified for Bounce {
    const ORDER: Option<&'static str> = None;

    fn identity(&self) -> Option<Identity<'_>> {
        None
    }
}

/// Asks for those who want no messages.
#[request]
#[source("API 7.12, published")]
pub struct ReadOptOutListRequest {
    /// The list of this panel.
    pub panel_id: Option<i64>,
    /// The list of this workspace.
    pub workspace_id: Option<i64>,
    /// Which entries.
    pub conditions: Option<Vec<Condition>>,
    /// Which part of the list.
    pub paging: Option<Paging>,
}

/// Those who want no messages.
#[response]
pub struct ReadOptOutListResponse {
    /// The entries.
    pub opt_out_items: Vec<OptOutItem>,
    /// How many there are, as the service counts.
    pub total_count: Option<i64>,
}

/// An address or a number that gets no messages.
#[record]
#[source("API 7.12, published")]
pub struct OptOutItem {
    /// The address.
    pub email: Option<String>,
    /// The mobile number, with country code and without + or leading zeros.
    pub phone: Option<i64>,
    /// Since when, as the text that came: its form is not published.
    pub opt_out_at: Option<String>,
    /// Who put it on the list.
    pub opt_out_by: Option<String>,
}

/// The address or the number is what tells entries apart.
impl Identified for OptOutItem {
    const ORDER: Option<&'static str> = None;

    fn identity(&self) -> Option<Identity<'_>> {
        let phone = || self.phone.as_ref().map(Identity::from);
        self.email.as_ref().map(Identity::from).or_else(phone)
    }
}

/// Puts addresses and numbers on the list of those who want no messages, or takes them off.
///
/// It holds for a workspace, a panel or what one distributor invited: name one of them.
#[request]
#[source("API 7.13, published")]
pub struct WriteOptOutListRequest {
    /// The list of this workspace.
    pub workspace_id: Option<i64>,
    /// The list of this panel.
    pub panel_id: Option<i64>,
    /// The list of the panel that this distributor invited (assumed).
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

/// An address on its way onto the list, or off it.
#[value]
#[source("API 7.13, published")]
pub struct EmailItem {
    /// The address.
    #[wire(personal)]
    pub email: String,
    /// Onto the list, or off it.
    pub opt_out_operation: OptOutOperation,
}

/// A mobile number on its way onto the list, or off it.
#[value]
#[source("API 7.13, published")]
pub struct CellPhoneItem {
    /// The number, with country code and without + or leading zeros.
    #[wire(personal)]
    pub cell_phone: i64,
    /// Onto the list, or off it.
    pub opt_out_operation: OptOutOperation,
}

/// Sends one mail to one person: a message template, or a subject and a text.
#[request]
#[source("API 9.4, published")]
pub struct ExecuteSendMailRequest {
    /// The message. Without it, `subject` and `body` are sent.
    pub message_template_id: Option<i64>,
    /// Texts that replace blocks of the message's layout.
    #[wire(personal)]
    pub text_blocks: Option<Vec<TextBlock>>,
    /// Language of the message: two letters, for example `de`.
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
    /// The address for answers.
    #[wire(personal)]
    pub reply_to: Option<String>,
    /// The name for answers.
    #[wire(personal)]
    pub reply_to_name: Option<String>,
}

/// The mail was taken. That it has arrived, nobody knows.
#[response]
pub struct ExecuteSendMailResponse {}
