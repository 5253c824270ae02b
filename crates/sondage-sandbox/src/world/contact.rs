//! Opt-outs and bounces.

use super::word::{self, Word};
use super::{Member, Panel};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An address or a number that has opted out.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OptOut {
    pub(crate) scope: Scope,
    pub(crate) contact: Contact,
    pub(crate) at: DateTime<Utc>,
    pub(crate) by: String,
}

/// The scope of an opt-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Scope {
    Workspace(i64),
    Panel(i64),
}

/// A contact. Two addresses that differ only in case reach the same person.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Contact {
    Email(String),
    Phone(i64),
}

impl Contact {
    /// The contact of a member for a channel; none for a channel without messages, or a member without an address.
    pub(crate) fn of(panel: &Panel, member: &Member, channel: &str) -> Option<Self> {
        match channel {
            "Email" => Self::email(panel, member),
            "Sms" | "WhatsApp" => panel.value(member, "CellPhoneNumber").as_i64().map(Self::Phone),
            _ => None,
        }
    }

    pub(crate) fn email(panel: &Panel, member: &Member) -> Option<Self> {
        match panel.value(member, "Email") {
            Value::String(address) if !address.is_empty() => Some(Self::Email(address.to_lowercase())),
            _ => None,
        }
    }

    /// Whether it is a contact of this member.
    pub(crate) fn is_of(&self, panel: &Panel, member: &Member) -> bool {
        let channel = if matches!(self, Self::Email(_)) { "Email" } else { "Sms" };
        Self::of(panel, member, channel).as_ref() == Some(self)
    }

    /// Whether the address is in the reserved domain `invalid`, where nothing can ever arrive.
    pub(crate) fn is_dead(&self) -> bool {
        matches!(self, Self::Email(address) if address.ends_with(".invalid"))
    }
}

/// A bounced message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Bounce {
    pub(crate) distributor_id: Option<i64>,
    pub(crate) survey_id: i64,
    pub(crate) interview: Option<String>,
    pub(crate) panel_id: i64,
    pub(crate) member_id: i64,
    /// `Hard`, `Soft` or `Spam`.
    #[serde(deserialize_with = "word::read")]
    pub(crate) kind: Word,
    pub(crate) at: DateTime<Utc>,
    pub(crate) contact: Option<Contact>,
    /// `Invitation` or `Reminder`.
    #[serde(deserialize_with = "word::read")]
    pub(crate) invitation: Word,
}

impl Bounce {
    /// The response of the mail server, in the usual wording.
    pub(crate) fn reason(&self) -> &'static str {
        match self.kind {
            "Hard" => "550 5.1.1 The mailbox does not exist.",
            "Spam" => "550 5.7.1 The message was taken for spam.",
            _ => "452 4.2.2 The mailbox is full.",
        }
    }
}
