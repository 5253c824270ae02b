//! Finds out whether a write with an unknown outcome took effect: by reading back, after a quiet time.
//!
//! A wrong verdict is worse than none. "It happened" requires evidence that only this call can have left; "it did not happen"
//! requires that no similar object exists, and that the quiet time is over. Everything else is still unknown, with a reason.

mod earlier;
mod elsewhere;
mod evidence;
mod finding;
mod report;
mod window;

pub(crate) use earlier::Earlier;
pub(crate) use elsewhere::note_write;
pub use report::{Reconciled, Verdict};

use crate::options::ReconcileOptions;
use crate::timing::QUIET;
use sondage::Client;
use sondage::auth::Credentials;
use sondage::error::{Error, Result};
use sondage::internals::call::sent_writes::{self, SentWrite, WriteEnd};
use sondage::job::{Job, Observer};

use sondage::internals::runtime;
use sondage::operations;

use bytes::Bytes;
use chrono::TimeDelta;
use evidence::Inspection;
pub(crate) use finding::Finding;
use futures_util::future::BoxFuture;
use serde_json::Value;
use sondage::text;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use window::Window;

/// How often to check whether a call in progress has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The parameters.
#[derive(Clone, Debug)]
pub(crate) struct Inquiry {
    pub quiet: Duration,
    /// How long to wait at most.
    pub wait: Option<Duration>,
    pub created_by: Option<String>,
}

impl Default for Inquiry {
    fn default() -> Self {
        Self { quiet: QUIET, wait: None, created_by: None }
    }
}

/// What was found, and how long it may take until more can be found.
pub(crate) struct Found {
    pub finding: Finding,
    pub again_in: Option<Duration>,
}

/// Determines the outcome of a write.
pub(crate) async fn find_out(client: &Client, write: &SentWrite, inquiry: &Inquiry) -> Result<Found> {
    client.check_open(&write.operation)?;
    let begin = tokio::time::Instant::now();
    let remaining = || inquiry.wait.map(|wait| wait.saturating_sub(begin.elapsed()));
    let may_wait = || remaining() != Some(Duration::ZERO);
    while matches!(write.end(), WriteEnd::UnderWay) {
        if !may_wait() {
            let finding = Finding::unknown("the call is still under way in this process");
            return Ok(Found { finding, again_in: Some(inquiry.quiet) });
        }
        tokio::time::sleep(remaining().unwrap_or(POLL_INTERVAL).min(POLL_INTERVAL)).await;
    }
    let settled = |finding| Ok(Found { finding, again_in: None });
    match write.end() {
        WriteEnd::Answered(answer) => return settled(answered(&answer)),
        WriteEnd::Refused => {
            return settled(Finding::did_not("the call ended later: the service refused it"));
        }
        WriteEnd::UnderWay | WriteEnd::Unknown(_) => {}
    }
    if write.evidence().is_empty() {
        return settled(Finding::unknown(without_evidence(&write.operation)));
    }
    loop {
        let quiet = inquiry.quiet.saturating_sub(write.quiet_for());
        let verdict = inspect(client, write, inquiry).await?;
        if quiet.is_zero() || verdict.verdict == Verdict::Happened {
            return settled(verdict);
        }
        let quiet = inquiry.quiet.saturating_sub(write.quiet_for());
        if remaining().is_some_and(|remaining| remaining < quiet) {
            let why = match verdict.verdict {
                Verdict::StillUnknown => verdict.evidence,
                _ => "there is no sign of it so far, and the service may still be processing it".to_owned(),
            };
            let finding = Finding::unknown(why).among(verdict.candidates);
            return Ok(Found { finding, again_in: Some(quiet) });
        }
        tokio::time::sleep(quiet).await;
    }
}

async fn inspect(client: &Client, write: &SentWrite, inquiry: &Inquiry) -> Result<Finding> {
    let options = client.call_options().for_reading().deadline(client.timeout());
    let client = client.with(options);
    let others = sent_writes::others(write, inquiry.quiet);
    let answers: Vec<(HashSet<String>, bool)> = others.iter().map(|other| made_by(other, write)).collect();
    let name = inquiry.created_by.clone().or_else(|| name_of(&client));
    let mut inspection = Inspection {
        window: Window::of(write, inquiry.quiet, client.service_ahead()),
        evidence: write.evidence().clone(),
        name,
        ambiguous_with_own_call: sent_writes::was_evicted(write, inquiry.quiet)
            || answers.iter().any(|(_, ambiguous_with_own_call)| *ambiguous_with_own_call),
        answered: answers.into_iter().flat_map(|(ids, _)| ids).collect(),
        client,
    };
    let ahead = inspection.client.service_ahead();
    let mut finding = inspection.at(&write.operation).await?;
    if told_another(ahead, inspection.client.service_ahead()) {
        // Responses have shown a service time that differs from the assumed one.
        inspection.window = Window::of(write, inquiry.quiet, inspection.client.service_ahead());
        finding = inspection.at(&write.operation).await?;
    }
    Ok(finding.unwrap_or_else(|| Finding::unknown(without_evidence(&write.operation))))
}

