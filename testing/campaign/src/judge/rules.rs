//! The promises. Each rule returns what is wrong, or nothing.

use super::history::CallFacts;
use crate::ledger::{Exchange, Verdict};
use std::time::Duration;

/// The tolerance for deadlines on a busy machine.
pub fn comes_back(facts: &CallFacts) -> Option<String> {
    let took = facts.ended - facts.begun;
    let most = Duration::from_millis(facts.cell.setting.deadline) + Duration::from_secs(20);
    (took > most)
        .then(|| format!("it took {took:.1?}"))
        .or_else(|| (!facts.settled).then(|| "a connection stays busy for more than 20 s".to_owned()))
        .or_else(|| (facts.error() == Some("Internal")).then(|| "an internal error".to_owned()))
}

/// Another request is allowed only after a clear refusal, or if the first was never complete.
pub fn sent_once(facts: &CallFacts) -> Option<String> {
    if !facts.only_once() {
        return None;
    }
    let clear = |exchange: &Exchange| match &exchange.said {
        // A message to people is never sent automatically at a later time.
        Some(said) => said.status == 401 || said.status == 429 && facts.cell.effect != "send",
        None => false,
    };
    let (_, earlier) = facts.exchanges().split_last()?;
    let again = earlier.iter().position(|exchange| {
        exchange.whole() && !clear(exchange) || said(exchange) == Some(429) && facts.cell.effect == "send"
    })?;
    Some(format!("complete {} times; another request came after the {}.", facts.pages.whole(), again + 1))
}

fn said(exchange: &Exchange) -> Option<u16> {
    exchange.said.as_ref().map(|said| said.status)
}

/// The error code with which a retried deletion counts as done.
fn already_gone(operation: &str, code: &str) -> bool {
    matches!(
        (operation, code),
        ("DeleteSurvey", "SurveyNotFound")
            | ("DeletePanel", "PanelNotFound")
            | ("DeleteMembers", "MemberNotFound" | "MembersNotFound")
            | ("DeleteWebHook", "WebHookNotFound")
    )
}

pub fn success_was_given(facts: &CallFacts) -> Option<String> {
    if !facts.succeeded() {
        return None;
    }
    let Some(last) = facts.last() else { return Some("no request came".to_owned()) };
    let means = last.said.as_ref().map(|said| said.means);
    if matches!(means, Some(Verdict::Success | Verdict::Ambiguous)) {
        let other = facts.report.echo.as_ref().filter(|echo| **echo != last.call)?;
        return Some(format!("it is the answer to {other}"));
    }
    let code = last.said.as_ref().and_then(|said| said.code.as_deref());
    let operation = facts.cell.setting.operation.as_deref().unwrap_or_default();
    let earlier = facts.exchanges().iter().take(facts.exchanges().len() - 1).any(Exchange::doubtful);
    let gone = earlier && code.is_some_and(|code| already_gone(operation, code));
    (!gone).then(|| format!("the service said {means:?} {code:?}"))
}

/// The error of a write is `OutcomeUnknown` if any of its requests may have taken effect.
pub fn doubt_is_said(facts: &CallFacts) -> Option<String> {
    let kind = facts.error()?;
    if facts.reads() {
        return (kind == "OutcomeUnknown").then(|| "of a read".to_owned());
    }
    facts.doubtful()?;
    // For calls that may be retried, an undecodable response is reported as such.
    let allowed = kind == "OutcomeUnknown" || !facts.only_once() && kind == "UnexpectedResponse";
    (!allowed).then(|| format!("{kind}, and a request may have had its effect"))
}

pub fn nothing_was_changed(facts: &CallFacts) -> Option<String> {
    let claims =
        facts.report.says("Nothing was changed") || facts.report.says("did not carry out the request");
    (claims && !facts.reads() && facts.doubtful().is_some())
        .then(|| "a request may have taken effect".to_owned())
}

pub fn delivery(facts: &CallFacts) -> Option<String> {
    facts.error()?;
    match facts.report.delivery.as_deref() {
        Some("no") if facts.pages.whole() > 0 => {
            Some(format!("`no`, and {} came whole", facts.pages.whole()))
        }
        // A response of the token endpoint counts as a response.
        Some("answered")
            if facts.cell.token_scripts.is_empty()
                && !facts.exchanges().iter().any(|exchange| exchange.answered) =>
        {
            Some("`answered`, and nothing was".to_owned())
        }
        _ => None,
    }
}

pub fn safe_to_retry(facts: &CallFacts) -> Option<String> {
    facts.error()?;
    (facts.report.safe_to_retry && facts.only_once() && facts.doubtful().is_some())
        .then(|| "and a request may have taken effect".to_owned())
}

pub fn attempts(facts: &CallFacts) -> Option<String> {
    let attempts = facts.report.attempts? as usize;
    let (least, most) = (facts.in_time(), facts.tries());
    // A read uses a pooled connection. A request on a connection that is closed just then never arrives.
    let unseen = facts.reads() && attempts <= facts.cell.setting.attempts as usize;
    (attempts < least || attempts > most && !unseen)
        .then(|| format!("{attempts}, and there were {least} to {most}"))
}

pub fn not_repeated(facts: &CallFacts) -> Option<String> {
    (facts.report.says("it was not repeated") && facts.in_time() > 1)
        .then(|| format!("{} came", facts.in_time()))
}

