//! Events that originate on the platform: people answer, mails bounce, somebody closes a survey.

use super::answer::answers_with;
use super::entity;
use super::fill::Fill;
use super::queue::QueuedDelivery;
use crate::profile::WebHookBody;
use crate::state::ServerState;
use crate::world::word::Word;
use crate::world::{Bounce, Contact, Interview, Member, Panel, PlatformState, Survey, Tenant};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Something that happens on the platform, of which the subscribers of its event are notified.
///
/// The result of [`Sandbox::emit`](crate::Sandbox::emit) is `false` if there is no such interview, member or survey.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub enum Cause {
    /// Somebody completes an interview (`InterviewComplete`).
    Complete {
        /// The interview's GUID.
        id: String,
        /// The answers by the codes of the survey's variables, added to those that it has. They have to be ones that the survey
        /// accepts, unless the profile accepts others.
        #[serde(default)]
        answers: Map<String, Value>,
    },
    /// People answer a published survey, each with answers to its own questions (`InterviewComplete`): first those who
    /// were invited and have not answered, then others through its public link.
    ///
    /// [`Sandbox::fill`](crate::Sandbox::fill) says more.
    Fill {
        /// The survey.
        survey_id: i64,
        /// How many people.
        people: usize,
    },
    /// A message bounces permanently (`HardBounce`).
    Bounce {
        /// The member to whom it was sent.
        member_id: i64,
    },
    /// A member opts out (`OptOutAdded`).
    OptOut {
        /// The member.
        member_id: i64,
    },
    /// A member opts in again (`OptOutRemoved`).
    OptIn {
        /// The member.
        member_id: i64,
    },
    /// A member changes (`PanelMemberUpdated`).
    UpdateMember {
        /// The member.
        member_id: i64,
        /// New values by the names of the fields. Names that the panel does not have are ignored.
        #[serde(default)]
        fields: Map<String, Value>,
    },
    /// A member is removed (`PanelMemberRemoved`).
    RemoveMember {
        /// The member.
        member_id: i64,
    },
    /// A survey is closed (`SurveyClosed`).
    CloseSurvey {
        /// The survey.
        survey_id: i64,
    },
    /// The approval of a survey is requested (`ApprovalRequest`).
    RequestApproval {
        /// The survey.
        survey_id: i64,
    },
    /// A survey is approved (`Approved`).
    Approve {
        /// The survey.
        survey_id: i64,
    },
    /// Any event of the account `demo`, with any entity, without a change of state.
    Event {
        /// The event type, which may be an unknown one.
        event_type: String,
        /// The survey or panel that it refers to. Subscribers of `*` are always notified.
        #[serde(default)]
        entity_identifier: Option<i64>,
        /// The entity in the callback.
        #[serde(default)]
        entity: Value,
    },
}

/// An event and its entity.
pub(super) struct EmittedEvent {
    pub(super) name: String,
    pub(super) watched: Option<i64>,
    pub(super) entity: Value,
}

impl ServerState {
    /// Triggers it. After an error nothing was changed: it says which answers the survey does not accept.
    pub(crate) fn emit(&self, cause: Cause) -> Result<bool, String> {
        if let Cause::Fill { survey_id, people } = cause {
            return Ok(self.fill(&Fill::new(survey_id).people(people).unfinished(0.0)).is_ok());
        }
        let (now, profile) = (self.clock.now(), self.profile());
        let mut world = self.world_mut();
        let emitted = match cause {
            Cause::Complete { id, answers } => {
                end(&mut world, (&id, "Completed"), now, |survey, interview| {
                    answers_with(survey, interview, &answers, &profile)
                })?
            }
            cause => apply(&mut world, cause, now),
        };
        let Some((tenant, event)) = emitted else { return Ok(false) };
        if let Some(tenant) = world.tenants.get(tenant) {
            self.tell(tenant, &event.name, event.watched, &event.entity);
        }
        Ok(true)
    }

    /// Notifies the subscribers of an event in an account.
    pub(crate) fn tell(&self, tenant: &Tenant, event_type: &str, watched: Option<i64>, entity: &Value) {
        let watched = watched.map(|id| id.to_string());
        let hooks = tenant.web_hooks.iter().filter(|(_, hook)| {
            let here = hook.entity_identifier == "*" || watched.as_ref() == Some(&hook.entity_identifier);
            hook.event_type == event_type && here
        });
        let (now, shape) = (self.clock.now(), self.profile().web_hook_body);
        let job = |(id, hook): (&String, &crate::world::WebHook)| QueuedDelivery {
            event: 0,
            tenant: tenant.name.clone(),
            web_hook_id: id.clone(),
            event_type: event_type.to_owned(),
            body: match shape {
                WebHookBody::Wrapped => json!({
                    "eventType": event_type,
                    "entityIdentifier": hook.entity_identifier,
                    "entity": entity,
                })
                .to_string()
                .into(),
                WebHookBody::Entity => entity.to_string().into(),
            },
            attempts: 0,
            due: now,
            silent: false,
        };
        let jobs: Vec<QueuedDelivery> = hooks.map(job).collect();
        if !jobs.is_empty() {
            self.desk.add(jobs);
        }
    }
}

