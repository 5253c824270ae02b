//! The audience of a message: all matching members, except those who must not get it or cannot be reached.

use crate::plan::{LeftOut, LeftOutReason, Reader, Recipient, Seen, TargetKind, wrong};
use sondage::error::{Error, Result};
use sondage::model::{
    BounceType, Distributor, FieldValue, Member, NewMember, PanelField, ReadBounceListRequest,
    ReadDistributorListRequest, ReadMessageTemplateListRequest, ReadOptOutListRequest, ReadPanelRequest,
    ReadSurveyListRequest, ReadWorkspaceListRequest, Timestamp,
};
use sondage::operations::{
    ReadBounceList, ReadDistributorList, ReadMemberList, ReadMessageTemplateList, ReadOptOutList,
    ReadSurveyList, ReadWorkspaceList,
};
use sondage::paging::Pages;
use sondage::text;
use std::collections::{BTreeSet, HashSet};

/// Who gets a message and who does not, with the other data that were read about them.
pub(super) struct Audience {
    pub seen: Seen,
    pub languages: Languages,
    pub candidates: Vec<Candidate>,
}

/// The languages in which a message has a text.
#[derive(Default)]
pub(super) struct Languages {
    /// Unknown: there is no message template.
    all: Option<HashSet<String>>,
    /// The fallback language.
    pub fallback: Option<String>,
}

impl Languages {
    pub fn has(&self, language: &str) -> bool {
        self.all.as_ref().is_none_or(|all| all.contains(language))
    }
}

/// How a member is reached. Addresses that differ only in case are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Address {
    Text(String),
    Number(i64),
}

/// A field that contains addresses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    Email,
    Phone,
}

impl Channel {
    /// The field with the member's addresses.
    // API 3.3, published
    fn field(self) -> &'static str {
        match self {
            Self::Email => "Email",
            Self::Phone => "CellPhoneNumber",
        }
    }
}

/// The field with the member's language.
// API 3.3, specified
const LANGUAGE: &str = "Language";

/// The relevant data of a matching member.
pub(super) struct Candidate {
    pub id: i64,
    addresses: [Option<Address>; 2],
    /// The e-mail address as the panel has it.
    pub email: Option<String>,
    pub language: Option<String>,
    /// Survey and distributor of each interview.
    interviews: Vec<(Option<i64>, Option<i64>)>,
}

/// The rules for excluding matching members.
pub(super) struct Rules {
    /// The survey to answer, if there is one.
    pub survey_id: Option<i64>,
    pub panel_id: i64,
    pub message_template_id: Option<i64>,
    pub channel: Channel,
    pub workspace_id: Option<i64>,
    /// Members contacted at or after this time are excluded.
    pub contacted_since: Option<Timestamp>,
    pub again: bool,
    pub other_languages: bool,
    pub cap: Option<usize>,
    pub chooser: Chooser,
    /// Whether only the first of several members with the same address gets the message.
    pub each_address_once: bool,
}

/// Whether the plan or the service excludes members who opted out or cannot be reached.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Chooser {
    /// The plan, which names the members: it excludes members who opted out by any address, and members with an address
    /// that does not exist.
    Plan,
    /// The service, whose rules the plan has to predict (assumed): members who opted out by the address of the channel,
    /// and every member with a permanent bounce.
    Service,
}

