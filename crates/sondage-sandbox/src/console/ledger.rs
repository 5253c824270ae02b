//! The requests that have arrived, updated live, and their effects.

use super::curl;
use super::shell::{live_switch, table};
use super::{ConsolePage, ConsoleStep, ConsoleVisit};
use crate::ledger::{Arrival, Effect};
use crate::profile::Profile;
use crate::refusal::Refusal;
use maud::{Markup, html};

/// How many entries are shown.
const SIZE: usize = 100;

pub(super) fn show(visit: &ConsoleVisit<'_>) -> ConsolePage {
    let (arrivals, count) = visit.shared.ledger.recent(SIZE);
    let effects = visit.shared.ledger.recent_effects(SIZE);
    let body = html! {
        p { "Every request that reached the platform, and every effect. After a cut connection, they show whether the request had one." }
        (live_switch())
        div id="requests" data-live {
            @if count == 0 { p { "No request has arrived yet. Connect a program, as the " a href=(visit.path("")) { "overview" } " says." } }
            @else {
                p.hint { (count) " requests. The last " (arrivals.len()) " are shown, the newest first." }
                @let rows = html! { @for arrival in arrivals.iter().rev() { (request(visit, arrival)) } };
                (table("Requests", &["Time", "Operation", "Response", "Body", "Token", "As a command"], &rows))
            }
        }
        div id="effects" data-live {
            @if effects.is_empty() { p { "Nothing was changed yet." } }
            @else {
                @let rows = html! { @for effect in effects.iter().rev() { (change(effect)) } };
                (table("Effects", &["Time", "Operation", "What", "Count", "Ids"], &rows))
            }
        }
        form method="post" action=(visit.path("ledger")) {
            button.plain name="do" value="clear" { "Clear the ledger" }
            @if !visit.shared.profile().keep_bodies {
                button.plain name="do" value="bodies" { "Keep the bodies of requests" }
            }
        }
        p.hint { "Bodies are recorded only on request, those with passwords never. A command without a body reads it from a file, " code { "request.json" } "." }
    };
    ConsolePage::new("Ledger", "ledger", body)
}

fn request(visit: &ConsoleVisit<'_>, arrival: &Arrival) -> Markup {
    let class = match arrival.status {
        Some(200..=399) => "good",
        // A list ends where the service has no further page.
        Some(400..=499) if arrival.purpose.is_some() => "good",
        Some(400..=499) => "warn",
        _ => "bad",
    };
    html! {
        tr {
            td { (arrival.at.format("%H:%M:%S%.3f")) }
            th scope="row" {
                (arrival.operation)
                @if let Some(purpose) = &arrival.purpose { br; small { (purpose) } }
            }
            td class=(class) { @match arrival.status { Some(status) => (status), None => "no response" } }
            td.number { (arrival.bytes) " bytes" @if !arrival.whole { ", cut" } }
            td { @if let Some(bearer) = &arrival.bearer { code { (bearer) } } }
            td.wraps { details { summary { "curl" } pre { (curl::command(visit.shared, arrival)) } } }
        }
    }
}

fn change(effect: &Effect) -> Markup {
    /// Ids per row.
    const SHOWN: usize = 4;
    let ids: Vec<&str> = effect.ids.iter().take(SHOWN).map(String::as_str).collect();
    html! {
        tr {
            td { (effect.at.format("%H:%M:%S%.3f")) }
            th scope="row" { (effect.operation) }
            td { (format!("{:?}", effect.kind)) }
            td.number { (effect.count) }
            td.wraps { (ids.join(", ")) @if effect.ids.len() > SHOWN { ", ..." } }
        }
    }
}

pub(super) fn act(visit: &ConsoleVisit<'_>) -> Result<ConsoleStep, Refusal> {
    match visit.form.get("do") {
        Some("clear") => {
            visit.shared.ledger.clear();
            Ok(ConsoleStep::new("ledger", "cleared"))
        }
        Some("bodies") => {
            visit.shared.set_profile(Profile { keep_bodies: true, ..(*visit.shared.profile()).clone() });
            Ok(ConsoleStep::new("ledger", "bodies"))
        }
        _ => Err(Refusal::invalid("Nothing was chosen, so nothing was changed.")),
    }
}
