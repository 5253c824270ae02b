//! The clock, and forms that move it.

use super::shell::moment;
use super::{ConsolePage, ConsoleStep, ConsoleVisit};
use crate::refusal::Refusal;
use chrono::NaiveDateTime;
use maud::html;

const STEPS: [(i64, &str); 5] = [
    (60, "1 minute forward"),
    (3600, "1 hour forward"),
    (86_400, "1 day forward"),
    (30 * 86_400, "30 days forward"),
    (-86_400, "1 day back"),
];

pub(super) fn show(visit: &ConsoleVisit<'_>) -> ConsolePage {
    let now = visit.shared.clock.now();
    let body = html! {
        p { "The platform judges tokens, schedules and repeats of webhooks by this clock. Scheduled messages go out as soon as \
             their time has come." }
        p id="now" { strong { (moment(now)) } }
        form method="post" action=(visit.path("clock")) {
            @for (seconds, text) in STEPS { button.plain name="advance" value=(seconds) { (text) } }
            button.plain name="reset" value="yes" { "The computer's time" }
        }
        form method="post" action=(visit.path("clock")) {
            label for="set" { "Another time, in UTC" }
            input id="set" name="set" type="datetime-local" step="1" value=(now.format("%Y-%m-%dT%H:%M:%S")) required;
            button { "Set the clock" }
        }
    };
    ConsolePage::new("Clock", "clock", body)
}

pub(super) fn act(visit: &ConsoleVisit<'_>) -> Result<ConsoleStep, Refusal> {
    let (form, clock) = (&visit.form, &visit.shared.clock);
    if form.get("reset").is_some() {
        clock.reset();
        return Ok(ConsoleStep::new("clock", "reset"));
    }
    if let Some(seconds) = form.number("advance") {
        clock.advance_seconds(seconds);
    } else {
        let text = form.get("set").unwrap_or_default();
        // Browsers omit the seconds if they are zero.
        let time = ["%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"]
            .iter()
            .find_map(|format| NaiveDateTime::parse_from_str(text, format).ok());
        let time = time.ok_or_else(|| {
            Refusal::invalid(format!("`{text}` is not a time, so the clock was not moved."))
        })?;
        clock.set(time.and_utc());
    }
    visit.shared.catch_up();
    Ok(ConsoleStep::new("clock", "moved"))
}