pub fn status_was_said(facts: &CallFacts) -> Option<String> {
    let status = facts.report.status.filter(|_| facts.error().is_some())?;
    // Raw bytes and partial responses are not interpreted.
    let taken_apart =
        |line: &String| !line.contains("send \"") && !line.contains("part ") && !line.contains("raw \"");
    let known = facts.cell.scripts.iter().all(taken_apart) && facts.cell.token_scripts.is_empty();
    (known && !facts.exchanges().iter().any(|exchange| said(exchange) == Some(status)))
        .then(|| status.to_string())
}

/// A clear refusal is reported as one: with the kind of its status, and not as an unknown outcome.
pub fn refusal_is_told(facts: &CallFacts) -> Option<String> {
    let kind = facts.error().filter(|_| !facts.out_of_time())?;
    let refused = |exchange: &Exchange| exchange.whole() && exchange.means() == Some(Verdict::Refusal);
    if facts.exchanges().is_empty()
        || !facts.exchanges().iter().all(refused)
        || facts.tries() > facts.exchanges().len()
    {
        return None;
    }
    let status = facts.last().and_then(said)?;
    let wanted: &[&str] = match status {
        401 => &["Authentication"],
        403 => &["PermissionDenied"],
        429 => &["RateLimited"],
        300..=399 => &["UnexpectedResponse"],
        404 | 405 => &["UnexpectedResponse", "Api"],
        _ => &["Api"],
    };
    let from_the_endpoint = !facts.cell.token_scripts.is_empty() && kind != "OutcomeUnknown";
    (!wanted.contains(&kind) && !from_the_endpoint).then(|| format!("{kind} after HTTP {status}"))
}

pub fn retry_after_kept(facts: &CallFacts) -> Option<String> {
    let timeout = facts.cell.setting.timeout;
    facts.exchanges().windows(2).find_map(|two| {
        let said = two[0].said.as_ref()?;
        let wait = said.retry_after?;
        if wait > timeout {
            return Some(format!("retried, but {wait} s had to pass first"));
        }
        let waited = two[1].begun.saturating_duration_since(said.at);
        (waited + Duration::from_millis(10) < Duration::from_secs(wait))
            .then(|| format!("waited {waited:.1?} of {wait} s"))
    })
}

pub fn retry_after_told(facts: &CallFacts) -> Option<String> {
    let kind = facts.error().filter(|_| !facts.out_of_time())?;
    let said = facts.last()?.said.as_ref().filter(|said| said.complete)?;
    let wait = said.retry_after?;
    let useful = kind == "RateLimited" || !facts.only_once() && ["Network", "OutcomeUnknown"].contains(&kind);
    let waited_for = said.status == 429 || wait > facts.cell.setting.timeout;
    (useful && waited_for && facts.report.retry_after.is_none()).then(|| format!("the service said {wait} s"))
}

pub fn renewed_once(facts: &CallFacts) -> Option<String> {
    let refused = facts.exchanges().iter().filter(|exchange| said(exchange) == Some(401)).count();
    (refused > 2).then(|| format!("{refused} times"))
}

/// Reads and idempotent writes are retried after transient failures; any call is retried if the connection failed before
/// the request could be sent.
pub fn repeated(facts: &CallFacts) -> Option<String> {
    let kind = facts.error().filter(|_| !facts.out_of_time())?;
    let attempts = facts.report.attempts.unwrap_or(0);
    if !["Network", "OutcomeUnknown"].contains(&kind) || attempts >= facts.cell.setting.attempts {
        return None;
    }
    let last = facts.pages.connections.iter().rfind(|connection| !connection.own)?;
    if last.untrusted || last.alert {
        return None;
    }
    if last.no_way && facts.doubtful().is_none() {
        return Some(format!("{attempts} attempts, and the last one never travelled"));
    }
    if facts.only_once() {
        let proven = facts.cell.size >= 1_000_000
            && facts.exchanges().iter().all(|exchange| exchange.received < 100_000);
        return (proven && !facts.exchanges().is_empty() && last.heads > 0)
            .then(|| format!("{kind} after {attempts} attempts, and most of it never left"));
    }
    let last = facts.last()?;
    let passes = match &last.said {
        Some(said) => said.status == 408 || (500..600).contains(&said.status),
        None => true,
    };
    // A call with an undecodable response is retried once.
    let unreadable = last.said.is_none() && last.answered && attempts >= 2;
    let patient = last
        .said
        .as_ref()
        .and_then(|said| said.retry_after)
        .is_none_or(|wait| wait <= facts.cell.setting.timeout);
    let endpoint = !facts.cell.token_scripts.is_empty();
    (passes && patient && !endpoint && !unreadable).then(|| format!("{kind} after {attempts} attempts"))
}

pub fn certificate(facts: &CallFacts) -> Option<String> {
    let untrusted = facts.pages.connections.iter().filter(|connection| connection.untrusted).count();
    if untrusted == 0 {
        return None;
    }
    if !facts.exchanges().is_empty() {
        return Some("a request travelled".to_owned());
    }
    let told = facts.report.says("ca_file") || facts.report.says("caFile");
    (untrusted > 1 || !told).then(|| format!("{untrusted} handshakes; `ca_file` is named: {told}"))
}

/// The caller gave up during the delay after a clear refusal: the call is over.
pub fn stays_unsent(facts: &CallFacts) -> Option<String> {
    if !facts.report.left {
        return None;
    }
    let (later, earlier): (Vec<_>, Vec<_>) = facts
        .exchanges()
        .iter()
        .partition(|exchange| exchange.begun > facts.ended + Duration::from_millis(200));
    let answered = earlier.last()?.said.as_ref()?;
    let known = answered.at + Duration::from_millis(150) < facts.ended;
    (known && !later.is_empty()).then(|| format!("{} came after the caller had left", later.len()))
}
