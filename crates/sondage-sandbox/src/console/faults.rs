//! The active faults, and a form to add one.

use super::shell::table;
use super::{ConsolePage, ConsoleStep, ConsoleVisit};
use crate::fault::{Fault, FaultAction};
use crate::refusal::Refusal;
use maud::html;
use std::time::Duration;

/// The faults that the form offers: the form's value, and the text for people.
const KINDS: [(&str, &str); 10] = [
    ("429", "Too many requests: 429, again after 1 s"),
    ("503", "The service is down: 503"),
    ("500", "The service fails: 500"),
    ("cutBefore", "The connection is cut before it is read"),
    ("cutAfter", "It takes effect, then the connection is cut"),
    ("cutMid", "The connection is cut amid the response"),
    ("slow", "The response takes three seconds longer"),
    ("stall", "Half of the response, and then nothing more"),
    ("truncated", "The JSON of the response stops in the middle"),
    ("html", "A page of HTML instead of JSON"),
];

/// Targets of faults in addition to operations.
const OTHERS: [(&str, &str); 3] =
    [("*", "every call"), ("token", "requests for a token"), ("link", "the pages of respondents")];

pub(super) fn show(visit: &ConsoleVisit<'_>) -> ConsolePage {
    let set = visit.shared.faults.all();
    let rows = html! {
        @for (number, fault, hits) in &set {
            tr {
                th scope="row" { (which(&fault.on)) }
                td { (described(fault)) }
                td { @match fault.times { Some(1) => "once", Some(times) => { (times) " times" }, None => "always" } }
                td.number { (hits) }
                td {
                    form.inline method="post" action=(visit.path("faults")) {
                        input type="hidden" name="number" value=(number);
                        button.plain name="do" value="remove" { "Remove" }
                    }
                }
            }
        }
    };
    let body = html! {
        p { "A fault makes calls of the API fail as networks and services do. The console itself is never hit." }
        form method="post" action=(visit.path("faults")) {
            label for="on" { "Which calls" }
            select id="on" name="on" {
                @for (on, text) in OTHERS { option value=(on) { (text) } }
                @for row in sondage::operations::ALL { option value=(row.name) { (row.name) } }
            }
            label for="kind" { "What happens to them" }
            select id="kind" name="kind" { @for (kind, text) in KINDS { option value=(kind) { (text) } } }
            label for="times" { "How many calls, 0 for all" }
            input id="times" name="times" type="number" min="0" max="1000000" value="1" required;
            button name="do" value="add" { "Add the fault" }
        }
        h2 { "Faults that are set" }
        @if set.is_empty() { p { "None." } }
        @else { (table("Faults", &["Calls", "What happens", "How often", "Hits", "Action"], &rows)) }
    };
    ConsolePage::new("Faults", "faults", body)
}

/// The calls that a fault hits, in the words of the form.
fn which(on: &str) -> &str {
    OTHERS.iter().find(|(name, _)| *name == on).map_or(on, |(_, text)| text)
}

fn described(fault: &Fault) -> String {
    let fault_kind = KINDS.iter().find(|(kind, _)| {
        made(&fault.on, kind)
            .is_some_and(|made| made.action == fault.action && made.delay_ms == fault.delay_ms)
    });
    fault_kind.map_or_else(|| format!("{:?}", fault.action), |(_, text)| (*text).to_owned())
}

fn made(on: &str, kind: &str) -> Option<Fault> {
    let fault = Fault::on(on);
    Some(match kind {
        "429" => fault.status(429).header("Retry-After", "1"),
        "503" => fault.status(503),
        "500" => fault.status(500),
        "cutBefore" => fault.cut_before_request(),
        "cutAfter" => fault.cut_after_effect(),
        "cutMid" => fault.cut_mid_answer(),
        "slow" => fault.delay(Duration::from_secs(3)),
        "stall" => fault.action(FaultAction::Stall),
        "truncated" => fault.action(FaultAction::TruncatedJson),
        "html" => fault.action(FaultAction::Html),
        _ => return None,
    })
}

pub(super) fn act(visit: &ConsoleVisit<'_>) -> Result<ConsoleStep, Refusal> {
    let form = &visit.form;
    if form.get("do") == Some("remove") {
        let number = form
            .number("number")
            .ok_or_else(|| Refusal::invalid("Which fault is to be removed is not said."))?;
        visit.shared.faults.remove(number);
        return Ok(ConsoleStep::new("faults", "removed"));
    }
    let on = form.get("on").unwrap_or_default();
    crate::fault::check_target(on).map_err(Refusal::invalid)?;
    let fault = form.get("kind").and_then(|kind| made(on, kind));
    let fault = fault.ok_or_else(|| Refusal::invalid("There is no such fault, so none was added."))?;
    let times: u64 =
        form.number("times").ok_or_else(|| Refusal::invalid("The number of calls is not a number."))?;
    visit.shared.faults.put(if times == 0 { fault.every() } else { fault.times(times) });
    Ok(ConsoleStep::new("faults", "fault"))
}
