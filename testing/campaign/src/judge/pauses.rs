//! The effect of a 429 with `Retry-After` on other calls of the tenant. No other call is in progress when it arrives: they
//! are made after the rejected call.

use super::history::CallFacts;
use crate::ledger::{Exchange, Verdict};
use crate::report::CallReport;
use std::time::{Duration, Instant};

/// The tolerance between the clock readings of two threads.
const NEARLY: Duration = Duration::from_millis(10);

/// The longest pause that a client keeps, in seconds.
const A_DAY: u64 = 86_400;

/// The pause that a response requests: its start and its end.
fn pause(exchange: &Exchange) -> Option<(Instant, Instant)> {
    let said = exchange.said.as_ref().filter(|said| said.status == 429)?;
    let wait = said.retry_after?.min(A_DAY);
    Some((said.at, said.at + Duration::from_secs(wait)))
}

/// Nothing is sent before the pause is over.
pub fn kept(facts: &CallFacts) -> Option<String> {
    facts.exchanges().iter().find_map(|refused| {
        let (from, until) = pause(refused)?;
        let early = |exchange: &&Exchange| exchange.begun > from && exchange.begun + NEARLY < until;
        let exchange = facts.exchanges().iter().find(early)?;
        Some(format!("{} came {:.1?} too early", exchange.call, until - exchange.begun))
    })
}

/// When the pause is over, one call is sent, and all others wait for its response.
pub fn one_goes_first(facts: &CallFacts) -> Option<String> {
    facts.exchanges().iter().find_map(|refused| {
        let (from, _) = pause(refused)?;
        let mut behind: Vec<&Exchange> =
            facts.exchanges().iter().filter(|exchange| exchange.begun > from).collect();
        behind.sort_by_key(|exchange| exchange.begun);
        let (first, others) = behind.split_first()?;
        let answered = first.said.as_ref()?.at;
        let early = others.iter().find(|exchange| exchange.begun < answered)?;
        Some(format!("{} came before {} was answered", early.call, first.call))
    })
}

/// A call that cannot wait that long, and a message to people, fails immediately and names the remaining time. All others
/// are made.
pub fn told(facts: &CallFacts) -> Option<String> {
    let setting = &facts.cell.setting;
    if facts.report.others.len() != setting.others {
        return Some(format!("{} of {} calls ended", facts.report.others.len(), setting.others));
    }
    let (from, until) = facts.exchanges().first().and_then(pause)?;
    let willing = Duration::from_millis(setting.deadline).min(Duration::from_secs(setting.timeout));
    let too_long = until - from > willing;
    if facts.cell.effect == "send" || too_long {
        if facts.exchanges().len() > 1 {
            return Some(format!("{} requests came", facts.exchanges().len()));
        }
        return facts.report.others.iter().find_map(|report| wrong(report, until - from));
    }
    let did =
        |means: Verdict| facts.exchanges().iter().filter(|exchange| exchange.means() == Some(means)).count();
    let succeeded = facts.report.others.iter().filter(|report| report.kind.is_none()).count();
    if succeeded != did(Verdict::Success) {
        return Some(format!("{succeeded} calls succeeded, and {} were told so", did(Verdict::Success)));
    }
    // All calls are made, including a probe that is rejected.
    let came = facts.exchanges().len() - 1;
    let unseen = facts.report.others.iter().filter(|report| report.attempts == Some(0)).count();
    (unseen > 0 || came < setting.others && facts.tries() <= came)
        .then(|| format!("{came} of {} calls came, {unseen} gave up", setting.others))
}

fn wrong(report: &CallReport, most: Duration) -> Option<String> {
    #[allow(clippy::cast_precision_loss)] // seconds
    let told = report
        .retry_after
        .is_some_and(|wait| (most.as_secs_f64() - 60.0..=most.as_secs_f64()).contains(&wait));
    let right = report.kind() == Some("RateLimited") && report.delivery.as_deref() == Some("no");
    let unsent = report.attempts == Some(0) && report.says("Nothing was changed");
    (!right || !told || !unsent).then(|| format!("{report:?}"))
}
