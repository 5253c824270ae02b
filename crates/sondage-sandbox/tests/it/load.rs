//! Many concurrent calls, and starting and stopping a sandbox.

use crate::http::{Api, field, members};
use serde_json::json;
use sondage_sandbox::{EffectKind, Sandbox};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;

#[test]
fn hundreds_of_connections_at_once_lose_nothing() {
    const THREADS: i64 = 200;
    const CALLS: i64 = 5;
    let sandbox = Arc::new(Sandbox::demo_blocking().unwrap());
    let api = Arc::new(Api::new(&sandbox));
    let callers = (0..THREADS).map(|caller| {
        let (sandbox, api) = (Arc::clone(&sandbox), Arc::clone(&api));
        thread::spawn(move || {
            for call in 0..CALLS {
                let email = format!("{caller}.{call}@example.com");
                let row = json!({ "fields": { "Email": field("Email", "String", email) } });
                let request = json!({ "tenant": "demo", "panelId": sandbox.panel_id(), "members": [row] });
                api.ok("CreateMembers", &request);
                let mut page = members(&sandbox);
                page["paging"] = json!({ "pageSize": 5, "page": 1 });
                api.ok("ReadMemberList", &page);
            }
        })
    });
    callers.collect::<Vec<_>>().into_iter().for_each(|caller| caller.join().unwrap());
    let ledger = sandbox.ledger();
    let created = u64::try_from(THREADS * CALLS).unwrap();
    assert_eq!(ledger.count("CreateMembers", EffectKind::MembersCreated), created);
    let mut ids: Vec<String> =
        ledger.effects("CreateMembers").into_iter().flat_map(|effect| effect.ids).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len() as u64, created, "no id twice");
    assert!(ledger.requests("*").iter().all(|arrival| arrival.status == Some(200)));
}

#[test]
fn large_worlds_come_from_a_seed() {
    let start =
        || Sandbox::builder().generated_survey(20_000, 12).extra_members(20_000).start_blocking().unwrap();
    let sandbox = start();
    let api = Api::new(&sandbox);
    let survey = sandbox.generated_survey_id().unwrap();
    let last = |api: &Api| {
        let request = json!({ "surveyId": survey, "paging": { "pageSize": 3, "page": 6667 }, "loadCodePlan": true,
            "fieldsToDownload": ["Id", "EndDate", "Q1", "Q2", "Q3", "Q4", "Q5"] });
        api.ok("ReadInterviewListCompact", &request)
    };
    let answer = last(&api);
    assert_eq!((answer["interviews"].as_array().unwrap().len(), &answer["totalCount"]), (2, &json!(20_000)));
    assert_eq!(answer["codePlan"].as_array().unwrap().len(), 12);
    assert_eq!(last(&Api::new(&start())), answer, "the same each time");
    let mut page = members(&sandbox);
    page["paging"] = json!({ "pageSize": 1, "page": 20_200 });
    assert_eq!(api.ok("ReadMemberList", &page)["members"].as_array().unwrap().len(), 1);
}

#[test]
fn ports_close_when_the_sandbox_is_dropped_even_inside_a_runtime() {
    let open = |url: &str| {
        let url = url::Url::parse(url).unwrap();
        TcpStream::connect((url.host_str().unwrap(), url.port().unwrap())).is_ok()
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let addresses = runtime.block_on(async {
        let sandbox = Sandbox::demo().await.unwrap();
        let account = sandbox.account().clone();
        assert!(open(&account.base_url) && open(&account.auth_url));
        assert!(account.base_url.starts_with("http://127.0.0.1:"));
        [account.base_url, account.auth_url]
    });
    assert!(!addresses.iter().any(|address| open(address)));
}

#[test]
fn a_fixed_port_serves_both_and_two_sandboxes_cannot_share_it() {
    let sandbox = Sandbox::builder().port(0).start_blocking().unwrap();
    assert_eq!(sandbox.base_url(), sandbox.auth_url());
    Api::new(&sandbox).ok("ReadMemberList", &members(&sandbox));
    let port = url::Url::parse(sandbox.base_url()).unwrap().port().unwrap();
    let second = Sandbox::builder().port(port).start_blocking();
    assert_eq!(second.unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let inside = runtime.block_on(Sandbox::builder().port(port).start());
    assert_eq!(inside.unwrap_err().kind(), std::io::ErrorKind::AddrInUse, "also inside a runtime");
    drop(sandbox);
    Sandbox::builder().port(port).start_blocking().unwrap();
}

#[test]
fn a_connection_is_kept_for_the_next_request() {
    use std::io::{Read as _, Write as _};
    let sandbox = Sandbox::demo_blocking().unwrap();
    let url = url::Url::parse(sandbox.auth_url()).unwrap();
    let mut stream = TcpStream::connect((url.host_str().unwrap(), url.port().unwrap())).unwrap();
    for _ in 0..3 {
        stream.write_all(b"GET /openid/jwks HTTP/1.1\r\nhost: x\r\n\r\n").unwrap();
        let mut came = Vec::new();
        while !came.ends_with(b"]}") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            came.push(byte[0]);
        }
        assert!(came.starts_with(b"HTTP/1.1 200"));
    }
}
