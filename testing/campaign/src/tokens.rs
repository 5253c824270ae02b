//! Tokens: one request however many callers wait; and a replaced refresh token is never sent again.

mod processes;
mod shared_file;

use crate::cells::CampaignLength;
use crate::drive::{body, builder};
use crate::service::answering::{AnsweringService, RawReply, ReceivedRequest};
use crate::tally::Tally;
use sondage::{Client, Effect, Json, RawCall, internals::runtime};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

pub const SHORT: usize = 500;
const LONG: usize = 5000;

/// The behaviour of the token endpoint, and the expected number of requests to it.
const ENDPOINTS: [(&str, usize); 5] =
    [("slow", 1), ("refuses", 1), ("garbage", 1), ("fails", 1), ("revoked", 2)];

pub fn run(form: CampaignLength) -> Tally {
    let mut tally = Tally::default();
    let callers = if form == CampaignLength::Short { SHORT } else { LONG };
    for (endpoint, right) in ENDPOINTS {
        let wrong = callers_at_once(endpoint, right, callers);
        tally.add_named(
            "tokens",
            &format!("{callers} callers, {endpoint}"),
            None,
            "one token request",
            wrong,
        );
    }
    tally.counts.insert("token callers", callers);
    for (name, behind) in [("clocks alike", 0), ("one clock behind", 3600), ("one clock ahead", -3600)] {
        let wrong = shared_file::two_clients(behind).unwrap_or_else(Some);
        tally.add_named("tokens", name, Some("core 9"), "a replaced refresh token is not sent again", wrong);
    }
    let wrong = processes::run(form).unwrap_or_else(Some);
    tally.add_named(
        "tokens",
        "8 processes, one file, kill -9",
        None,
        "a replaced refresh token is not sent again",
        wrong,
    );
    tally
}

/// A process that makes calls until it is killed.
pub fn work(words: &[String]) -> Result<(), String> {
    processes::work(words)
}

fn callers_at_once(endpoint: &'static str, right: usize, callers: usize) -> Option<String> {
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let auth = AnsweringService::start(move |_| {
        let number = counted.fetch_add(1, Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(100));
        match endpoint {
            "refuses" => RawReply(400, String::new(), r#"{"error":"invalid_client"}"#.into()),
            "garbage" => RawReply::ok("<html>"),
            "fails" => RawReply(500, String::new(), Vec::new()),
            _ => RawReply::ok(format!(
                r#"{{"access_token":"t{number}","token_type":"Bearer","expires_in":3600}}"#
            )),
        }
    });
    let api = AnsweringService::start(move |arrived: &ReceivedRequest| {
        if endpoint == "revoked" && arrived.token.as_deref() == Some("Bearer t0") {
            return RawReply(401, String::new(), Vec::new());
        }
        RawReply::ok(r#"{"isSuccess":true}"#)
    });
    let (auth, api) = match (auth, api) {
        (Ok(auth), Ok(api)) => (auth, api),
        (auth, api) => return auth.err().or(api.err()).map(|error| error.to_string()),
    };
    let client = match builder(&api.url(), Some(&auth.url())).deadline(Duration::from_secs(120)).build() {
        Ok(client) => client,
        Err(error) => return Some(error.to_string()),
    };
    let succeeded = all_at_once(&client, callers);
    let (asked, good) = (asked.load(Ordering::SeqCst), matches!(endpoint, "slow" | "revoked"));
    if asked != right {
        return Some(format!("{asked} token requests, and not {right}"));
    }
    let wanted = if good { callers } else { 0 };
    (succeeded != wanted).then(|| format!("{succeeded} of {callers} calls succeeded, and not {wanted}"))
}

/// How many of this many reads succeed.
fn all_at_once(client: &Client, callers: usize) -> usize {
    let client = client.clone();
    let counted = runtime::block_on(async move {
        let calls: Vec<_> = (0..callers)
            .map(|number| {
                let client = client.clone();
                tokio::spawn(async move { client.raw(read(number)).await.is_ok() })
            })
            .collect();
        let mut succeeded = 0;
        for call in calls {
            succeeded += usize::from(call.await.unwrap_or(false));
        }
        Ok(succeeded)
    });
    counted.unwrap_or(0)
}

/// A read with an id.
pub fn read(number: usize) -> RawCall {
    call(number, Effect::Read, 40)
}

/// A call with an id and a body of this size.
pub fn call(number: usize, effect: Effect, size: usize) -> RawCall {
    let body = Json::parse(body(size)).unwrap_or_else(|error| panic!("the campaign's own body: {error}"));
    RawCall::new(format!("/publicapi/Campaign/v3/C{number}"), body, effect)
}
