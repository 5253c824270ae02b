//! Why somebody gets no message.

use sondage_macros::report;

/// Why a member who matches gets no message. Of several reasons the first in this order is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LeftOutReason {
    /// The journal says that the member got the message in an earlier run.
    Sent,
    /// The journal says that the member may have got the message in an earlier run.
    Unknown,
    /// The member has no address, or no number, for the channel.
    NoAddress,
    /// The member is on the list of those who want no messages, of the panel or of the survey's workspace.
    OptedOut,
    /// A message to this address came back for good.
    Bounced,
    /// The member was invited to this survey before.
    Invited,
    /// An invitation went to the member a short time ago, or is about to.
    Contacted,
    /// The message has no text in the member's language.
    NoText,
    /// Another member with a lower number has the same address.
    SameAddress,
    /// There are more members than the cap allows.
    BeyondCap,
}

impl LeftOutReason {
    /// All of them, in their order.
    pub const ALL: [Self; 10] = [
        Self::Sent,
        Self::Unknown,
        Self::NoAddress,
        Self::OptedOut,
        Self::Bounced,
        Self::Invited,
        Self::Contacted,
        Self::NoText,
        Self::SameAddress,
        Self::BeyondCap,
    ];

    /// The word for it, the same in every language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Unknown => "unknown",
            Self::NoAddress => "no_address",
            Self::OptedOut => "opted_out",
            Self::Bounced => "bounced",
            Self::Invited => "invited",
            Self::Contacted => "contacted",
            Self::NoText => "no_text",
            Self::SameAddress => "same_address",
            Self::BeyondCap => "beyond_cap",
        }
    }

    /// What is said of so many members.
    pub(super) fn of(self, members: usize) -> &'static str {
        let one = members == 1;
        match self {
            Self::Sent => "got it in an earlier run",
            Self::Unknown => "may have got it in an earlier run",
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

/// A member who matches and gets no message.
#[report]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LeftOut {
    /// Number of the member.
    pub member: i64,
    /// Why, by a word that stands in `docs/invite.md`. Of several reasons the first in the order of that page.
    pub reason: LeftOutReason,
}

impl LeftOut {
    /// A member who is left out.
    pub(in crate::jobs) fn new(member: i64, reason: LeftOutReason) -> Self {
        Self { member, reason }
    }
}
