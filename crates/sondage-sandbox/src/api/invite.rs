//! An invitation: its recipients, its distributor, and when it is sent.

use super::ApiCall;
use super::check::is_email;
use super::send::deliver;
use crate::ledger::EffectKind;
use crate::random;
use crate::refusal::Refusal;
use crate::select;
use crate::world::{
    Distributor, IdCounters, Interview, InvitationOrigin, Member, Panel, SamplingProject, Tenant,
};
use chrono::{DateTime, Utc};
use sondage::model::{Condition, TextBlock};
use std::collections::HashSet;

/// What the two inviting operations have in common.
pub(super) struct Invitation<'a> {
    pub(super) survey_id: i64,
    pub(super) panel_id: i64,
    pub(super) message_template_id: i64,
    pub(super) channel: &'a str,
    pub(super) sampling_project_id: Option<i64>,
    pub(super) member_ids: Option<&'a [i64]>,
    pub(super) conditions: Option<&'a [Condition]>,
    pub(super) text_blocks: Option<&'a [TextBlock]>,
    pub(super) schedule: Option<DateTime<Utc>>,
    pub(super) expiry: Option<&'a str>,
    /// `from` and `replyTo`, with their names.
    pub(super) addresses: [(&'static str, Option<&'a str>); 2],
}

/// The objects that were created.
pub(super) struct SentInvitation {
    pub(super) sampling_project_id: i64,
    pub(super) distributor_id: i64,
}

