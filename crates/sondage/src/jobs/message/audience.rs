//! Who gets a message: everybody who matches, without those whom it must not or cannot reach.

use super::reader::Reader;
use crate::error::{Error, Result};
use crate::model::{
    BounceType, Distributor, FieldValue, Member, PanelField, ReadBounceListRequest,
    ReadDistributorListRequest, ReadMessageTemplateListRequest, ReadOptOutListRequest, ReadPanelRequest,
    ReadSurveyListRequest, ReadWorkspaceListRequest, Timestamp,
};
use crate::operations::{
    ReadBounceList, ReadDistributorList, ReadMessageTemplateList, ReadOptOutList, ReadSurveyList,
    ReadWorkspaceList,
};
use crate::text;
use sondage_macros::report;
use std::collections::{BTreeSet, HashSet};

/// Why a member who matches gets no message. Of several reasons the first in this order is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LeftOutReason {
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
    /// There are more members than the cap allows.
    BeyondCap,
}

impl LeftOutReason {
    /// All of them, in their order.
    pub const ALL: [Self; 7] = [
        Self::NoAddress,
        Self::OptedOut,
        Self::Bounced,
        Self::Invited,
        Self::Contacted,
        Self::NoText,
        Self::BeyondCap,
    ];

    /// The word for it, the same in every language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NoAddress => "no_address",
            Self::OptedOut => "opted_out",
            Self::Bounced => "bounced",
            Self::Invited => "invited",
            Self::Contacted => "contacted",
            Self::NoText => "no_text",
            Self::BeyondCap => "beyond_cap",
        }
    }

    /// What is said of so many members.
    pub(super) fn of(self, members: usize) -> &'static str {
        let one = members == 1;
        match self {
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

/// Who gets a message, and who does not.
#[derive(Default)]
pub(super) struct Audience {
    pub survey_id: i64,
    pub panel_id: i64,
    /// They get it, by their numbers, ascending.
    pub members: Vec<i64>,
    /// They match and do not, by their numbers, ascending.
    pub left_out: Vec<LeftOut>,
    /// Calls that reading it once more takes.
    pub calls: u64,
}

/// How a member is reached. Two addresses that differ in case only are the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Address {
    Text(String),
    Number(i64),
}

/// A field that holds addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    Email,
    Phone,
}

impl Channel {
    /// The field in which its addresses stand.
    // API 3.3, published
    fn field(self) -> &'static str {
        match self {
            Self::Email => "Email",
            Self::Phone => "CellPhoneNumber",
        }
    }
}

/// Where the language of a member stands.
// API 3.3, specified
const LANGUAGE: &str = "Language";

/// A member who matches, as far as it matters.
pub(super) struct Candidate {
    pub id: i64,
    addresses: [Option<Address>; 2],
    language: Option<String>,
    /// Survey and distributor of each interview.
    interviews: Vec<(Option<i64>, Option<i64>)>,
}

/// What decides who of those who match is left out.
pub(super) struct Rules {
    pub survey_id: i64,
    pub panel_id: i64,
    pub message_template_id: i64,
    pub channel: Channel,
    pub workspace_id: Option<i64>,
    /// Who was contacted at this time or later is left out.
    pub contacted_since: Option<Timestamp>,
    pub again: bool,
    pub other_languages: bool,
    pub cap: Option<usize>,
    pub chooser: Chooser,
}

/// Who leaves out those who want no messages and cannot be reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Chooser {
    /// The plan, which names the members: whoever opted out by any address, and whoever has an address that does not exist.
    Plan,
    /// The service, whose rules the plan has to guess (assumed): whoever opted out by the address of the channel, and
    /// every member of whom a message came back for good.
    Service,
}

