//! Secrets and personal data are sent through every operation and every kind of failure, and then searched for in everything
//! that may reach a log: log lines of every level, errors, the printed form of settings, clients and responses, and files.

mod echo;
mod faults;
mod grants;
mod markers;
mod requests;
mod rest;
mod watch;

use crate::cells::CampaignLength;
use crate::drive::builder;
use crate::tally::Tally;
use echo::{Act, CanaryEcho};
use markers::{ACCESS, ENCODINGS, SECRET, find};
use sondage::auth::Credentials;
use sondage::config::ClientBuilder;
use sondage::error::Wording;
use sondage::{Error, internals::runtime, operations};
use std::error::Error as _;
use std::fmt::Write as _;
use std::time::Duration;

const FAMILY: &str = "canaries";
const RULE: &str = "no log, error or file contains secrets or personal data";

pub fn run(form: CampaignLength) -> Tally {
    watch::start();
    watch::taken();
    let mut tally = Tally::default();
    let encodings = if form == CampaignLength::Short { 1..2 } else { 0..ENCODINGS.len() };
    for encoding in encodings {
        for fault in faults::ALL {
            every_operation(&mut tally, encoding, *fault);
        }
        grants::run(&mut tally, encoding);
    }
    answers(&mut tally);
    rest::run(&mut tally);
    tally
}

fn say(tally: &mut Tally, name: &str, wrong: Option<String>) {
    tally.add_named(FAMILY, name, None, RULE, wrong);
}

/// All text of an error.
fn texts(error: &Error) -> String {
    let mut out = format!("{error} {error:?} {error:#?} {} {}", error.what(), error.hint());
    let mut source = error.source();
    while let Some(cause) = source {
        let _ = write!(out, " {cause} {cause:?}");
        source = cause.source();
    }
    for camel in [true, false] {
        let _ = write!(out, "{:?}", error.told(&Wording { camel, idioms: &[], explains: true }));
    }
    let words =
        [error.error_code(), error.error_message(), error.request_id(), error.operation(), error.reconcile()];
    out + &words.map(Option::unwrap_or_default).join(" ")
}

/// What is wrong with the result of a call.
fn judged(result: &sondage::Result<String>) -> Option<String> {
    match result {
        Ok(shown) => find(shown).map(|found| format!("what is printed of the answer shows {found:?}")),
        Err(error) => find(&texts(error)).map(|found| format!("the error shows {found:?}")),
    }
}

/// What is wrong with the log lines since the last check. No lines at all would mean that nothing was captured.
fn logged() -> Option<String> {
    let lines = watch::taken();
    if lines.is_empty() {
        return Some("nothing was logged".to_owned());
    }
    find(&lines).map(|found| format!("the log shows {found:?}"))
}

/// The settings of a client with short timeouts and every secret.
fn settings(api: &str, auth: &str) -> ClientBuilder {
    builder(api, Some(auth)).client_secret(SECRET).retry_attempts(1_u32).deadline(Duration::from_millis(1500))
}

fn every_operation(tally: &mut Tally, encoding: usize, (fault, act): faults::CanaryFault) {
    let name = |rest: &str| format!("{}, {fault}: {rest}", ENCODINGS[encoding].0);
    let service = match CanaryEcho::start(move |got| act(&got.words(encoding))) {
        Ok(service) => service,
        Err(error) => return say(tally, &name("start"), Some(error.to_string())),
    };
    let silent = fault.contains("silence");
    let deadline = Duration::from_millis(if silent { 500 } else { 30_000 });
    let settings = settings(&service.url(), &service.url()).deadline(deadline);
    let client = match settings.credentials(Credentials::Token(ACCESS.into())).build() {
        Ok(client) => client,
        Err(error) => return say(tally, &name("settings"), Some(error.to_string())),
    };
    let results = runtime::block_on(async move {
        let calls = operations::ALL.iter().map(|row| {
            let client = client.clone();
            tokio::spawn(async move {
                (row.name, requests::call(&client, row.name, &requests::model(row.request)).await)
            })
        });
        let mut results = Vec::new();
        for call in calls.collect::<Vec<_>>() {
            results.extend(call.await);
        }
        Ok(results)
    });
    let arrived = service.calls.lock().map(|calls| calls.clone()).unwrap_or_default();
    for (operation, result) in results.unwrap_or_default() {
        let never = !silent && !arrived.iter().any(|call| call == operation);
        let wrong = match result {
            _ if never => Some("it never arrived".to_owned()),
            // Unknown fields of a response are returned to the caller unchanged, so they are not searched.
            Ok(_) => None,
            Err(error) => judged(&Err(error)),
        };
        say(tally, &name(operation), wrong);
    }
    say(tally, &name("log"), logged());
}

/// Secrets in valid responses: the printed form of a response contains none.
fn answers(tally: &mut Tally) {
    let service = CanaryEcho::start(|got| {
        let row = operations::ALL.iter().find(|row| row.name == got.call());
        let mut body = row.map(|row| requests::plain(row.response)).unwrap_or_default();
        body["isSuccess"] = true.into();
        Act::answer(200, "", &body.to_string())
    });
    let Ok(service) = service else { return say(tally, "answers", Some("no service".to_owned())) };
    let settings = settings(&service.url(), &service.url()).credentials(Credentials::Token(ACCESS.into()));
    for row in operations::ALL {
        let result = settings.build().and_then(|client| {
            runtime::block_on(async move {
                requests::call(&client, row.name, &requests::model(row.request)).await
            })
        });
        let wrong = result.as_ref().err().map(ToString::to_string).or_else(|| judged(&result));
        say(tally, &format!("an answer, {}", row.name), wrong);
    }
    say(tally, "answers, log", logged());
}