impl Rules {
    /// The fields that are read for each member, and an error if the panel lacks a required one.
    pub async fn fields(&self, reader: &mut Reader) -> Result<Vec<&'static str>> {
        let fields = self.definition(reader).await?;
        let has = |name: &&str| fields.iter().any(|field| field.name == *name);
        Ok(["Email", "CellPhoneNumber", LANGUAGE].into_iter().filter(has).collect())
    }

    /// The fields of the panel, and an error if it lacks a required one.
    pub async fn definition(&self, reader: &mut Reader) -> Result<Vec<PanelField>> {
        if reader.fields.is_empty() {
            let answer = reader.client.read_panel(ReadPanelRequest::new(self.panel_id)).await?;
            let panel =
                answer.panel.ok_or_else(|| Error::unexpected_response("the response has no panel"))?;
            reader.fields = panel.groups.into_iter().flat_map(|group| group.fields).collect();
        }
        let fields = reader.fields.clone();
        let needed = self.channel.field();
        if !fields.iter().any(|field| field.name == needed) {
            return Err(Error::invalid_argument(text!(
                "the panel {} has no field {needed:?}, so nobody in it can be reached this way",
                self.panel_id
            ))
            .with_hint("Nothing was sent. Choose another `channel`, or another panel."));
        }
        Ok(fields)
    }

    /// The members of a list who match. `named`: only these, each of whom must be on the list.
    pub async fn candidates(
        &self,
        reader: &mut Reader,
        members: Pages<ReadMemberList>,
        named: Option<&[i64]>,
    ) -> Result<Vec<Candidate>> {
        let named: Option<BTreeSet<i64>> = named.map(|ids| ids.iter().copied().collect());
        if named.as_ref().is_some_and(BTreeSet::is_empty) {
            let hint = "Leave it out to mean everybody in the panel.";
            return Err(wrong("`member_ids` is empty, so nobody could get the message", hint));
        }
        let mut candidates = Vec::new();
        let is_meant = |member: &Member| named.as_ref().is_none_or(|ids| ids.contains(&member.id));
        reader
            .all(members, |member| {
                if is_meant(&member) {
                    candidates.push(Candidate::of(&member));
                }
            })
            .await?;
        let candidate_ids: HashSet<i64> = candidates.iter().map(|candidate| candidate.id).collect();
        let strangers: Vec<i64> =
            named.unwrap_or_default().into_iter().filter(|id| !candidate_ids.contains(id)).collect();
        if strangers.is_empty() { Ok(candidates) } else { Err(strange(self.panel_id, &strangers)) }
    }

    /// Divides the matching members into recipients and excluded ones.
    pub async fn divide(&self, mut reader: Reader, candidates: Vec<Candidate>) -> Result<Audience> {
        let opted_out = self.opted_out(&mut reader).await?;
        let bounced = self.bounced(&mut reader, &candidates).await?;
        let contacts = self.contacts(&mut reader).await?;
        let languages = self.languages(&mut reader).await?;
        let mut audience = Seen {
            survey_id: self.survey_id,
            panel_id: Some(self.panel_id),
            kind: TargetKind::Members,
            ..Seen::default()
        };
        let mut written = HashSet::new();
        let mut candidates = candidates;
        candidates.sort_by_key(|candidate| candidate.id);
        for candidate in &candidates {
            let address = &candidate.addresses[self.channel as usize];
            let wants_none = match self.chooser {
                Chooser::Plan => candidate.addresses.iter().flatten().any(|it| opted_out.contains(it)),
                Chooser::Service => address.as_ref().is_some_and(|it| opted_out.contains(it)),
            };
            let invited = |(survey, _): &(Option<i64>, _)| survey.is_some() && *survey == self.survey_id;
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
                && candidate.language.as_deref().is_some_and(|it| !languages.has(it))
            {
                Some(LeftOutReason::NoText)
            } else if self.each_address_once && address.as_ref().is_some_and(|it| written.contains(it)) {
                Some(LeftOutReason::SameAddress)
            } else if self.cap.is_some_and(|cap| audience.targets.len() >= cap) {
                Some(LeftOutReason::BeyondCap)
            } else {
                None
            };
            if let Some(reason) = reason {
                audience.left_out.push(LeftOut::new(candidate.id, reason));
                continue;
            }
            audience.targets.push(candidate.id);
            audience.recipients.insert(candidate.id, candidate.recipient(self.channel));
            if self.each_address_once {
                written.extend(address.as_ref());
            }
        }
        drop(written);
        (audience.calls, audience.bytes) = (reader.calls_again(), reader.bytes);
        audience.cheaper = reader.cheaper();
        (audience.fields, audience.workspace_id) = (reader.fields, reader.workspace_id);
        Ok(Audience { seen: audience, languages, candidates })
    }

    /// Opted-out addresses: of the panel's list, and of the list of the survey's workspace.
    async fn opted_out(&self, reader: &mut Reader) -> Result<HashSet<Address>> {
        let mut ids = HashSet::new();
        let mut add = |item: sondage::model::OptOutItem| {
            ids.extend(item.email.as_deref().and_then(text_address));
            ids.extend(item.phone.map(Address::Number));
        };
        let mut panel = ReadOptOutListRequest::new();
        panel.panel_id = Some(self.panel_id);
        reader.list::<ReadOptOutList>(panel, &mut add).await?;
        if let Some(id) = self.workspace(reader).await? {
            let mut workspace = ReadOptOutListRequest::new();
            workspace.workspace_id = Some(id);
            reader.list::<ReadOptOutList>(workspace, &mut add).await?;
        }
        Ok(ids)
    }

    /// The workspace of the survey, which the survey itself does not name.
    async fn workspace(&self, reader: &mut Reader) -> Result<Option<i64>> {
        let (None, Some(survey_id)) = (self.workspace_id, self.survey_id) else {
            return Ok(self.workspace_id);
        };
        reader.workspace_id = reader.workspace_id.or_else(|| reader.client.known_workspace(survey_id));
        if reader.workspace_id.is_some() {
            return Ok(reader.workspace_id);
        }
        // These calls are not made again for the run.
        let mut search = Reader::new(&reader.client);
        let mut workspaces = Vec::new();
        search
            .list::<ReadWorkspaceList>(ReadWorkspaceListRequest::new(), |it| workspaces.push(it.id))
            .await?;
        for workspace in workspaces {
            let request = ReadSurveyListRequest::new(workspace);
            if search.find::<ReadSurveyList>(request, |survey| survey.id == survey_id).await?.is_some() {
                reader.client.learn_workspace(survey_id, workspace);
                reader.workspace_id = Some(workspace);
                reader.has_searched(workspace, search.calls_again());
                return Ok(Some(workspace));
            }
        }
        Err(Error::invalid_argument(text!("no workspace of the account has the survey {survey_id}"))
            .with_hint("Nothing was sent. Check the number of the survey, or give `workspace_id`."))
    }

    /// Addresses with a permanent bounce, in any survey to which one of these members was invited.
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

    /// The distributors of the panel that have sent, or will send, since the given time.
    async fn contacts(&self, reader: &mut Reader) -> Result<HashSet<i64>> {
        let mut ids = HashSet::new();
        let Some(since) = self.contacted_since else { return Ok(ids) };
        let mut request = ReadDistributorListRequest::new();
        request.panel_id = Some(self.panel_id);
        let time = |it: &Distributor| it.executed_distribution.or(it.scheduled_distribution);
        reader
            .list::<ReadDistributorList>(request, |distributor| {
                // A distributor without a time may have sent just now.
                if time(&distributor).is_none_or(|time| time >= since) {
                    ids.insert(distributor.distributor_id);
                }
            })
            .await?;
        Ok(ids)
    }

    /// The languages in which the message has a text.
    async fn languages(&self, reader: &mut Reader) -> Result<Languages> {
        let Some(wanted) = self.message_template_id else { return Ok(Languages::default()) };
        let request = ReadMessageTemplateListRequest::new("en");
        let template =
            reader.find::<ReadMessageTemplateList>(request, |template| template.id == wanted).await?;
        let template = template.ok_or_else(|| {
            wrong(
                text!("there is no message template {wanted}"),
                "`read_message_template_list` shows which ones exist.",
            )
        })?;
        let fallback = template.default_locale.as_deref().or(template.locales.first().map(String::as_str));
        Ok(Languages {
            fallback: fallback.map(language),
            all: Some(template.locales.iter().map(|locale| language(locale)).collect()),
        })
    }
}