/// Whether the service time differs by more than the resolution of the headers, which have whole seconds.
fn told_another(before: Option<TimeDelta>, now: Option<TimeDelta>) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => (now - before).abs() > TimeDelta::seconds(1),
        (before, now) => before != now,
    }
}

/// What another call created, and whether it may have created the same object as this one.
fn made_by(other: &SentWrite, write: &SentWrite) -> (HashSet<String>, bool) {
    // Another operation with the same effect: the request does not show whether the members are the same.
    let same = || other.operation != write.operation || other.digest() == write.digest();
    // The response of `CreateAndInviteMembers` does not contain the ids of the members: it may have created the same ones.
    let silent = other.operation == "CreateAndInviteMembers" && write.operation == "CreateMembers";
    match other.outcome() {
        WriteEnd::Answered(answer) => {
            let ids = ids_of(&answer);
            let ambiguous_with_own_call = silent || (ids.is_empty() && same());
            (ids.into_iter().collect(), ambiguous_with_own_call)
        }
        WriteEnd::Refused => (HashSet::new(), false),
        WriteEnd::UnderWay | WriteEnd::Unknown(_) => (HashSet::new(), same()),
    }
}

/// The service responded after the caller had given up.
fn answered(answer: &Bytes) -> Finding {
    let value = serde_json::from_slice(answer).unwrap_or(Value::Null);
    Finding::happened(ids_of(answer), "a later response of the service confirms it", value)
}

/// What was created, according to the response.
fn ids_of(answer: &[u8]) -> Vec<String> {
    const NAMES: [&str; 7] =
        ["membersIds", "distributorId", "samplingProjectId", "reminderId", "surveyId", "webHookId", "id"];
    let answer: Value = serde_json::from_slice(answer).unwrap_or(Value::Null);
    let entries = NAMES.iter().flat_map(|name| match &answer[*name] {
        Value::Array(list) => list.clone(),
        one => vec![one.clone()],
    });
    let text = |value: Value| match value {
        Value::Number(number) if number.as_i64() != Some(0) => Some(number.to_string()),
        Value::String(text) => Some(text),
        _ => None,
    };
    entries.filter_map(text).collect()
}

/// The author name that the service records for this login (assumed).
fn name_of(client: &Client) -> Option<String> {
    let config = client.config();
    match &config.credentials {
        Credentials::ClientCredentials => Some(config.client_id.clone()),
        Credentials::Password { username, .. } | Credentials::ApiToken { username, .. } => {
            Some(username.clone())
        }
        _ => config.identity.clone(),
    }
}

/// Why an operation cannot be reconciled.
fn without_evidence(operation: &str) -> String {
    let by_hand = operations::find(operation).and_then(|row| row.reconcile).unwrap_or_default();
    format!("the API shows nothing that this operation creates. {}", by_hand.trim_end_matches('.'))
}

/// The write that an error refers to.
fn known(client: &Client, id: &str) -> Result<Arc<SentWrite>> {
    if id.trim().is_empty() {
        return Err(Error::invalid_argument("`write_id` is empty").with_hint(
            "Give the `write_id` of an error. It has one when the outcome of an operation that is never retried is unknown.",
        ));
    }
    let write = sent_writes::find(id).ok_or_else(|| {
        Error::invalid_argument(text!("this process knows no write with the id {id}")).with_hint(
            "An id is valid in the process whose call failed, for the last 1024 writes. `send_once` works across processes.",
        )
    })?;
    let (service, tenant) = client.account();
    if (&service, &tenant) != (&write.service, &write.tenant) {
        return Err(Error::invalid_argument(text!(
            "this write went to the account {} at {}, and this client is of the account {tenant} at {service}",
            write.tenant,
            write.service
        ))
        .with_hint("Nothing was read. Use a client of the other account."));
    }
    Ok(write)
}

impl Job for ReconcileOptions {
    type With = ();
    type Progress = ();
    type Report = Reconciled;

    fn run(self, client: &Client, (): (), _: Option<Observer<()>>) -> BoxFuture<'static, Result<Reconciled>> {
        let client = client.clone();
        Box::pin(async move {
            let write = known(&client, &self.write_id)?;
            let inquiry =
                Inquiry { quiet: self.quiet.unwrap_or(QUIET), wait: self.wait, created_by: self.created_by };
            runtime::here(async move {
                let verdict = find_out(&client, &write, &inquiry).await?;
                note(&write, &verdict.finding);
                Ok(reconciled(&write.operation, verdict))
            })
            .await
        })
    }
}

/// Recorded so that another call with the same request is not confused with this one.
fn note(write: &SentWrite, finding: &Finding) {
    match (finding.verdict, &finding.answer) {
        (Verdict::DidNotHappen, _) => write.found(WriteEnd::Refused),
        (Verdict::Happened, Some(answer)) => write.found(WriteEnd::Answered(answer.to_string().into())),
        _ => {}
    }
}

fn reconciled(operation: &str, found: Found) -> Reconciled {
    let Found { finding, again_in } = found;
    let Finding { verdict, ids, candidates, evidence, attributed, missing, answer: _ } = finding;
    let operation = operation.to_owned();
    Reconciled { operation, verdict, ids, candidates, evidence, attributed, missing, again_in }
}
