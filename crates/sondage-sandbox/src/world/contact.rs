//! Who gets no messages, and which messages came back.

use super::{Member, Panel};
use chrono::{DateTime, Utc};
use serde_json::Value;

/// An address or a number that wants no messages.
#[derive(Debug)]
pub(crate) struct OptOut {
    pub(crate) scope: Scope,
    pub(crate) contact: Contact,
    pub(crate) at: DateTime<Utc>,
    pub(crate) by: String,
}

/// For what an opt-out holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Workspace(i64),
    Panel(i64),
}

/// How somebody is reached. Two addresses that differ in case reach the same person.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Contact {
    Email(String),
    Phone(i64),
}

impl Contact {
    /// How messages of a channel reach a member; none for a channel without messages, or a member without an address.
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

    /// Whether it is how this member is reached.
    pub(crate) fn is_of(&self, panel: &Panel, member: &Member) -> bool {
        let channel = if matches!(self, Self::Email(_)) { "Email" } else { "Sms" };
        Self::of(panel, member, channel).as_ref() == Some(self)
    }

    /// Whether nothing can ever arrive there: the domain `invalid` is reserved for that.
    pub(crate) fn is_dead(&self) -> bool {
        matches!(self, Self::Email(address) if address.ends_with(".invalid"))
    }
}

/// A message that came back.
#[derive(Clone, Debug)]
pub(crate) struct Bounce {
    pub(crate) distributor_id: Option<i64>,
    pub(crate) survey_id: i64,
    pub(crate) interview: Option<String>,
    pub(crate) panel_id: i64,
    pub(crate) member_id: i64,
    /// `Hard`, `Soft` or `Spam`.
    pub(crate) kind: &'static str,
    pub(crate) at: DateTime<Utc>,
    pub(crate) contact: Option<Contact>,
    /// `Invitation` or `Reminder`.
    pub(crate) invitation: &'static str,
}

impl Bounce {
    /// What the mail server said. The words are a mail server's usual ones.
    pub(crate) fn reason(&self) -> &'static str {
        match self.kind {
            "Hard" => "550 5.1.1 The mailbox does not exist.",
            "Spam" => "550 5.7.1 The message was taken for spam.",
            _ => "452 4.2.2 The mailbox is full.",
        }
    }
}
