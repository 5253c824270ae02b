//! Faults: each does what it says, to the calls that it is meant for, and the ledger shows whether anything took effect.

use crate::http::{Api, Response, field, members, send};
use serde_json::{Value, json};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::io;
use std::time::{Duration, Instant};

struct Bench {
    sandbox: Sandbox,
    api: Api,
}

impl Bench {
    fn new() -> Self {
        let sandbox = Sandbox::demo_blocking().unwrap();
        let api = Api::new(&sandbox);
        Self { sandbox, api }
    }

    fn create(&self) -> io::Result<Response> {
        let row = json!({ "fields": { "Email": field("Email", "String", "new@example.com") } });
        self.api.send(
            "CreateMembers",
            &json!({ "tenant": "demo", "panelId": self.sandbox.panel_id(), "members": [row] }),
        )
    }

    fn created(&self) -> usize {
        self.sandbox.ledger().effects("CreateMembers").len()
    }

    fn read(&self) -> Response {
        self.api.send("ReadMemberList", &members(&self.sandbox)).unwrap()
    }

    fn spoilt(&self, action: FaultAction) -> Response {
        self.sandbox.fault(Fault::on("ReadMemberList").action(action));
        self.read()
    }
}

#[test]
fn a_status_comes_with_its_headers_and_hits_as_often_as_asked() {
    let bench = Bench::new();
    let busy =
        Fault::on("CreateMembers").skip(1).times(2).status(429).header("Retry-After", "7").body("slow down");
    let handle = bench.sandbox.fault(busy);
    let statuses: Vec<u16> = (0..4).map(|_| bench.create().unwrap().status).collect();
    assert_eq!((statuses, handle.hits(), bench.created()), (vec![200, 429, 429, 200], 2, 2));
    bench.sandbox.fault(Fault::on("CreateMembers").every().status(503).after_effect());
    let answer = bench.create().unwrap();
    assert_eq!((answer.status, answer.json()["isSuccess"].clone()), (503, json!(false)));
    assert_eq!(bench.created(), 3, "it took effect although the response does not say so");
    assert_eq!(bench.read().status, 200, "other operations are not hit");
    bench.sandbox.clear_faults();
    assert_eq!(bench.create().unwrap().status, 200);
    let busy = bench.sandbox.fault(Fault::on("*").every().status(429).header("Retry-After", "7"));
    assert_eq!(bench.read().header("retry-after"), Some("7"));
    busy.remove();
    assert_eq!(bench.read().status, 200);
}

#[test]
fn cuts_come_before_and_after_the_effect() {
    let bench = Bench::new();
    for (fault, effects) in [
        (Fault::on("CreateMembers").cut_before_request(), 0),
        (Fault::on("CreateMembers").cut_before_request().reset(), 0),
        (Fault::on("CreateMembers").cut_after_effect(), 1),
        (Fault::on("CreateMembers").cut_after_effect().reset(), 2),
        (Fault::on("connection").cut_before_request().reset(), 2),
        (Fault::on("connection").cut_before_request(), 2),
    ] {
        bench.sandbox.fault(fault.clone());
        let error = bench.create().expect_err("no answer");
        let kinds = [io::ErrorKind::ConnectionReset, io::ErrorKind::UnexpectedEof, io::ErrorKind::BrokenPipe];
        assert!(kinds.contains(&error.kind()), "{fault:?}: {error}");
        assert_eq!(bench.created(), effects, "{fault:?}");
    }
    let arrivals = bench.sandbox.ledger().requests("CreateMembers");
    let whole: Vec<bool> = arrivals.iter().map(|arrival| arrival.whole).collect();
    assert_eq!(
        whole,
        [false, false, true, true],
        "the first two were never read, the last two never arrived"
    );
    assert!(arrivals.iter().all(|arrival| arrival.status.is_none()));
    assert_eq!(bench.create().unwrap().status, 200);
}

#[test]
fn an_answer_can_end_in_the_middle() {
    let bench = Bench::new();
    bench.sandbox.fault(Fault::on("CreateMembers").cut_mid_answer());
    let answer = bench.create().unwrap();
    assert!(answer.status == 200 && !answer.whole && !answer.body.is_empty());
    assert_eq!(bench.created(), 1);
    bench.sandbox.fault(Fault::on("ReadMemberList").cut_mid_answer().reset());
    assert!(!bench.read().whole);
}

#[test]
fn a_delay_holds_the_call_back() {
    let bench = Bench::new();
    bench.sandbox.fault(Fault::on("ReadMemberList").delay(Duration::from_millis(300)));
    let start = Instant::now();
    assert_eq!(bench.read().status, 200);
    assert!(start.elapsed() >= Duration::from_millis(300));
}

