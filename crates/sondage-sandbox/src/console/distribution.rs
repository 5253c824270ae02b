//! Distributors, each with the funnel from those who were invited to those who completed.

use super::listing::{Column, Listing, grouped};
use super::program::{self, Snippet};
use super::shell::moment;
use super::{ConsolePage, ConsoleVisit, nothing};
use crate::refusal::Refusal;
use crate::world::{Distributor, Tenant};
use maud::{Markup, html};
use sondage::model::Timestamp;
use sondage_data::Picture as _;
use sondage_jobs::{Distribution, DistributionTally};
use std::collections::{HashMap, HashSet};

/// A distributor with what has become of it.
struct Sent<'a> {
    distributor: &'a Distributor,
    survey: &'a str,
    report: Distribution,
}

/// All distributors, the newest first, as `distribution` reports them.
fn all(tenant: &Tenant) -> Vec<Sent<'_>> {
    let mut tallies: HashMap<i64, (Distribution, DistributionTally)> = HashMap::new();
    for interview in tenant.surveys.values().flat_map(|survey| survey.interviews.values()) {
        let Some(origin) = interview.origin else { continue };
        let (report, tally) = tallies.entry(origin.distributor_id).or_default();
        let day = interview.end.map(|end| end.format("%Y-%m-%d").to_string());
        tally.add(report, interview.state, day);
    }
    let sent = |distributor: &'_ Distributor| {
        let (mut report, tally) = tallies.remove(&distributor.id).unwrap_or_default();
        tally.finish(&mut report);
        (report.distributor_id, report.survey_id) = (distributor.id, distributor.survey_id);
        report.panel_id = Some(distributor.panel_id);
        report.channel = Some(distributor.channel.as_str().into());
        report.state = Some(distributor.state().to_owned());
        report.sent_at = distributor.executed.map(Timestamp);
        bounces(tenant, distributor, &mut report);
        report
    };
    let mut sent = sent;
    tenant
        .distributors
        .values()
        .rev()
        .map(|distributor| {
            let survey = tenant.surveys.get(&distributor.survey_id).map_or("deleted", |survey| &survey.name);
            Sent { distributor, survey, report: sent(distributor) }
        })
        .collect()
}

fn bounces(tenant: &Tenant, distributor: &Distributor, report: &mut Distribution) {
    let own = tenant.bounces.iter().filter(|bounce| bounce.distributor_id == Some(distributor.id));
    let (mut kinds, mut lost) = ([0; 3], HashSet::new());
    for bounce in own {
        let kind = match bounce.kind {
            "Hard" => 0,
            "Soft" => 1,
            _ => 2,
        };
        kinds[kind] += 1;
        if kind != 1 {
            lost.insert(bounce.member_id);
        }
    }
    [report.hard_bounces, report.soft_bounces, report.spam_bounces] = kinds.map(Some);
    report.not_bounced = Some(report.invited.saturating_sub(lost.len()));
    let is_of_panel = |scope: &crate::world::Scope| matches!(scope, crate::world::Scope::Panel(id) if *id == distributor.panel_id);
    report.opt_outs_of_panel = Some(tenant.opt_outs.iter().filter(|entry| is_of_panel(&entry.scope)).count());
}

pub(super) fn show(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let sent = all(tenant);
        let reminders = vec![
            Column::new("Reminder", |reminder: &&Distributor| reminder.id.to_string()).heading(),
            Column::new("Of", |reminder: &&Distributor| reminder.reminds.map(|of| of.to_string()).unwrap_or_default()).number(),
            Column::new("Sent", |reminder: &&Distributor| reminder.sent.len().to_string()).number(),
            Column::new("Channel", |reminder: &&Distributor| reminder.channel.clone()),
            Column::new("State", |reminder: &&Distributor| reminder.state().to_owned()),
            Column::new("Scheduled", |reminder: &&Distributor| moment(reminder.scheduled)),
        ];
        let body = html! {
            @if sent.is_empty() {
                p { "Nobody has been invited yet." }
                p.links { a.button href=(visit.path("panels")) { "To the panels" } }
            } @else { (Listing::new(visit, "", "Invitations", columns(visit)).show(sent)) }
            @if !tenant.reminders.is_empty() {
                h2 { "Reminders" }
                (Listing::new(visit, "reminders", "Reminders", reminders).show(tenant.reminders.values().rev().collect()))
            }
            h2 { "Opt-outs" }
            p { (opted_out(tenant)) " members have opted out, and " (tenant.opt_outs.len()) " contacts are on opt-out lists. They get no message." }
        };
        Ok(ConsolePage::new("Distribution", "distribution", body))
    })
}

