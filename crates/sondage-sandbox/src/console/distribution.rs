//! Distributors, and the states of the interviews that they created.

use super::shell::{moment, table};
use super::{ConsolePage, ConsoleVisit};
use crate::refusal::Refusal;
use crate::world::{Distributor, Tenant};
use maud::{Markup, html};
use std::collections::HashMap;

pub(super) fn show(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let dispositions = dispositions(tenant);
        let rows = html! {
            @for distributor in tenant.distributors.values().rev() { (row(visit, tenant, distributor, &dispositions)) }
        };
        let reminders = html! {
            @for reminder in tenant.reminders.values().rev() {
                tr {
                    th scope="row" { (reminder.id) }
                    td.number { @if let Some(of) = reminder.reminds { (of) } }
                    td { (reminder.channel) } td { (reminder.state()) } td { (moment(reminder.scheduled)) }
                    td.number { (reminder.sent.len()) }
                }
            }
        };
        let columns = [
            "Distributor", "Survey", "Channel", "State", "Scheduled", "Invited", "Not responded", "In progress", "Completed",
            "Screened out", "Quota full", "Bounced",
        ];
        let body = html! {
            @if tenant.distributors.is_empty() { p { "Nobody has been invited yet." } }
            @else { (table("Invitations and dispositions", &columns, &rows)) }
            @if !tenant.reminders.is_empty() {
                h2 { "Reminders" }
                (table("Reminders", &["Reminder", "Of", "Channel", "State", "Scheduled", "Sent"], &reminders))
            }
            h2 { "Opt-outs" }
            p { (opted_out(tenant)) " members have opted out, and " (tenant.opt_outs.len()) " contacts are on opt-out lists. They get no message." }
        };
        Ok(ConsolePage::new("Distribution", "distribution", body))
    })
}

/// The number of a distributor's interviews in a state.
type DispositionCounts<'a> = HashMap<(i64, &'a str), usize>;

fn dispositions(tenant: &Tenant) -> DispositionCounts<'_> {
    let mut counts = DispositionCounts::new();
    for interview in tenant.surveys.values().flat_map(|survey| survey.interviews.values()) {
        if let Some(origin) = interview.origin {
            *counts.entry((origin.distributor_id, interview.state)).or_default() += 1;
        }
    }
    for distributor in tenant.bounces.iter().filter_map(|bounce| bounce.distributor_id) {
        *counts.entry((distributor, "Bounced")).or_default() += 1;
    }
    counts
}

fn row(
    visit: &ConsoleVisit<'_>,
    tenant: &Tenant,
    distributor: &Distributor,
    counts: &DispositionCounts<'_>,
) -> Markup {
    const STATES: [&str; 6] =
        ["NotResponded", "InProgress", "Completed", "Screenout", "Quotafull", "Bounced"];
    let count = |state: &str| counts.get(&(distributor.id, state)).copied().unwrap_or(0);
    let invited: usize = STATES[..5].iter().map(|state| count(state)).sum();
    html! {
        tr {
            th scope="row" { (distributor.id) }
            td {
                a href=(visit.path(format_args!("surveys/{}", distributor.survey_id))) {
                    @match tenant.surveys.get(&distributor.survey_id) { Some(survey) => (survey.name), None => "deleted" }
                }
            }
            td { (distributor.channel) } td { (distributor.state()) } td { (moment(distributor.scheduled)) }
            td.number { (invited) }
            @for state in STATES { td.number { (count(state)) } }
        }
    }
}

fn opted_out(tenant: &Tenant) -> usize {
    let members = tenant.panels.values().flat_map(|panel| panel.members.values());
    members.filter(|member| member.opted_out).count()
}
