//! Callers that give up, and deadlines that pass, at any moment: requests that were sent are completed, and calls
//! reported as unsent never arrive.

use crate::cells::CampaignLength;
use crate::drive::builder;
use crate::service::answering::{AnsweringService, RawReply, ReceivedRequest};
use crate::tally::Tally;
use crate::tokens::call;
use sondage::{CallOptions, Client, Effect, internals::runtime};
use std::collections::BTreeSet;
use std::time::Duration;

const ROUNDS_SHORT: u64 = 6;
const ROUNDS_LONG: u64 = 60;
/// Calls per round.
const CALLS: usize = 50;

pub fn run(form: CampaignLength) -> Tally {
    let mut tally = Tally::default();
    for round in 0..if form == CampaignLength::Short { ROUNDS_SHORT } else { ROUNDS_LONG } {
        let by_deadline = round % 2 == 0;
        let how = if by_deadline { "deadlines" } else { "callers leave" };
        let wrong = one(round, by_deadline).unwrap_or_else(Some);
        tally.add_named(
            "cancellation",
            &format!("round {round}, {how}"),
            None,
            "a request that was sent is completed",
            wrong,
        );
    }
    tally
}

fn one(round: u64, by_deadline: bool) -> Result<Option<String>, String> {
    let service = AnsweringService::start(|arrived: &ReceivedRequest| {
        let pause = arrived.call.bytes().map(u64::from).sum::<u64>() % 25;
        std::thread::sleep(Duration::from_millis(pause));
        RawReply::ok(r#"{"isSuccess":true}"#)
    });
    let service = service.map_err(|error| error.to_string())?;
    let client = builder(&service.url(), None).build().map_err(|error| error.to_string())?;
    let mut rng = fastrand::Rng::with_seed(round);
    let moments: Vec<Duration> = (0..CALLS).map(|_| Duration::from_micros(rng.u64(..40_000))).collect();
    let (theirs, count) = (client.clone(), moments.len());
    let not_sent = runtime::block_on(async move { Ok(leave(theirs, moments, by_deadline).await) });
    let not_sent = not_sent.map_err(|error| error.to_string())?;
    let last = client.clone();
    let left = runtime::block_on(async move { Ok(last.close(Duration::from_secs(20)).await) });
    if let Some(write) = left.map_err(|error| error.to_string())?.first() {
        return Ok(Some(format!("{} is still under way after 20 s", write.operation)));
    }
    let entries = service.book.entries();
    let mut seen = BTreeSet::new();
    for entry in &entries {
        let call = &entry.arrived.call;
        if !seen.insert(call.clone()) {
            return Ok(Some(format!("{call} came twice")));
        }
        if !entry.answered {
            return Ok(Some(format!("{call} had arrived, and its answer had no reader")));
        }
        if not_sent.contains(call) {
            return Ok(Some(format!("{call} arrived, and was said not to have been sent")));
        }
    }
    Ok((entries.len() > count).then(|| "more requests arrived than calls were made".to_owned()))
}

/// Makes calls that end at these moments. Returns those that are reported as unsent.
async fn leave(client: Client, moments: Vec<Duration>, by_deadline: bool) -> BTreeSet<String> {
    let calls: Vec<_> = moments
        .into_iter()
        .enumerate()
        .map(|(number, moment)| {
            let client = client.clone();
            tokio::spawn(async move {
                let request = call(number, [Effect::Create, Effect::Send][number % 2], 400);
                if by_deadline {
                    let hasty =
                        client.with(CallOptions::new().deadline(moment.max(Duration::from_micros(1))));
                    let error = hasty.raw(request).await.err()?;
                    return (error.delivery() == sondage::Delivery::No).then(|| format!("C{number}"));
                }
                let _ = tokio::time::timeout(moment, client.raw(request)).await;
                None
            })
        })
        .collect();
    let mut not_sent = BTreeSet::new();
    for call in calls {
        not_sent.extend(call.await.ok().flatten());
    }
    not_sent
}
