//! The requests that have arrived, updated live, with a page for each, and their effects.

use super::curl;
use super::listing::{Column, Listing, grouped};
use super::program::{self, Snippet};
use super::shell::{live_switch, moment};
use super::{ConsolePage, ConsoleStep, ConsoleVisit, nothing};
use crate::ledger::{Arrival, Effect, RequestDetails};
use crate::profile::Profile;
use crate::refusal::Refusal;
use maud::{Markup, html};
use serde_json::Value;

/// How many entries can be looked through.
const MOST: usize = 5000;

type Entry = (Arrival, RequestDetails);

pub(super) fn show(visit: &ConsoleVisit<'_>) -> ConsolePage {
    let count = visit.shared.ledger.count_of_requests();
    let mut requests = visit.shared.ledger.recent(MOST);
    requests.reverse();
    let mut effects = visit.shared.ledger.recent_effects(MOST);
    effects.reverse();
    let body = html! {
        p { "Every request that reached the platform, and every effect. After a cut connection, they show whether the request had one." }
        (live_switch())
        div id="requests" data-live {
            @if count == 0 { p { "No request has arrived yet. Connect a program, as the " a href=(visit.path("")) { "overview" } " says." } }
            @else {
                p.hint { (grouped(count)) " requests, the newest first." @if count > MOST { " The last " (grouped(MOST)) " are listed." } }
                (Listing::new(visit, "", "Requests", requests_columns(visit)).show(requests))
            }
        }
        div id="effects" data-live {
            @if effects.is_empty() { p { "Nothing was changed yet." } }
            @else { (Listing::new(visit, "effects", "Effects", effects_columns(visit)).show(effects)) }
        }
        form method="post" action=(visit.path("ledger")) {
            button.plain name="do" value="clear" { "Clear the ledger" }
            @if !visit.shared.profile().keep_bodies {
                button.plain name="do" value="bodies" { "Keep the bodies of requests and responses" }
            }
        }
        p.hint { "Bodies are recorded only on request, those with passwords never." }
    };
    ConsolePage::new("Ledger", "ledger", body)
}

fn requests_columns<'a>(visit: &'a ConsoleVisit<'_>) -> Vec<Column<'a, Entry>> {
    vec![
        Column::new("Time", |(arrival, _): &Entry| arrival.at.format("%H:%M:%S%.3f").to_string()),
        Column::new("Operation", |(arrival, _): &Entry| arrival.operation.clone()).heading().filter().shown(
            |(arrival, details)| {
                html! {
                    a href=(visit.path(format_args!("ledger/{}", details.number))) { (arrival.operation) }
                    @if let Some(purpose) = &arrival.purpose { br; small { (purpose) } }
                }
            },
        ),
        Column::new("Response", |(arrival, _): &Entry| status(arrival))
            .filter()
            .shown(|(arrival, _)| html! { span class=(class(arrival)) { (status(arrival)) } }),
        Column::new("Took", |(_, details): &Entry| took(details)).number(),
        Column::new("Body", |(arrival, _): &Entry| {
            format!("{} bytes{}", arrival.bytes, if arrival.whole { "" } else { ", cut" })
        })
        .number(),
        Column::new("Token", |(arrival, _): &Entry| arrival.bearer.clone().unwrap_or_default())
            .shown(|(arrival, _)| html! { @if let Some(bearer) = &arrival.bearer { code { (bearer) } } }),
    ]
}

fn status(arrival: &Arrival) -> String {
    arrival.status.map_or_else(|| "no response".to_owned(), |status| status.to_string())
}

fn took(details: &RequestDetails) -> String {
    details.duration.map(|duration| format!("{:.1} ms", duration.as_secs_f64() * 1e3)).unwrap_or_default()
}

fn class(arrival: &Arrival) -> &'static str {
    match arrival.status {
        Some(200..=399) => "good",
        // A list ends where the service has no further page.
        Some(400..=499) if arrival.purpose.is_some() => "good",
        Some(400..=499) => "warn",
        _ => "bad",
    }
}

fn effects_columns<'a>(visit: &'a ConsoleVisit<'_>) -> Vec<Column<'a, (Effect, Option<usize>)>> {
    type Row = (Effect, Option<usize>);
    vec![
        Column::new("Time", |(effect, _): &Row| effect.at.format("%H:%M:%S%.3f").to_string()),
        Column::new("Operation", |(effect, _): &Row| effect.operation.clone())
            .heading()
            .linked(|(_, request)| request.map(|number| visit.path(format_args!("ledger/{number}"))))
            .filter(),
        Column::new("What", |(effect, _): &Row| format!("{:?}", effect.kind)).filter(),
        Column::new("Count", |(effect, _): &Row| effect.count.to_string()).number(),
        Column::new("Ids", |(effect, _): &Row| ids(effect)).wraps(),
    ]
}