fn columns<'a>(visit: &'a ConsoleVisit<'_>) -> Vec<Column<'a, Sent<'a>>> {
    let count = |name: &'static str, of: fn(&Distribution) -> usize| {
        Column::new(name, move |sent: &Sent<'_>| of(&sent.report).to_string()).number()
    };
    vec![
        Column::new("Id", |sent: &Sent<'_>| sent.distributor.id.to_string())
            .heading()
            .link(|sent| visit.path(format_args!("distribution/{}", sent.distributor.id))),
        Column::new("Survey", |sent: &Sent<'_>| sent.survey.to_owned())
            .link(|sent| visit.path(format_args!("surveys/{}/results", sent.distributor.survey_id)))
            .name()
            .filter(),
        Column::new("State", |sent: &Sent<'_>| sent.distributor.state().to_owned()).filter(),
        count("Invited", |report| report.invited),
        count("Started", |report| report.started),
        count("Completed", |report| report.completed).bar(|sent| sent.report.completion),
        count("Screened out", |report| report.screened_out),
        count("Quota full", |report| report.quota_full),
        count("Bounced", |report| {
            [report.hard_bounces, report.soft_bounces, report.spam_bounces].into_iter().flatten().sum()
        }),
        count("Not begun", |report| report.not_responded),
    ]
}

/// One distributor: its funnel, and completed interviews by day.
pub(super) fn one(visit: &ConsoleVisit<'_>, id: i64) -> Result<ConsolePage, Refusal> {
    visit.read(|tenant| {
        let sent = all(tenant).into_iter().find(|sent| sent.distributor.id == id).ok_or_else(nothing)?;
        let distributor = sent.distributor;
        let grid = sent.report.to_grid();
        let panel = tenant.panels.get(&distributor.panel_id).map_or("deleted", |panel| &panel.name);
        let body = html! {
            dl {
                dt { "Survey" } dd { a href=(visit.path(format_args!("surveys/{}/results", distributor.survey_id))) { (sent.survey) } }
                dt { "Panel" } dd { a href=(visit.path(format_args!("panels/{}", distributor.panel_id))) { (panel) } }
                dt { "Channel" } dd { (distributor.channel) }
                dt { "Scheduled" } dd { (moment(distributor.scheduled)) }
                dt { "State" } dd { (distributor.state()) @if let Some(at) = distributor.executed { ", " (moment(at)) } }
                dt { "Messages" } dd { a href=(visit.path("outbox")) { (grouped(distributor.sent.len())) " in the outbox" } }
            }
            h2 { "From the invitation to the answer" }
            (super::results::grid("From the invitation to the answer", &grid))
            (days(&sent.report))
            (program::same(&snippets(id)))
        };
        Ok(ConsolePage::new(format!("Distributor {id}"), "distribution", body))
    })
}

/// Completed interviews by day.
fn days(report: &Distribution) -> Markup {
    let largest = report.days.iter().map(|day| day.completed).max().unwrap_or(1);
    #[allow(clippy::cast_precision_loss)] // no survey has 2^53 interviews
    let share = |count: usize| count as f64 / largest.max(1) as f64;
    html! {
        @if report.days.len() > 1 {
            h2 { "Completed by day" }
            div.scroll role="region" aria-label="Completed by day" tabindex="0" {
                table.bars {
                    caption.unseen { "Completed by day" }
                    thead { tr { th scope="col" { "Day (UTC)" } td {} th.number scope="col" { "Completed" } } }
                    tbody {
                        @for day in &report.days {
                            tr { th scope="row" { (day.day) } td.gauge { (super::results::bar(share(day.completed))) } td.number { (day.completed) } }
                        }
                    }
                }
            }
        }
    }
}

fn snippets(id: i64) -> Vec<Snippet> {
    vec![
        Snippet::new("Command", format!("sondage distribution {id}")),
        Snippet::new("Python", format!("print(client.distribution({id}))")),
        Snippet::new("Node.js", format!("console.log((await client.distribution({id})).toText());")),
    ]
}

fn opted_out(tenant: &Tenant) -> usize {
    let members = tenant.panels.values().flat_map(|panel| panel.members.values());
    members.filter(|member| member.opted_out).count()
}