/// Applies the change to the sandbox's state. Returns the index of the account and the event.
fn apply(world: &mut PlatformState, cause: Cause, now: DateTime<Utc>) -> Option<(usize, EmittedEvent)> {
    match cause {
        Cause::Bounce { member_id } => {
            come_back(world, member_id, now);
            member(world, member_id, "HardBounce", |panel, member| Some(entity::bounce(panel, member, now)))
        }
        Cause::OptOut { member_id } => {
            member_mut(world, member_id)?.1.opted_out = true;
            member(world, member_id, "OptOutAdded", |panel, member| Some(entity::opt_out(panel, member, now)))
        }
        Cause::OptIn { member_id } => {
            member_mut(world, member_id)?.1.opted_out = false;
            member(world, member_id, "OptOutRemoved", |panel, member| {
                Some(entity::opt_out(panel, member, now))
            })
        }
        Cause::UpdateMember { member_id, fields } => {
            let (names, member_found) = member_mut(world, member_id)?;
            for (name, value) in fields {
                if let Some(at) = names.iter().position(|known| *known == name)
                    && let Some(place) = member_found.values.get_mut(at)
                {
                    *place = value;
                }
            }
            member_found.updated_at = Some(now);
            member_found.updated_by = Some("member".to_owned());
            member(world, member_id, "PanelMemberUpdated", |panel, it| Some(entity::member(panel, it)))
        }
        Cause::RemoveMember { member_id } => {
            let event =
                member(world, member_id, "PanelMemberRemoved", |panel, it| Some(entity::member(panel, it)));
            let panels = world.tenants.iter_mut().flat_map(|tenant| tenant.panels.values_mut());
            panels.for_each(|panel| drop(panel.members.shift_remove(&member_id)));
            event
        }
        Cause::CloseSurvey { survey_id } => survey(world, survey_id, "SurveyClosed", |survey| {
            survey.set_state("Closed", now);
        }),
        Cause::RequestApproval { survey_id } => survey(world, survey_id, "ApprovalRequest", |_| {}),
        Cause::Approve { survey_id } => survey(world, survey_id, "Approved", |_| {}),
        // Their answers are read before.
        Cause::Fill { .. } | Cause::Complete { .. } => None,
        Cause::Event { event_type, entity_identifier: watched, entity } => {
            Some((0, EmittedEvent { name: event_type, watched, entity }))
        }
    }
}

/// Ends an interview, if there is one with this id, with the answers that a function makes of it.
pub(super) fn end(
    world: &mut PlatformState,
    (id, state): (&str, Word),
    now: DateTime<Utc>,
    answers: impl FnOnce(&Survey, &Interview) -> Result<Vec<Value>, String>,
) -> Result<Option<(usize, EmittedEvent)>, String> {
    let surveys = world.tenants.iter_mut().enumerate().find_map(|(at, tenant)| {
        tenant
            .surveys
            .values_mut()
            .find(|survey| survey.interviews.contains_key(id))
            .map(|survey| (at, survey))
    });
    let Some((at, survey)) = surveys else { return Ok(None) };
    let Some(interview) = survey.interviews.get(id) else { return Ok(None) };
    let answers = answers(survey, interview)?;
    let Some(interview) = survey.interviews.get_mut(id) else { return Ok(None) };
    interview.answers = answers;
    interview.state = state;
    interview.start = interview.start.or(Some(now));
    interview.end = Some(now);
    interview.updated_at = Some(now);
    interview.updated_by = Some("survey".to_owned());
    let (watched, interview) = (Some(survey.id), survey.interviews.get(id));
    let entity = interview.map(|interview| entity::interview(survey, interview));
    let name = "InterviewComplete".to_owned();
    Ok(entity.map(|entity| (at, EmittedEvent { name, watched, entity })))
}

/// The last message to a member bounces.
fn come_back(world: &mut PlatformState, member_id: i64, now: DateTime<Utc>) {
    for tenant in &mut world.tenants {
        for panel in tenant.panels.values() {
            let Some(member) = panel.members.get(&member_id) else { continue };
            let Some((survey_id, interview)) = member.interviews.last() else { continue };
            let changed_interview =
                tenant.surveys.get(survey_id).and_then(|survey| survey.interviews.get(interview));
            tenant.bounces.push(Bounce {
                distributor_id: changed_interview
                    .and_then(|changed_interview| changed_interview.origin)
                    .map(|origin| origin.distributor_id),
                survey_id: *survey_id,
                interview: Some(interview.clone()),
                panel_id: panel.id,
                member_id,
                kind: "Hard",
                at: now,
                contact: Contact::email(panel, member),
                invitation: "Invitation",
            });
        }
    }
}

/// A member and the names of its panel's fields.
fn member_mut(world: &mut PlatformState, id: i64) -> Option<(Vec<String>, &mut Member)> {
    let mut panels = world.tenants.iter_mut().flat_map(|tenant| tenant.panels.values_mut());
    panels.find_map(|panel| {
        let names = panel.fields.iter().map(|field| field.name.clone()).collect();
        panel.members.get_mut(&id).map(|member| (names, member))
    })
}

fn member(
    world: &PlatformState,
    id: i64,
    event_type: &str,
    show: impl Fn(&Panel, &Member) -> Option<Value>,
) -> Option<(usize, EmittedEvent)> {
    world.tenants.iter().enumerate().find_map(|(at, tenant)| {
        let (panel, member) =
            tenant.panels.values().find_map(|p| p.members.get(&id).map(|member| (p, member)))?;
        let entity = show(panel, member)?;
        Some((at, EmittedEvent { name: event_type.to_owned(), watched: Some(panel.id), entity }))
    })
}

fn survey(
    world: &mut PlatformState,
    id: i64,
    event_type: &str,
    change: impl Fn(&mut Survey),
) -> Option<(usize, EmittedEvent)> {
    world.tenants.iter_mut().enumerate().find_map(|(at, tenant)| {
        let survey = tenant.surveys.get_mut(&id)?;
        change(survey);
        let entity = entity::survey(survey);
        Some((at, EmittedEvent { name: event_type.to_owned(), watched: Some(id), entity }))
    })
}