/// Unreachable members.
#[derive(Default)]
struct Bounced {
    addresses: HashSet<Address>,
    /// The bounce does not contain its address.
    members: HashSet<i64>,
}

impl Candidate {
    pub fn of(member: &Member) -> Self {
        let interviews = member.interviews.iter().map(|it| (it.survey_id, it.distributor_id));
        Self { interviews: interviews.collect(), ..Self::with(member.id, |name| member.value(name)) }
    }

    /// A person who is not a member yet. `id`: the row.
    pub fn new(id: i64, member: &NewMember, survey_id: i64) -> Self {
        let value = |name: &str| member.fields.get(name).map(|field| &field.value);
        // The bounces of this survey count, as for a member who was invited to it.
        Self { interviews: vec![(Some(survey_id), None)], ..Self::with(id, value) }
    }

    /// Where a message by this channel goes, exactly: a service may distinguish addresses that differ only in case.
    fn recipient(&self, channel: Channel) -> Recipient {
        let address = match &self.addresses[channel as usize] {
            Some(Address::Number(number)) => number.to_string(),
            Some(Address::Text(text)) if channel == Channel::Phone => text.clone(),
            _ => self.email.clone().unwrap_or_default(),
        };
        Recipient { address, language: self.language.clone() }
    }

    fn with<'a>(id: i64, value: impl Fn(&str) -> Option<&'a FieldValue>) -> Self {
        let address = |channel: Channel| match value(channel.field())? {
            FieldValue::Text(text) => text_address(text),
            other => other.as_i64().map(Address::Number),
        };
        let text = |name: &str| value(name)?.as_str().filter(|text| !text.is_empty());
        Self {
            id,
            addresses: [address(Channel::Email), address(Channel::Phone)],
            email: text(Channel::Email.field()).map(str::to_owned),
            language: text(LANGUAGE).map(language),
            interviews: Vec::new(),
        }
    }
}

fn text_address(text: &str) -> Option<Address> {
    (!text.is_empty()).then(|| Address::Text(text.to_lowercase()))
}

/// `de` of `de-CH`: a text for a language is also used for its regions (assumed).
fn language(locale: &str) -> String {
    locale.split(['-', '_']).next().unwrap_or(locale).to_lowercase()
}

/// Members that were named but do not exist.
fn strange(panel: i64, strangers: &[i64]) -> Error {
    let first: Vec<String> = strangers.iter().take(10).map(ToString::to_string).collect();
    let more = if strangers.len() > first.len() { ", ..." } else { "" };
    let (count, first) = (strangers.len(), first.join(", "));
    wrong(
        text!("{count} of `member_ids` are not in the panel {panel}, or do not pass `where`: {first}{more}"),
        "Remove them from the list.",
    )
}