fn ids(effect: &Effect) -> String {
    /// Ids per row.
    const SHOWN: usize = 4;
    let ids: Vec<&str> = effect.ids.iter().take(SHOWN).map(String::as_str).collect();
    format!("{}{}", ids.join(", "), if effect.ids.len() > SHOWN { ", ..." } else { "" })
}

/// One request: what came, what was answered, what it changed, and how to send it again.
pub(super) fn one(visit: &ConsoleVisit<'_>, number: usize) -> Result<ConsolePage, Refusal> {
    let (arrival, details, attempt, effects) = visit.shared.ledger.request(number).ok_or_else(nothing)?;
    let tenant = arrival.tenant.as_deref();
    if tenant.is_some_and(|tenant| tenant != visit.tenant) {
        return Err(nothing());
    }
    let row = sondage::operations::find(&arrival.operation);
    let body = html! {
        p { a href=(visit.path("ledger")) { "All requests" } }
        dl {
            dt { "Arrived" } dd { (moment(arrival.at)) }
            dt { "Path" } dd { code { (arrival.path) } }
            dt { "Response" } dd class=(class(&arrival)) {
                (status(&arrival))
                @if let Some(text) = arrival.status.and_then(|status| http::StatusCode::from_u16(status).ok()).and_then(|status| status.canonical_reason()) { " " (text) }
            }
            @if details.duration.is_some() { dt { "Took" } dd { (took(&details)) } }
            @if let Some(call) = &details.call { dt { "Call" } dd { code { (call) } ", attempt " (attempt) } }
            @if let Some(purpose) = &arrival.purpose { dt { "For" } dd { (purpose) } }
            @if let Some(row) = row { dt { "Kind" } dd { (row.effect.as_str()) } }
            @if let Some(bearer) = &arrival.bearer { dt { "Token" } dd { code { (bearer) } " (a digest)" } }
            dt { "Body" } dd { (grouped(usize::try_from(arrival.bytes).unwrap_or(usize::MAX))) " bytes" @if !arrival.whole { ", cut: it had no effect" } }
        }
        h2 { "What it changed" }
        @if effects.is_empty() { p { "Nothing." } }
        @else { ul { @for effect in &effects { li { (format!("{:?}", effect.kind)) ": " (effect.count) @if !effect.ids.is_empty() { " (" (ids(effect)) ")" } } } } }
        h2 { "Request" }
        (text(visit, arrival.body.as_deref(), "body"))
        h2 { "Response" }
        (text(visit, details.response.as_deref(), "response"))
        (program::same(&snippets(visit, &arrival)))
    };
    Ok(ConsolePage::new(&arrival.operation, "ledger", body))
}

/// A body without its secrets.
fn text(visit: &ConsoleVisit<'_>, body: Option<&str>, what: &str) -> Markup {
    /// The most characters on the page.
    const SHOWN: usize = 20_000;
    let keeps = visit.shared.profile().keep_bodies;
    html! {
        @match body {
            Some(body) => {
                @let shown = curl::readable(body);
                @let cut: String = shown.chars().take(SHOWN).collect();
                pre tabindex="0" { (cut) }
                @if cut.len() < shown.len() { p.hint { "The rest is left out." } }
            }
            None if keeps => p.hint { "The " (what) " was not recorded." },
            None => form method="post" action=(visit.path("ledger")) {
                p.hint { "Bodies are recorded only on request, and then those of later requests." }
                button.plain name="do" value="bodies" { "Keep the bodies of requests and responses" }
            },
        }
    }
}

fn snippets(visit: &ConsoleVisit<'_>, arrival: &Arrival) -> Vec<Snippet> {
    let mut all = vec![Snippet::new("curl", curl::command(visit.shared, arrival))];
    let row = sondage::operations::find(&arrival.operation);
    let request = arrival.body.as_deref().and_then(|body| serde_json::from_str::<Value>(body).ok());
    if let (Some(row), Some(mut request)) = (row, request) {
        // A client adds it itself.
        if let Some(fields) = request.as_object_mut() {
            fields.remove("tenant");
        }
        all.extend(program::operation(row, &request));
    }
    all
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
