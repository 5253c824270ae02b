//! Why a matching member, or a row, gets no message.

use sondage_macros::{report, words};

/// Why a matching member, or a row, gets no message. If several reasons apply, the first in this order is given.
#[words]
#[derive(PartialOrd, Ord)]
#[non_exhaustive]
pub enum LeftOutReason {
    /// The journal says that the member got the message in an earlier run.
    Sent,
    /// The journal says that the member may have got the message in an earlier run.
    Unknown,
    /// The row does not fit the panel.
    Invalid,
    /// Another row has the same key.
    SameKey,
    /// A member of the panel has the row's key.
    Exists,
    /// The member has no address, or no number, for the channel.
    NoAddress,
    /// The member is on the opt-out list of the panel or of the survey's workspace.
    OptedOut,
    /// A message to this address bounced permanently.
    Bounced,
    /// The member was invited to this survey before.
    Invited,
    /// An invitation was sent to the member recently, or is scheduled.
    Contacted,
    /// The message has no text in the member's language.
    NoText,
    /// Another member with a lower id has the same address.
    SameAddress,
    /// There are more members than the cap allows.
    BeyondCap,
}

impl LeftOutReason {
    /// A description for this many members.
    #[doc(hidden)] // for sondage-mcp
    pub fn of(self, members: usize) -> &'static str {
        let one = members == 1;
        match self {
            Self::Sent => "got it in an earlier run",
            Self::Unknown => "may have got it in an earlier run",
            Self::Invalid if one => "does not fit the panel",
            Self::Invalid => "do not fit the panel",
            Self::SameKey if one => "has the key of another row",
            Self::SameKey => "have the keys of other rows",
            Self::Exists if one => "is in the panel already",
            Self::Exists => "are in the panel already",
            Self::NoAddress if one => "has no address",
            Self::NoAddress => "have no address",
            Self::OptedOut => "opted out",
            Self::Bounced if one => "has an address that does not exist",
            Self::Bounced => "have addresses that do not exist",
            Self::Invited if one => "was invited before",
            Self::Invited => "were invited before",
            Self::Contacted if one => "was contacted a short time ago",
            Self::Contacted => "were contacted a short time ago",
            Self::NoText if one => "has no text in the own language",
            Self::NoText => "have no text in their language",
            Self::SameAddress if one => "has the address of another member",
            Self::SameAddress => "have the addresses of other members",
            Self::BeyondCap if one => "is beyond the cap",
            Self::BeyondCap => "are beyond the cap",
        }
    }
}

/// A matching member who gets no message.
#[report]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Id of the member.
    pub member: i64,
    /// The reason, by its name in `docs/invite.md`. If several reasons apply, the first in the order of that page.
    pub reason: LeftOutReason,
}

/// A row from which nobody is created and invited.
#[report]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOutRow {
    /// The row, counted from 0.
    pub row: i64,
    /// The line of the file, counted from 1, in which it begins; of a workbook, the row of the sheet. Nothing if the rows are not from
    /// a file.
    pub line: Option<u64>,
    /// The reason, by its name in `docs/invite.md`. If several reasons apply, the first in the order of that page.
    pub reason: LeftOutReason,
    /// What is wrong with the row, if the reason alone does not say it. It names no value of the row.
    pub why: Option<String>,
    /// The member of the panel who has the row's key.
    pub member: Option<i64>,
}

impl LeftOut {
    /// A member who is left out.
    pub(crate) fn new(member: i64, reason: LeftOutReason) -> Self {
        Self { member, reason }
    }
}
