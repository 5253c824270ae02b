//! Webhooks, and every attempt to deliver an event, with a page for each. Addresses and tokens may be secret, so only hosts are shown.

use super::curl;
use super::listing::{Column, Listing};
use super::program::{self, Snippet};
use super::shell::{live_switch, moment};
use super::{ConsolePage, ConsoleStep, ConsoleVisit, nothing};
use crate::delivery::{Attempt, Outcome};
use crate::refusal::Refusal;
use crate::world::WebHook;
use maud::{Markup, html};
use serde_json::json;
use sondage::model::EventType;
use sondage::operation::Operation as _;
use sondage::operations::CreateWebHook;

/// How many attempts can be looked through.
const MOST: usize = 5000;

pub(super) fn show(visit: &ConsoleVisit<'_>) -> Result<ConsolePage, Refusal> {
    let desk = &visit.shared.desk;
    let pending = desk.pending();
    let mut attempts = desk.attempts();
    attempts.retain(|(_, attempt)| attempt.tenant == visit.tenant);
    let first = attempts.len().saturating_sub(MOST);
    let attempts: Vec<(usize, Attempt)> = attempts.drain(first..).rev().collect();
    visit.read(|tenant| {
        let body = html! {
            @if tenant.web_hooks.is_empty() { p { "Nobody is told of events yet: register the address of a program." } }
            @else { (Listing::new(visit, "hooks", "Registrations", registrations(visit)).show(tenant.web_hooks.iter().collect())) }
            p.links { a.button href=(visit.path("webhooks/new")) { "Register a webhook" } }
            h2 { "Deliveries" }
            (live_switch())
            div id="deliveries" data-live {
                p.hint {
                    "Events pending: " (pending) "."
                    @if let Some(due) = desk.next_due() { " The next attempt is due at " (moment(due)) "." }
                }
                @if !attempts.is_empty() { (Listing::new(visit, "", "Attempts, the newest first", columns(visit)).show(attempts)) }
            }
            p.hint { "Failed deliveries are repeated, each after a longer time: move the " a href=(visit.path("clock")) { "clock" } " to see it." }
        };
        Ok(ConsolePage::new("Webhooks", "webhooks", body))
    })
}

