//! Builds the sentences of an error. All error texts are assembled here.

use super::{Delivery, Error, ErrorContext, ErrorKind, Text, Wording};
use std::borrow::Cow;

pub(super) fn of(error: &Error, wording: &Wording) -> String {
    let mut out = error.operation().map(|operation| format!("{operation}: ")).unwrap_or_default();
    out.push_str(error.0.what.worded(wording).trim_end_matches('.'));
    out.push('.');
    let (reconcile, hint) = (error.0.reconcile.as_ref(), error.0.hint.as_ref());
    let unasked = Text::from(error.unasked(wording));
    let next = match (reconcile, hint) {
        (None, None) => [Some(&unasked), None],
        known => [known.0, known.1],
    };
    // The sentence may be that of another error, with its advice.
    let next: Vec<_> = next.into_iter().flatten().map(|text| text.worded(wording)).collect();
    let next: Vec<_> = next.into_iter().filter(|text| !out.contains(&**text)).collect();
    // An advice that begins with what was sent repeats that nothing was changed, a report says what was, and the sentence itself may
    // have said it. That an outcome is unknown stays.
    let is_stated = next.first().is_some_and(|text| SENT.iter().any(|start| text.starts_with(start)));
    let is_said =
        is_stated || error.0.context == ErrorContext::Report || out.contains(UNCHANGED.trim_end_matches('.'));
    let changed = changed(error).filter(|changed| !is_said || *changed != UNCHANGED).map(Cow::Borrowed);
    for sentence in changed.into_iter().chain(next) {
        out.push(' ');
        out.push_str(&sentence);
    }
    out + &details(error)
}

const UNCHANGED: &str = "Nothing was changed.";
const SENT: [&str; 4] =
    ["Nothing was sent", "Nothing more was sent", "Nothing was written", "Nothing was changed"];

/// Whether anything was changed, stated only where a reader would ask.
fn changed(error: &Error) -> Option<&'static str> {
    match (error.kind(), error.delivery()) {
        (ErrorKind::OutcomeUnknown, _) if error.attempts() > 1 => {
            Some("Whether anything was changed is unknown.")
        }
        (ErrorKind::OutcomeUnknown, _) => {
            Some("Whether anything was changed is unknown; it was not repeated.")
        }
        (
            ErrorKind::Network
            | ErrorKind::RateLimited
            | ErrorKind::BudgetSpent
            | ErrorKind::Authentication
            | ErrorKind::PermissionDenied,
            _,
        )
        | (ErrorKind::InvalidArgument | ErrorKind::Configuration, Delivery::No) => Some(UNCHANGED),
        _ => None,
    }
}

fn details(error: &Error) -> String {
    let mut parts = Vec::new();
    let status = error.status().map(|status| format!("HTTP {status}"));
    // The sentence may have said it.
    parts.extend(status.filter(|status| !error.0.what.as_str().contains(status)));
    if let Some(wait) = error.retry_after() {
        parts.push(format!("wait {} s", wait.as_secs_f64().ceil()));
    }
    if let Some(code) = error.error_code() {
        parts.push(format!("errorCode {code}"));
    }
    if error.attempts() > 1 {
        parts.push(format!("{} attempts", error.attempts()));
    }
    if let Some(id) = error.request_id() {
        parts.push(format!("request {id}"));
    }
    if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(", ")) }
}

#[cfg(test)]
mod tests {
    use crate::error::Error;
    use std::time::Duration;

    #[test]
    fn an_advice_about_what_was_sent_replaces_only_that_nothing_was_changed() {
        let advice = "Nothing more was sent. Run it again.";
        let unchanged = Error::invalid_argument("it is wrong").with_hint(advice).to_string();
        assert_eq!(unchanged, format!("it is wrong. {advice}"));
        let stopped = Error::invalid_argument("it is wrong").with_hint("Correct it.").in_report().to_string();
        assert_eq!(stopped, "it is wrong. Correct it.");
        let unknown = Error::outcome_unknown("no answer").with_hint(advice);
        for unknown in [unknown.clone(), unknown.in_report()] {
            assert!(unknown.to_string().contains("Whether anything was changed is unknown"), "{unknown}");
        }
    }

    #[test]
    fn that_nothing_was_changed_is_said_once() {
        for what in ["there is no copy", "there is no copy. Nothing was changed: use another folder"] {
            let said = Error::invalid_argument(what).to_string();
            assert_eq!(said.matches("Nothing was changed").count(), 1, "{said}");
        }
    }

    #[test]
    fn an_advice_is_given_once() {
        let refused = Error::invalid_argument("the password is empty");
        let again = Error::invalid_argument(refused.to_string());
        assert_eq!(again.to_string(), refused.to_string());
        assert_eq!(refused.to_string().matches("Correct the call").count(), 1, "{refused}");
    }

    #[test]
    fn details_repeat_nothing_and_say_how_long_to_wait() {
        let refused = Error::api("the service refuses the call (HTTP 404)").with_status(404).to_string();
        assert_eq!(refused.matches("HTTP").count(), 1, "{refused}");
        let wait = Some(Duration::from_millis(6200));
        let many = Error::rate_limited("too many calls").with_status(429).with_retry_after(wait).to_string();
        assert!(many.ends_with("(HTTP 429, wait 7 s)"), "{many}");
    }
}
