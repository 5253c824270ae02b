//! The data of the platform: accounts, and in each of them workspaces, surveys, panels, messages and webhooks.

pub(crate) mod artifact;
pub(crate) mod contact;
mod contents;
pub(crate) mod incentive;
pub(crate) mod invitation;
pub(crate) mod panel;
pub(crate) mod questionnaire;
pub(crate) mod survey;
pub(crate) mod tracked;
pub(crate) mod word;
pub(crate) mod workflow;

pub(crate) use artifact::Artifact;
pub(crate) use contact::{Bounce, Contact, OptOut, Scope};
pub(crate) use contents::{AddedSurveys, Seeded};
pub(crate) use incentive::{Incentives, Offer, Transaction};
pub(crate) use invitation::{Distributor, Mail, MessageTemplate, MessageText, SamplingProject};
pub(crate) use panel::{FieldFormat, Member, Panel, PanelField};
pub(crate) use survey::{Download, Interview, InvitationOrigin, Survey, SurveyVariable};
pub(crate) use tracked::{Entities, GrowingList, Tracked};

use crate::account::DataCenter;
use crate::refusal::Refusal;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Everything.
#[derive(Debug, Default)]
pub(crate) struct PlatformState {
    pub(crate) tenants: Vec<Tenant>,
    pub(crate) ids: IdCounters,
}

/// Counters of ids. An id is unique in the whole sandbox, so that an id of one account never exists in another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct IdCounters {
    last: i64,
    last_member: i64,
}

impl IdCounters {
    pub(crate) fn next(&mut self) -> i64 {
        self.last += 1;
        self.last
    }

    pub(crate) fn next_member(&mut self) -> i64 {
        self.last_member += 1;
        self.last_member
    }
}

impl PlatformState {
    /// `first_member` may lie beyond 2^53, where JavaScript loses digits.
    pub(crate) fn new(first_member: i64) -> Self {
        Self { tenants: Vec::new(), ids: IdCounters { last: 1000, last_member: first_member - 1 } }
    }

    pub(crate) fn tenant(&self, name: &str) -> Option<&Tenant> {
        self.tenants.iter().find(|tenant| tenant.name == name)
    }

    /// An account and the counters for new objects in it.
    pub(crate) fn change(&mut self, tenant: &str) -> Option<(&mut Tenant, &mut IdCounters)> {
        let tenant = self.tenants.iter_mut().find(|known| known.name == tenant)?;
        Some((tenant, &mut self.ids))
    }

    /// The account to which this client belongs, in one data center.
    pub(crate) fn client(&self, data_center: DataCenter, client_id: &str) -> Option<&Tenant> {
        self.tenants
            .iter()
            .find(|tenant| tenant.data_center == data_center && tenant.client_id() == client_id)
    }
}

/// An account.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Tenant {
    pub(crate) name: String,
    pub(crate) data_center: DataCenter,
    pub(crate) client_secret: String,
    /// Registered redirect addresses for the authorization code; loopback addresses need no registration.
    pub(crate) redirect_uris: Vec<String>,
    pub(crate) users: Vec<User>,
    #[serde(skip)]
    pub(crate) workspaces: Entities<i64, Workspace>,
    #[serde(skip)]
    pub(crate) surveys: Entities<i64, Survey>,
    #[serde(skip)]
    pub(crate) panels: Entities<i64, Panel>,
    #[serde(skip)]
    pub(crate) templates: Entities<i64, MessageTemplate>,
    #[serde(skip)]
    pub(crate) sampling_projects: Entities<i64, SamplingProject>,
    #[serde(skip)]
    pub(crate) distributors: Entities<i64, Distributor>,
    /// Reminders.
    #[serde(skip)]
    pub(crate) reminders: Entities<i64, Distributor>,
    /// Mails outside an invitation, the oldest first.
    #[serde(skip)]
    pub(crate) mails: GrowingList<Mail>,
    #[serde(skip)]
    pub(crate) opt_outs: GrowingList<OptOut>,
    #[serde(skip)]
    pub(crate) bounces: GrowingList<Bounce>,
    #[serde(skip)]
    pub(crate) web_hooks: Entities<String, WebHook>,
    #[serde(skip)]
    pub(crate) incentives: Tracked<Incentives>,
    #[serde(skip)]
    pub(crate) artifacts: GrowingList<Artifact>,
    /// Links to documents, by their last path segment.
    #[serde(skip)]
    pub(crate) downloads: Entities<String, Download>,
}

