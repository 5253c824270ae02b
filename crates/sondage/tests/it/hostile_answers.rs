//! Responses that are expensive on purpose: depth, values, compression, slowness. Each ends in an error that names the
//! limit, and no other call is delayed.

use crate::support;
use flate2::{Compression, write::GzEncoder};
use sondage::internals::call::envelope::ResponseEnvelope;
use sondage::internals::call::reader::{Reader, Unreadable, Verdict};
use sondage::operations::ReadWorkspaceList;
use sondage::{Client, Effect, Error, ErrorKind, Json, RawCall, model};
use sondage_testserver::{Reply, Server};
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// A service that answers every request with the same body, and counts the requests.
struct Service {
    address: String,
    calls: Arc<AtomicUsize>,
}

impl Service {
    fn answering(body: Vec<u8>, gzip: bool) -> Self {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let server = Server::http(move |_| {
            counted.fetch_add(1, Ordering::SeqCst);
            let reply = Reply::new(200, &body);
            if gzip { reply.header("content-encoding", "gzip") } else { reply }
        });
        Self { address: server.url(), calls }
    }

    /// A client with the default limits.
    fn client(&self) -> Client {
        let mut config = support::config(&self.address);
        config.limits.answer_bytes = 512 << 20;
        config.deadline = Duration::from_secs(120);
        Client::new(config).unwrap()
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn raw(effect: Effect) -> RawCall {
    RawCall::new("/publicapi/Panel/v3/Something", Json::parse("{}").unwrap(), effect)
}

async fn read(client: &Client) -> Result<(), Error> {
    client.raw(raw(Effect::Read)).await.map(|_| ())
}

fn answer(rows: &str) -> Vec<u8> {
    format!(r#"{{"isSuccess":true,"errorCode":null,"errorMessage":null,"rows":[{rows}]}}"#).into_bytes()
}

/// Depth: languages read the text of a response with recursive parsers.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_is_at_most_128_levels_deep_and_a_write_that_was_answered_so_is_not_lost() {
    let nested = |levels: usize| answer(&format!("{}{}", "[".repeat(levels), "]".repeat(levels)));
    let service = Service::answering(nested(126), false);
    read(&service.client()).await.expect("nested as deeply as allowed");
    for levels in [127, 1_000, 200_000] {
        let service = Service::answering(nested(levels), false);
        let error = read(&service.client()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedResponse, "{error}");
        assert!(error.to_string().contains("nested deeper than 128 levels"), "{error}");

        let service = Service::answering(nested(levels), false);
        let error = service.client().raw(raw(Effect::Create)).await.unwrap_err();
        assert_eq!((error.kind(), service.calls()), (ErrorKind::OutcomeUnknown, 1), "{error}");
        let said = "the service accepted the request, but the response is nested deeper than 128 levels";
        assert!(error.to_string().contains(said), "{error}");
    }
    // An unknown field of a model, and the value of a known one.
    let deep = "[".repeat(1_000) + &"]".repeat(1_000);
    let service = Service::answering(format!(r#"{{"isSuccess":true,"x":{deep}}}"#).into_bytes(), false);
    let request = model::ReadWorkspaceListRequest::new();
    let error = service.client().call::<ReadWorkspaceList>(request).await.unwrap_err();
    assert!(error.to_string().contains("nested deeper than 128 levels"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_becomes_objects_has_ceilings_of_its_own() {
    let long = answer(&format!(r#""{}""#, "x".repeat(65 << 20)));
    let values = answer(&format!("{}1", "1,".repeat(5_000_000)));
    for (body, named) in [(long, "`object_bytes` of 67108864"), (values, "`object_values` of 3500000")] {
        let service = Service::answering(body, false);
        let error = read(&service.client()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedResponse, "{error}");
        assert!(error.to_string().contains(named), "{error}");
        assert_eq!(service.calls(), 1, "a response that is too large is not requested again");
        let error = service.client().raw(raw(Effect::Create)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn compression_is_worth_at_most_200_times_its_bytes_where_objects_are_made() {
    let bomb = Service::answering(gzip(&answer(&format!(r#""{}""#, "x".repeat(40 << 20)))), true);
    let error = read(&bomb.client()).await.unwrap_err();
    assert!(
        error.to_string().contains("larger than the ceiling of 200 times its compressed size"),
        "{error}"
    );
    // The first MiB is exempt: small responses compress very well.
    let small = Service::answering(gzip(&answer(&format!(r#""{}""#, "x".repeat(1_000_000)))), true);
    read(&small.client()).await.expect("a small answer");
    // Rows that differ do not compress that well.
    let rows: Vec<String> =
        (0..100_000).map(|id| format!(r#"{{"id":{id},"name":"Survey","state":null}}"#)).collect();
    let honest = Service::answering(gzip(&answer(&rows.join(","))), true);
    read(&honest.client()).await.expect("an honest answer");
}

/// A reader that is slow for each chunk, like a decoder of an expensive response.
#[derive(Clone)]
struct Slow(Arc<AtomicBool>);

impl Reader for Slow {
    type Output = ();

    fn feed(&mut self, _: &[u8]) -> Result<(), Unreadable> {
        std::thread::sleep(Duration::from_millis(40));
        Ok(())
    }

    fn finish(self) -> Result<Verdict<()>, Unreadable> {
        self.0.store(true, Ordering::SeqCst);
        Ok(Verdict::Refused(ResponseEnvelope::default()))
    }
}

/// 64 MiB of zeros in 64 KiB: 512 chunks, none of which has to be read from the network.
fn slow() -> (Service, Slow) {
    let service = Service::answering(gzip(&vec![0; 64 << 20]), true);
    (service, Slow(Arc::default()))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deadline_holds_while_an_answer_is_read() {
    let (service, reader) = slow();
    let mut config = support::config(&service.address);
    (config.limits.answer_bytes, config.retry.attempts) = (u64::MAX, 1);
    config.deadline = Duration::from_secs(4);
    let ended = reader.0.clone();
    let request = model::ReadWorkspaceListRequest::new();
    let client = Client::new(config).unwrap();
    let read = client.send_with::<ReadWorkspaceList, _>(request, move || reader.clone());
    let error = read.await.map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("not complete in time"), "{error}");
    assert!(!ended.load(Ordering::SeqCst), "the call ended before the answer was read");
}

#[tokio::test(flavor = "multi_thread")]
async fn others_are_not_kept_waiting_by_a_slow_answer() {
    let (service, reader) = slow();
    let mut config = support::config(&service.address);
    config.limits.answer_bytes = u64::MAX;
    config.deadline = Duration::from_secs(120);
    let (client, ended) = (Client::new(config).unwrap(), reader.0.clone());
    let slow = tokio::spawn(async move {
        let request = model::ReadWorkspaceListRequest::new();
        client.send_with::<ReadWorkspaceList, _>(request, move || reader.clone()).await.map(|_| ())
    });
    while service.calls() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let other = Service::answering(answer(""), false);
    for _ in 0..3 {
        read(&other.client()).await.expect("a small answer");
    }
    assert!(!ended.load(Ordering::SeqCst), "the small calls finished long before the slow one");
    slow.abort();
}

/// Allocates objects until it is released, and cannot be interrupted.
#[derive(Clone, Default)]
struct Endless(Arc<AtomicBool>);

impl Reader for Endless {
    type Output = ();

    const HELD: bool = true;

    fn feed(&mut self, _: &[u8]) -> Result<(), Unreadable> {
        Ok(())
    }

    fn finish(self) -> Result<Verdict<()>, Unreadable> {
        for _ in 0..1500 {
            if self.0.load(Ordering::SeqCst) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(Verdict::Success(()))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_deadline_holds_while_a_large_answer_is_made_into_objects() {
    let service = Service::answering(vec![b' '; 2 << 20], false);
    let mut config = support::config(&service.address);
    (config.limits.answer_bytes, config.retry.attempts) = (u64::MAX, 1);
    config.deadline = Duration::from_secs(4);
    let (client, reader) = (Client::new(config).unwrap(), Endless::default());
    let release = reader.0.clone();
    let request = model::ReadWorkspaceListRequest::new();
    let read = client.send_with::<ReadWorkspaceList, _>(request, move || reader.clone());
    let result = read.await.map(|_| ());
    release.store(true, Ordering::SeqCst);
    let error = result.expect_err("the deadline came first");
    assert!(error.to_string().contains("not complete in time"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_answer_of_the_service_is_called_what_it_is() {
    for (body, called) in [
        ("", "the response is empty"),
        ("\r\n<!doctype html>", "the response is an HTML page, not JSON"),
        (r#"{"isSuccess":tr"#, "the response is cut off"),
        (r#"{"rows":[]}"#, "the response is JSON without the service's envelope"),
        (r#"{"isSuccess":"no"}"#, "`isSuccess` is missing or not a boolean"),
        ("{\n nobody }", "the response is not JSON (at byte 4 of 11)"),
    ] {
        let service = Service::answering(body.into(), false);
        let error = read(&service.client()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::UnexpectedResponse, "{error}");
        assert!(error.to_string().contains(called), "{error}");
    }
}