#[test]
fn answers_that_are_no_answers() {
    let bench = Bench::new();
    let truncated = bench.spoilt(FaultAction::TruncatedJson);
    assert!(truncated.whole && serde_json::from_slice::<Value>(&truncated.body).is_err());
    let garbage = bench.spoilt(FaultAction::GarbageBody);
    assert!(
        garbage.header("content-type").unwrap().contains("json") && String::from_utf8(garbage.body).is_err()
    );
    assert!(bench.spoilt(FaultAction::Html).text().contains("<h1>"));
    assert_eq!(bench.spoilt(FaultAction::Text).header("content-type"), Some("text/plain; charset=utf-8"));
    let answer = bench.spoilt(FaultAction::Body { text: "null".to_owned() });
    assert_eq!(answer.json(), Value::Null);
    let no =
        FaultAction::NotSuccess { error_code: "Quota".to_owned(), error_message: "None left.".to_owned() };
    let answer = bench.spoilt(no);
    assert_eq!((answer.status, answer.json()["errorCode"].clone()), (200, json!("Quota")));
    bench.sandbox.fault(Fault::on("ReadMemberList").action(FaultAction::Garbage));
    assert!(bench.api.send("ReadMemberList", &members(&bench.sandbox)).is_err(), "these bytes are not HTTP");
    let broken = bench.spoilt(FaultAction::BrokenGzip);
    assert_eq!(
        (broken.header("content-encoding"), broken.body.as_slice()),
        (Some("gzip"), &b"this is not gzip"[..])
    );
    let bomb = bench.spoilt(FaultAction::GzipBomb);
    assert!(bomb.whole && bomb.body.len() < 2 << 20 && bomb.header("content-encoding") == Some("gzip"));
}

#[test]
fn answers_that_are_not_quite_right() {
    let bench = Bench::new();
    assert_eq!(bench.spoilt(FaultAction::TotalCount { value: 7 }).json()["totalCount"], json!(7));
    let bare = bench.spoilt(FaultAction::NoEnvelope).json();
    assert!(bare.get("isSuccess").is_none() && bare["members"].is_array());
    let more = bench.spoilt(FaultAction::UnknownFields).json();
    let member = &more["members"][0];
    assert!(more["fieldFromTheFuture"].is_object() && member["fieldFromTheFuture"].is_object());
    assert!(member["fields"]["Email"]["fieldFromTheFuture"].is_object());
    assert!(member["fields"].get("fieldFromTheFuture").is_none(), "no entry is added to a map of data");
    let strange = bench.spoilt(FaultAction::UnknownEnums).json();
    assert_eq!(strange["members"][0]["fields"]["Email"]["fieldType"], json!("FromTheFuture"));
    let mut request = members(&bench.sandbox);
    request["paging"] = json!({ "pageSize": 10, "page": 2 });
    bench.sandbox.fault(Fault::on("ReadMemberList").action(FaultAction::RepeatPage));
    let repeated = bench.api.ok("ReadMemberList", &request)["members"][0]["id"].clone();
    request["paging"]["page"] = json!(1);
    assert_eq!(bench.api.ok("ReadMemberList", &request)["members"][0]["id"], repeated);
}

#[test]
fn a_stalled_answer_keeps_the_connection_open() {
    use std::io::{Read as _, Write as _};
    let bench = Bench::new();
    bench.sandbox.fault(Fault::on("jwks").action(FaultAction::Stall));
    let url = url::Url::parse(bench.sandbox.auth_url()).unwrap();
    let mut stream = std::net::TcpStream::connect((url.host_str().unwrap(), url.port().unwrap())).unwrap();
    stream.write_all(b"GET /openid/jwks HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(400))).unwrap();
    let mut came = Vec::new();
    let end = stream.read_to_end(&mut came).expect_err("it does not end");
    assert!(matches!(end.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut));
    assert!(came.windows(4).any(|window| window == b"\r\n\r\n") && !came.ends_with(b"}"));
}

#[test]
fn the_token_endpoint_has_faults_too() {
    let bench = Bench::new();
    bench.sandbox.fault(Fault::on("token").status(503));
    let url = format!("{}/openid/token", bench.sandbox.auth_url());
    let headers = [("content-type", "application/x-www-form-urlencoded")];
    let before = bench.sandbox.ledger().token_requests().len();
    assert_eq!(send("POST", &url, &headers, b"grant_type=x").unwrap().status, 503);
    assert_eq!(bench.sandbox.ledger().token_requests().len(), before, "nobody was asked");
    assert_eq!(send("POST", &url, &headers, b"grant_type=x").unwrap().status, 400);
    assert_eq!(bench.sandbox.ledger().requests("token").len(), 3);
}
