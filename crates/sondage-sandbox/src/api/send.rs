//! Sends scheduled messages, and decides which of them bounce.

use crate::delivery;
use crate::ledger::{Effect, EffectKind};
use crate::state::ServerState;
use crate::world::{Bounce, Contact, Distributor, Panel, Tenant};
use chrono::{DateTime, Utc};
use serde_json::Value;

impl ServerState {
    /// Sends what is due, in all accounts. It runs whenever the state is accessed, so no timer is needed.
    pub(crate) fn catch_up(&self) {
        let Some(now) = self.take_due() else { return };
        for tenant in &mut self.world_mut().tenants {
            deliver(self, tenant, now);
        }
    }
}

/// Sends whatever is due in one account.
pub(super) fn deliver(shared: &ServerState, tenant: &mut Tenant, now: DateTime<Utc>) {
    let (mut returned, mut told) = (Vec::new(), Vec::new());
    let bounces = shared.profile().bounces_per_thousand;
    let is_waiting = |distributor: &Distributor| distributor.executed.is_none();
    for distributor in
        tenant.distributors.values_mut_if(is_waiting).chain(tenant.reminders.values_mut_if(is_waiting))
    {
        if distributor.scheduled > now {
            shared.wake_at(distributor.scheduled);
            continue;
        }
        distributor.executed = Some(distributor.scheduled);
        let ids = match distributor.channel.as_str() {
            "Email" | "Sms" | "WhatsApp" => std::mem::take(&mut distributor.recipients),
            _ => continue,
        };
        if ids.is_empty() {
            continue;
        }
        if let Some(panel) = tenant.panels.get(&distributor.panel_id) {
            let back = ids.iter().filter_map(|id| bounce(panel, distributor, *id, bounces));
            for bounce in back {
                if bounce.kind == "Hard"
                    && let Some(member) = panel.members.get(&bounce.member_id)
                {
                    told.push((panel.id, delivery::bounce(panel, member, bounce.at)));
                }
                returned.push(bounce);
            }
        }
        shared.ledger.note(Effect {
            at: distributor.scheduled,
            operation: distributor.operation.to_owned(),
            tenant: tenant.name.clone(),
            kind: EffectKind::MessagesSent,
            count: ids.len() as u64,
            ids: ids.iter().map(ToString::to_string).collect(),
        });
        distributor.sent = ids;
    }
    tenant.bounces.extend(returned);
    for (panel, entity) in told {
        let entity: Value = entity;
        shared.tell(tenant, "HardBounce", Some(panel), &entity);
    }
}

/// The message to a member, if it bounces.
fn bounce(panel: &Panel, distributor: &Distributor, member_id: i64, per_thousand: u32) -> Option<Bounce> {
    let member = panel.members.get(&member_id)?;
    let contact = Contact::of(panel, member, &distributor.channel);
    let dead = contact.as_ref().is_some_and(Contact::is_dead);
    // Neighbouring members have neighbouring ids: multiplication spreads them over the range of 1000.
    let lot = member_id.unsigned_abs().wrapping_mul(2_654_435_761) >> 7;
    let unlucky = lot % 1000 < u64::from(per_thousand);
    if !dead && !unlucky {
        return None;
    }
    let interview = member.interviews.iter().rev().find(|(survey, _)| *survey == distributor.survey_id);
    Some(Bounce {
        distributor_id: Some(distributor.reminds.unwrap_or(distributor.id)),
        survey_id: distributor.survey_id,
        interview: interview.map(|(_, id)| id.clone()),
        panel_id: panel.id,
        member_id,
        kind: if dead { "Hard" } else { ["Soft", "Hard", "Soft", "Spam"][(lot / 1000 % 4) as usize] },
        at: distributor.executed.unwrap_or(distributor.scheduled),
        contact,
        invitation: if distributor.reminds.is_some() { "Reminder" } else { "Invitation" },
    })
}