impl Tenant {
    pub(crate) fn new(name: &str, data_center: DataCenter, client_secret: String, users: Vec<User>) -> Self {
        Self {
            name: name.to_owned(),
            data_center,
            client_secret,
            redirect_uris: Vec::new(),
            users,
            workspaces: Entities::default(),
            surveys: Entities::default(),
            panels: Entities::default(),
            templates: Entities::default(),
            sampling_projects: Entities::default(),
            distributors: Entities::default(),
            reminders: Entities::default(),
            mails: GrowingList::default(),
            opt_outs: GrowingList::default(),
            bounces: GrowingList::default(),
            web_hooks: Entities::default(),
            incentives: Tracked::default(),
            artifacts: GrowingList::default(),
            downloads: Entities::default(),
        }
    }

    /// `{tenant}_api`.
    // API 2.1
    pub(crate) fn client_id(&self) -> String {
        format!("{}_api", self.name)
    }

    pub(crate) fn user(&self, name: &str, password: &str) -> Option<&User> {
        self.users.iter().find(|user| user.name == name && user.password == password)
    }

    pub(crate) fn panel(&self, id: i64) -> Result<&Panel, Refusal> {
        self.panels.get(&id).ok_or_else(|| Refusal::not_found("PanelNotFound", "panel", id))
    }

    pub(crate) fn survey(&self, id: i64) -> Result<&Survey, Refusal> {
        self.surveys.get(&id).ok_or_else(|| Refusal::not_found("SurveyNotFound", "survey", id))
    }

    pub(crate) fn survey_mut(&mut self, id: i64) -> Result<&mut Survey, Refusal> {
        self.surveys.get_mut(&id).ok_or_else(|| Refusal::not_found("SurveyNotFound", "survey", id))
    }

    pub(crate) fn distributor(&self, id: i64) -> Result<&Distributor, Refusal> {
        self.distributors.get(&id).ok_or_else(|| Refusal::not_found("DistributorNotFound", "distributor", id))
    }

    /// Whether a member may be written to through a channel, about a survey of a workspace: no opt-out list of the panel, of its
    /// workspace or of the survey's workspace contains the member.
    pub(crate) fn may_write(&self, panel: &Panel, member: &Member, channel: &str, workspace: i64) -> bool {
        let Some(contact) = Contact::of(panel, member, channel) else { return !member.opted_out };
        let here =
            [Scope::Panel(panel.id), Scope::Workspace(panel.workspace_id), Scope::Workspace(workspace)];
        !member.opted_out
            && !self.opt_outs.iter().any(|entry| entry.contact == contact && here.contains(&entry.scope))
    }

    /// Takes name and credentials of another one, but not its content.
    pub(crate) fn set_account(&mut self, other: Self) {
        let Self { data_center, client_secret, redirect_uris, users, .. } = other;
        (self.data_center, self.client_secret) = (data_center, client_secret);
        (self.redirect_uris, self.users) = (redirect_uris, users);
    }

    /// Removes interviews from their surveys and members.
    pub(crate) fn forget_interviews(&mut self, which: impl Fn(&Interview) -> bool) {
        let mut removed = std::collections::HashSet::new();
        for survey in self.surveys.values_mut() {
            survey.interviews.retain(|id, interview| {
                let goes = which(interview);
                if goes {
                    removed.insert(id.clone());
                }
                !goes
            });
        }
        self.forget_participations(|_, id| removed.contains(id));
    }

    /// Removes from the members what they know of interviews, by the ids of survey and interview.
    pub(crate) fn forget_participations(&mut self, which: impl Fn(i64, &str) -> bool) {
        let has_one = |member: &Member| member.interviews.iter().any(|(survey, id)| which(*survey, id));
        for member in self.panels.values_mut().flat_map(|panel| panel.members.values_mut_if(has_one)) {
            member.interviews.retain(|(survey, id)| !which(*survey, id));
        }
    }

    pub(crate) fn workspace(&self, id: i64) -> Result<&Workspace, Refusal> {
        self.workspaces.get(&id).ok_or_else(|| Refusal::not_found("WorkspaceNotFound", "workspace", id))
    }
}

/// Somebody who can log in.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) password: String,
    pub(crate) may_write: bool,
}

impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("User").field("name", &self.name).finish_non_exhaustive()
    }
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Workspace {
    pub(crate) id: i64,
    pub(crate) name: String,
}

/// A webhook registration.
// API 10.1
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct WebHook {
    pub(crate) event_type: String,
    pub(crate) entity_identifier: String,
    pub(crate) workspace_id: Option<i64>,
    pub(crate) url: String,
    pub(crate) security_token: String,
    /// When and by whom.
    pub(crate) created: (DateTime<Utc>, String),
    pub(crate) updated: Option<(DateTime<Utc>, String)>,
}

impl std::fmt::Debug for WebHook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Prints neither the address nor the token: both may be secrets (API 10.9).
        f.debug_struct("WebHook").field("event_type", &self.event_type).finish_non_exhaustive()
    }
}