impl Rules {
    /// The fields that are read of each member, and an error where the panel lacks one that must be there.
    pub async fn fields(&self, reader: &mut Reader) -> Result<Vec<&'static str>> {
        let answer = reader.client.read_panel(ReadPanelRequest::new(self.panel_id)).await?;
        reader.calls += 1;
        let panel = answer.panel.ok_or_else(|| Error::unexpected_response("the answer has no panel"))?;
        let fields: Vec<PanelField> = panel.groups.into_iter().flat_map(|group| group.fields).collect();
        let has = |name: &&str| fields.iter().any(|field| field.name == *name);
        let needed = self.channel.field();
        if !has(&needed) {
            return Err(Error::invalid_argument(text!(
                "the panel {} has no field {needed:?}, so nobody in it can be reached this way",
                self.panel_id
            ))
            .with_hint("Nothing was sent. Choose another `channel`, or another panel."));
        }
        Ok(["Email", "CellPhoneNumber", LANGUAGE].into_iter().filter(has).collect())
    }

    /// Divides those who match.
    pub async fn divide(&self, mut reader: Reader, candidates: Vec<Candidate>) -> Result<Audience> {
        let opted_out = self.opted_out(&mut reader).await?;
        let bounced = self.bounced(&mut reader, &candidates).await?;
        let contacts = self.contacts(&mut reader).await?;
        let languages = self.languages(&mut reader).await?;
        let mut audience =
            Audience { survey_id: self.survey_id, panel_id: self.panel_id, ..Audience::default() };
        let mut candidates = candidates;
        candidates.sort_by_key(|candidate| candidate.id);
        for candidate in &candidates {
            let address = &candidate.addresses[self.channel as usize];
            let wants_none = match self.chooser {
                Chooser::Plan => candidate.addresses.iter().flatten().any(|it| opted_out.contains(it)),
                Chooser::Service => address.as_ref().is_some_and(|it| opted_out.contains(it)),
            };
            let invited = |(survey, _): &(Option<i64>, _)| *survey == Some(self.survey_id);
            let recent = |(_, by): &(_, Option<i64>)| by.is_some_and(|by| contacts.contains(&by));
            let reason = if address.is_none() {
                Some(LeftOutReason::NoAddress)
            } else if wants_none {
                Some(LeftOutReason::OptedOut)
            } else if address.as_ref().is_some_and(|it| bounced.addresses.contains(it))
                || bounced.members.contains(&candidate.id)
            {
                Some(LeftOutReason::Bounced)
            } else if !self.again && candidate.interviews.iter().any(invited) {
                Some(LeftOutReason::Invited)
            } else if candidate.interviews.iter().any(recent) {
                Some(LeftOutReason::Contacted)
            } else if !self.other_languages
                && candidate.language.as_deref().is_some_and(|it| !languages.contains(it))
            {
                Some(LeftOutReason::NoText)
            } else if self.cap.is_some_and(|cap| audience.members.len() >= cap) {
                Some(LeftOutReason::BeyondCap)
            } else {
                None
            };
            match reason {
                Some(reason) => audience.left_out.push(LeftOut { member: candidate.id, reason }),
                None => audience.members.push(candidate.id),
            }
        }
        audience.calls = reader.calls;
        Ok(audience)
    }

    /// Addresses that want no messages: of the panel's list, and of the list of the survey's workspace.
    async fn opted_out(&self, reader: &mut Reader) -> Result<HashSet<Address>> {
        let mut found = HashSet::new();
        let mut add = |item: crate::model::OptOutItem| {
            found.extend(item.email.as_deref().and_then(text_address));
            found.extend(item.phone.map(Address::Number));
        };
        let mut panel = ReadOptOutListRequest::new();
        panel.panel_id = Some(self.panel_id);
        reader.list::<ReadOptOutList>(panel, &mut add).await?;
        let mut workspace = ReadOptOutListRequest::new();
        workspace.workspace_id = Some(self.workspace(reader).await?);
        reader.list::<ReadOptOutList>(workspace, &mut add).await?;
        Ok(found)
    }

    /// The workspace of the survey: the survey itself does not tell.
    async fn workspace(&self, reader: &mut Reader) -> Result<i64> {
        if let Some(workspace) = self.workspace_id {
            return Ok(workspace);
        }
        let mut workspaces = Vec::new();
        reader
            .list::<ReadWorkspaceList>(ReadWorkspaceListRequest::new(), |it| workspaces.push(it.id))
            .await?;
        for workspace in workspaces {
            let mut here = false;
            let request = ReadSurveyListRequest::new(workspace);
            reader.list::<ReadSurveyList>(request, |survey| here |= survey.id == self.survey_id).await?;
            if here {
                return Ok(workspace);
            }
        }
        Err(Error::invalid_argument(text!("no workspace of the account has the survey {}", self.survey_id))
            .with_hint("Nothing was sent. Check the number of the survey, or give `workspace_id`."))
    }

    /// Addresses to which a message came back for good, in any survey to which one of these members was invited.
    async fn bounced(&self, reader: &mut Reader, candidates: &[Candidate]) -> Result<Bounced> {
        let invited = candidates.iter().flat_map(|candidate| &candidate.interviews);
        let surveys: BTreeSet<i64> = invited.filter_map(|(survey, _)| *survey).collect();
        let mut bounced = Bounced::default();
        for survey in surveys {
            let mut request = ReadBounceListRequest::new(survey);
            request.panel_id = Some(self.panel_id);
            reader
                .list::<ReadBounceList>(request, |bounce| {
                    if bounce.bounce_type != BounceType::Hard {
                        return;
                    }
                    let address = bounce.email.as_deref().and_then(text_address);
                    match address.or(bounce.phone.map(Address::Number)) {
                        Some(address) if self.chooser == Chooser::Plan => {
                            bounced.addresses.insert(address);
                        }
                        _ => bounced.members.extend(bounce.panel_member_id),
                    }
                })
                .await?;
        }
        Ok(bounced)
    }

    /// The distributors of the panel that sent, or will send, since the time that counts.
    async fn contacts(&self, reader: &mut Reader) -> Result<HashSet<i64>> {
        let mut found = HashSet::new();
        let Some(since) = self.contacted_since else { return Ok(found) };
        let mut request = ReadDistributorListRequest::new();
        request.panel_id = Some(self.panel_id);
        let time = |it: &Distributor| it.executed_distribution.or(it.scheduled_distribution);
        reader
            .list::<ReadDistributorList>(request, |distributor| {
                // One without a time may have sent a minute ago.
                if time(&distributor).is_none_or(|time| time >= since) {
                    found.insert(distributor.distributor_id);
                }
            })
            .await?;
        Ok(found)
    }

    /// The languages in which the message has a text.
    async fn languages(&self, reader: &mut Reader) -> Result<HashSet<String>> {
        let (mut found, wanted) = (None, self.message_template_id);
        reader
            .list::<ReadMessageTemplateList>(ReadMessageTemplateListRequest::new("en"), |template| {
                if template.id == wanted {
                    found = Some(template.locales.iter().map(|locale| language(locale)).collect());
                }
            })
            .await?;
        found.ok_or_else(|| {
            Error::invalid_argument(text!("there is no message template {wanted}"))
                .with_hint("Nothing was sent. `read_message_template_list` shows those that there are.")
        })
    }
}