impl Invitation<'_> {
    /// Validates everything before anything is created.
    pub(super) fn check(&self, tenant: &Tenant) -> Result<(), Refusal> {
        let survey = tenant.survey(self.survey_id)?;
        tenant.panel(self.panel_id)?;
        let template = self.message_template_id;
        if !tenant.templates.contains_key(&template) {
            return Err(Refusal::not_found("MessageTemplateNotFound", "message template", template));
        }
        if survey.status != "Active" {
            let why =
                format!("The survey {} is {}, so nobody can be invited to it.", survey.id, survey.status);
            return Err(Refusal::invalid(why).with_code("SurveyNotActive"));
        }
        if let Some(project) = self.sampling_project_id {
            let sampling_project = tenant.sampling_projects.get(&project);
            if sampling_project.is_none_or(|sampling_project| {
                (sampling_project.survey_id, sampling_project.panel_id) != (self.survey_id, self.panel_id)
            }) {
                let what = "sampling project for this survey and panel with the id";
                return Err(Refusal::not_found("SamplingProjectNotFound", what, project));
            }
        }
        for (index, block) in self.text_blocks.unwrap_or_default().iter().enumerate() {
            if block.name.as_deref().is_none_or(|name| uuid::Uuid::parse_str(name).is_err()) {
                let why =
                    format!("textBlocks[{index}].name must be the GUID of a block of the message's layout.");
                return Err(Refusal::invalid(why));
            }
        }
        for (field, address) in self.addresses {
            if address.is_some_and(|address| !is_email(address)) {
                return Err(Refusal::invalid(format!("{field} is not an e-mail address.")));
            }
        }
        self.expires().map(|_| ())
    }

    fn expires(&self) -> Result<Option<DateTime<Utc>>, Refusal> {
        let Some(text) = self.expiry else { return Ok(None) };
        let iso = DateTime::parse_from_rfc3339(text).ok().map(|time| time.to_utc());
        iso.or_else(|| crate::filter::parse_time(text))
            .map(Some)
            .ok_or_else(|| Refusal::invalid(format!("interviewExpiryDate is `{text}`, but must be a date.")))
    }

    /// Creates the sampling project, the distributor and the interviews.
    pub(super) fn send(
        &self,
        call: &ApiCall<'_>,
        tenant: &mut Tenant,
        ids: &mut IdCounters,
    ) -> Result<SentInvitation, Refusal> {
        self.check(tenant)?;
        let expiry = self.expires()?;
        let members = self.audience(call, tenant)?;
        let sampling_project_id = self.sampling_project_id.unwrap_or_else(|| ids.next());
        let distributor_id = ids.next();
        let project = SamplingProject { survey_id: self.survey_id, panel_id: self.panel_id };
        tenant.sampling_projects.insert_new(sampling_project_id, project);
        let language = tenant.panel(self.panel_id)?.position("Language");
        let (mut interviews, mut made) =
            (Vec::with_capacity(members.len()), Vec::with_capacity(members.len()));
        if let Some(panel) = tenant.panels.get_mut(&self.panel_id) {
            for id in &members {
                let Some(member) = panel.members.get_mut(id) else { continue };
                let mut interview = Interview::new(random::guid(), call.now, &call.actor());
                interview.expiry = expiry;
                interview.language =
                    language.and_then(|at| member.values.get(at)?.as_str()).map(str::to_owned);
                interview.origin = Some(InvitationOrigin {
                    panel_id: self.panel_id,
                    member_id: member.id,
                    sampling_project_id,
                    distributor_id,
                });
                member.interviews.push((self.survey_id, interview.id.clone()));
                made.push(interview.id.clone());
                interviews.push((interview.id.clone(), interview));
            }
        }
        let mut version = 0;
        if let Some(survey) = tenant.surveys.get_mut(&self.survey_id) {
            version = survey.version;
            survey.interviews.extend(interviews);
        }
        let distributor = Distributor {
            id: distributor_id,
            channel: self.channel.to_owned(),
            survey_id: self.survey_id,
            survey_version: version,
            panel_id: self.panel_id,
            sampling_project_id,
            created: call.now,
            scheduled: self.schedule.unwrap_or(call.now),
            executed: None,
            conditions: self.conditions.unwrap_or_default().to_vec(),
            operation: call.info.name,
            recipients: members,
            sent: Vec::new(),
            template_id: self.message_template_id,
            text_blocks: self.text_blocks.unwrap_or_default().to_vec(),
            from: self.addresses[0].1.map(str::to_owned),
            reminds: None,
        };
        call.shared.wake_at(distributor.scheduled);
        tenant.distributors.insert(distributor_id, distributor);
        call.note(EffectKind::MembersInvited, made);
        deliver(call.shared, tenant, call.now);
        Ok(SentInvitation { sampling_project_id, distributor_id })
    }

    /// The selected members, those who may be contacted, and those who can be reached.
    fn audience(&self, call: &ApiCall<'_>, tenant: &Tenant) -> Result<Vec<i64>, Refusal> {
        let panel = tenant.panel(self.panel_id)?;
        let workspace = tenant.survey(self.survey_id)?.workspace_id;
        let member_ids: Option<HashSet<i64>> = match self.member_ids {
            None => None,
            Some([]) => {
                let why = "memberIds is empty; leave it out if you mean everybody in the panel.";
                return Err(Refusal::invalid(why));
            }
            Some(ids) => {
                if let Some(stranger) = ids.iter().find(|id| !panel.members.contains_key(*id)) {
                    return Err(Refusal::not_found("MemberNotFound", "member", stranger));
                }
                Some(ids.iter().copied().collect())
            }
        };
        let members = select::filter(panel, panel.members.values(), self.conditions, call.profile)?;
        let members = members
            .into_iter()
            .filter(|member| member_ids.as_ref().is_none_or(|ids| ids.contains(&member.id)));
        let reached = |member: &&Member| {
            tenant.may_write(panel, member, self.channel, workspace) && reachable(panel, member, self.channel)
        };
        Ok(members.filter(reached).map(|member| member.id).collect())
    }
}

/// Whether the member has an address for the channel. The channel of links needs none.
pub(super) fn reachable(panel: &Panel, member: &Member, channel: &str) -> bool {
    let field = match channel {
        "Email" => "Email",
        "Sms" | "WhatsApp" => "CellPhoneNumber",
        _ => return true,
    };
    let value = panel.value(member, field);
    !value.is_null() && value.as_str() != Some("")
}
