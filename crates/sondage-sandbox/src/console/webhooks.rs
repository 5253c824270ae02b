//! Webhooks, and every attempt to deliver an event. Addresses and tokens may be secret, so only hosts are shown.

use super::shell::{live_switch, moment, table};
use super::{ConsolePage, ConsoleVisit};
use crate::delivery::{Attempt, Outcome};
use crate::refusal::Refusal;
use maud::{Markup, html};

/// How many attempts are shown.
const SIZE: usize = 100;

pub(super) fn show(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    let desk = &visit.shared.desk;
    let (log, pending) = (desk.log(), desk.pending());
    visit.read(|tenant| {
        let hooks = html! {
            @for (id, hook) in &tenant.web_hooks {
                tr {
                    th scope="row" { (hook.event_type) } td { (hook.entity_identifier) } td { (host(&hook.url)) }
                    td { (moment(hook.created.0)) " by " (hook.created.1) } td { code { (id) } }
                }
            }
        };
        let own_attempts: Vec<&Attempt> = log.iter().rev().filter(|attempt| attempt.tenant == tenant.name).take(SIZE).collect();
        let attempts = html! { @for attempt in &own_attempts { (row(attempt)) } };
        let body = html! {
            @if tenant.web_hooks.is_empty() { p { "No program has registered a webhook with " code { "CreateWebHook" } " yet." } }
            @else { (table("Registrations", &["Event", "Of", "Host", "Created", "Id"], &hooks)) }
            h2 { "Deliveries" }
            (live_switch())
            div id="deliveries" data-live {
                p.hint {
                    "Events pending: " (pending) "."
                    @if let Some(due) = desk.next_due() { " The next attempt is due at " (moment(due)) "." }
                }
                @if !own_attempts.is_empty() { (table("Attempts, the newest first", &["Time", "Event", "Number", "Attempt", "Host", "Result", "Next"], &attempts)) }
            }
            p.hint { "Failed deliveries are repeated, each after a longer time: move the " a href=(visit.path("clock")) { "clock" } " to see it." }
        };
        Ok(ConsolePage::new("Webhooks", "webhooks", body))
    })
}

fn row(attempt: &Attempt) -> Markup {
    let class = if attempt.outcome == Outcome::Delivered { "good" } else { "bad" };
    html! {
        tr {
            td { (moment(attempt.at)) } th scope="row" { (attempt.event_type) } td.number { (attempt.event) }
            td.number { (attempt.attempt) } td { (attempt.to) }
            td class=(class) { (format!("{:?}", attempt.outcome)) @if let Some(status) = attempt.status { " " (status) } }
            td { @match attempt.next { Some(next) => (moment(next)), None => "none" } }
        }
    }
}

fn host(url: &str) -> String {
    let parsed = url::Url::parse(url).ok();
    let host = parsed.as_ref().and_then(|url| Some((url.host_str()?, url.port())));
    match host {
        Some((host, Some(port))) => format!("{host}:{port}"),
        Some((host, None)) => host.to_owned(),
        None => "not an address".to_owned(),
    }
}