/// Who cannot be reached.
#[derive(Default)]
struct Bounced {
    addresses: HashSet<Address>,
    /// Where a bounce does not say to which address it went.
    members: HashSet<i64>,
}

impl Candidate {
    pub fn of(member: &Member) -> Self {
        let address = |channel: Channel| match member.value(channel.field())? {
            FieldValue::Text(text) => text_address(text),
            other => other.as_i64().map(Address::Number),
        };
        let told = member.text(LANGUAGE).filter(|text| !text.is_empty());
        let interviews = member.interviews.iter().map(|it| (it.survey_id, it.distributor_id));
        Self {
            id: member.id,
            addresses: [address(Channel::Email), address(Channel::Phone)],
            language: told.map(language),
            interviews: interviews.collect(),
        }
    }
}

fn text_address(text: &str) -> Option<Address> {
    (!text.is_empty()).then(|| Address::Text(text.to_lowercase()))
}

/// `de` of `de-CH`: a text for a language is taken to be one for its regions too (assumed).
fn language(locale: &str) -> String {
    locale.split(['-', '_']).next().unwrap_or(locale).to_lowercase()
}

/// How two audiences differ: who came, and who went.
pub(super) fn difference(before: &[i64], now: &[i64]) -> Option<(Vec<i64>, Vec<i64>)> {
    let without = |all: &[i64], others: &[i64]| -> Vec<i64> {
        let others: HashSet<i64> = others.iter().copied().collect();
        all.iter().copied().filter(|id| !others.contains(id)).collect()
    };
    let (came, went) = (without(now, before), without(before, now));
    (!came.is_empty() || !went.is_empty()).then_some((came, went))
}