fn registrations<'a>(visit: &'a ConsoleVisit<'_>) -> Vec<Column<'a, (&'a String, &'a WebHook)>> {
    type Row<'a> = (&'a String, &'a WebHook);
    vec![
        Column::new("Event", |(_, hook): &Row<'_>| hook.event_type.clone()).heading().filter(),
        Column::new("Of", |(_, hook): &Row<'_>| hook.entity_identifier.clone()),
        Column::new("Host", |(_, hook): &Row<'_>| host(&hook.url)),
        Column::new("Created", |(_, hook): &Row<'_>| format!("{} by {}", moment(hook.created.0), hook.created.1)).name(),
        Column::new("Id", |(id, _): &Row<'_>| (*id).clone()).shown(|(id, _)| html! { code { (id) } }),
        Column::new("Action", |_: &Row<'_>| String::new()).unordered().shown(|(id, hook)| html! {
            form.inline method="post" action=(visit.path("webhooks")) {
                input type="hidden" name="id" value=(id);
                button.plain name="do" value="remove" aria-label=(format!("Remove the webhook for {}", hook.event_type)) { "Remove" }
            }
        }),
    ]
}

fn columns<'a>(visit: &'a ConsoleVisit<'_>) -> Vec<Column<'a, (usize, Attempt)>> {
    type Row = (usize, Attempt);
    vec![
        Column::new("Time", |(_, attempt): &Row| moment(attempt.at)),
        Column::new("Event", |(_, attempt): &Row| attempt.event_type.clone())
            .heading()
            .link(|(number, _)| visit.path(format_args!("webhooks/attempts/{number}")))
            .filter(),
        Column::new("Number", |(_, attempt): &Row| attempt.event.to_string()).number(),
        Column::new("Attempt", |(_, attempt): &Row| attempt.attempt.to_string()).number(),
        Column::new("Result", |(_, attempt): &Row| result(attempt))
            .filter()
            .shown(|(_, attempt)| html! { span class=(class(attempt)) { (result(attempt)) } }),
        Column::new("Host", |(_, attempt): &Row| attempt.to.clone()),
        Column::new("Next", |(_, attempt): &Row| attempt.next.map_or_else(|| "none".to_owned(), moment))
            .name(),
    ]
}

fn class(attempt: &Attempt) -> &'static str {
    if attempt.outcome == Outcome::Delivered { "good" } else { "bad" }
}

fn result(attempt: &Attempt) -> String {
    let status = attempt.status.map(|status| format!(" {status}")).unwrap_or_default();
    format!("{:?}{status}", attempt.outcome)
}

/// One attempt: what was sent, what came back, or why nothing did.
pub(super) fn attempt(visit: &ConsoleVisit<'_>, number: usize) -> Result<ConsolePage, Refusal> {
    let (attempt, details) = visit.shared.desk.attempt(number).ok_or_else(nothing)?;
    if attempt.tenant != visit.tenant {
        return Err(nothing());
    }
    let reason = match attempt.outcome {
        Outcome::Delivered => "The receiver has taken it.",
        Outcome::Refused => "The receiver answered with another status than 200 to 299.",
        Outcome::Failed => details.reason.as_deref().unwrap_or("There was no response."),
        Outcome::Silent => "A fault dropped the event: nothing was sent.",
        Outcome::NotSent => "The address is on another machine, so nothing was sent.",
        Outcome::Gone => "The registration no longer exists, so nothing was sent.",
    };
    let body = html! {
        p { a href=(visit.path("webhooks")) { "All deliveries" } }
        dl {
            dt { "Time" } dd { (moment(attempt.at)) }
            dt { "Event" } dd { (attempt.event_type) ", number " (attempt.event) }
            dt { "To" } dd { (attempt.to) }
            dt { "Attempt" } dd { (attempt.attempt) }
            dt { "Result" } dd { span class=(class(&attempt)) { (result(&attempt)) } ". " (reason) }
            dt { "Next attempt" } dd { (attempt.next.map_or_else(|| "none".to_owned(), moment)) }
        }
        h2 { "What was sent" }
        pre tabindex="0" { (curl::readable(&String::from_utf8_lossy(details.body()))) }
        h2 { "What came back" }
        (answer(details.answer.as_deref()))
        form method="post" action=(visit.path(format_args!("webhooks/attempts/{number}"))) {
            button name="do" value="again" { "Send it again" }
        }
    };
    Ok(ConsolePage::new(format!("Delivery of {}", attempt.event_type), "webhooks", body))
}

fn answer(answer: Option<&str>) -> Markup {
    html! {
        @match answer {
            Some("") => p { "A response without a body." },
            Some(text) => pre tabindex="0" { (text) },
            None => p { "Nothing." },
        }
    }
}

/// The form of a registration.
pub(super) fn new(visit: &ConsoleVisit<'_>) -> ConsolePage {
    let event = visit.kept("event", "InterviewComplete");
    let example =
        json!({ "eventType": event, "entityIdentifier": "*", "webHookUrl": "https://example.com/hook" });
    let body = html! {
        form method="post" action=(visit.path("webhooks/new")) {
            label for="event" { "Event" }
            select id="event" name="event" { @for known in EventType::KNOWN { option value=(known) selected[*known == event] { (known) } } }
            label for="entity" { "Of the survey or panel with this id, * for all" }
            input id="entity" name="entity" required value=(visit.kept("entity", "*"));
            label for="url" { "Address: https, or a program on this machine" }
            input id="url" name="url" type="url" required value=(visit.kept("url", "http://127.0.0.1:8000/hook"));
            label for="token" { "Value of the header " code { "Authorization" } " (optional)" }
            input id="token" name="token" type="password" autocomplete="off" aria-describedby="about-token";
            p.hint id="about-token" { "The receiver checks it, so that nobody else can send it events. It is never shown again." }
            button { "Register it" }
        }
        (program::same(&snippets(event, &example)))
    };
    ConsolePage::new("Register a webhook", "webhooks", body)
}

fn snippets(event: &str, example: &serde_json::Value) -> Vec<Snippet> {
    let mut all = vec![Snippet::new(
        "Command",
        format!(
            "sondage webhooks ensure https://example.com/hook {event} --hook hook.json --state webhook.json"
        ),
    )];
    all.extend(program::without_secrets(CreateWebHook::INFO, example).into_iter().skip(1));
    all
}

pub(super) fn act(visit: &ConsoleVisit<'_>, parts: &[&str]) -> Result<ConsoleStep, Refusal> {
    let form = &visit.form;
    match (parts, form.get("do")) {
        (["new"], _) => {
            let mut request = json!({
                "eventType": form.get("event"), "entityIdentifier": form.get("entity"), "webHookUrl": form.get("url"),
            });
            if let Some(token) = form.get("token") {
                request["securityToken"] = token.into();
            }
            visit.run(CreateWebHook::INFO.name, &request)?;
            Ok(ConsoleStep::new("webhooks", "registered"))
        }
        (["attempts", number], Some("again")) => {
            let (attempt, details) = number
                .parse()
                .ok()
                .and_then(|number| visit.shared.desk.attempt(number))
                .ok_or_else(nothing)?;
            if attempt.tenant != visit.tenant {
                return Err(nothing());
            }
            visit.shared.desk.send_again(&details, visit.shared.clock.now());
            Ok(ConsoleStep::new("webhooks", "again"))
        }
        ([], Some("remove")) => {
            visit.run("DeleteWebHook", &json!({ "webHookId": form.get("id") }))?;
            Ok(ConsoleStep::new("webhooks", "unregistered"))
        }
        _ => Err(Refusal::invalid("Nothing was chosen, so nothing was changed.")),
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
