//! Objects and their methods, called from a test language whose values are JSON.

use futures_util::future::BoxFuture;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use sondage::auth::TokenProvider;
use sondage::error::Wording;
use sondage::{Error, ErrorKind, Result, internals::runtime};
use sondage_ffi::client::Client;
use sondage_ffi::{ArgContext, Attachment, Call, Handle, Language, Output, Reply, Unit, operations};

/// A language without features of its own.
struct Plain;

impl Language for Plain {
    type Args<'a> = &'a Value;
    type Refused = Error;
    type HostValue = Value;

    const TIME: Unit = Unit::Milliseconds;
    const WORDING: Wording = Wording::RUST;
    const TRUTH: [&'static str; 2] = ["yes", "no"];

    fn read<T: DeserializeOwned>(args: &Value, about: &ArgContext<'_>) -> Result<T> {
        let wrong = |wrong: serde_json::Error| Error::invalid_argument(format!("{}: {wrong}", about.call));
        T::deserialize(args).map_err(wrong)
    }

    fn host_value<T: Serialize + Send + 'static>(value: T) -> Value {
        json!(value)
    }
}

struct Nobody;

impl TokenProvider for Nobody {
    fn token(&self) -> BoxFuture<'_, Result<String>> {
        Box::pin(async { Ok(String::new()) })
    }
}

fn done(reply: Result<Reply<Plain>>) -> Result<Output<Plain>> {
    match reply? {
        Reply::Ready(output) => Ok(output),
        Reply::Blocking(work) => work(),
        Reply::Async(work) => runtime::block_on(work),
    }
}

fn value(output: Result<Output<Plain>>) -> Value {
    match output.unwrap() {
        Output::Value(value) => value,
        Output::Handle(_) => panic!("a handle where a value was expected"),
    }
}

fn held(output: Result<Output<Plain>>) -> Handle<Plain> {
    match output.unwrap() {
        Output::Value(value) => panic!("{value} where a handle was expected"),
        Output::Handle(handle) => *handle,
    }
}

fn make(method: &str, args: &Value) -> Result<Output<Plain>> {
    done(sondage_ffi::make(Call { method, args, with: Attachment::None }))
}

fn call(handle: &Handle<Plain>, method: &str, args: &Value) -> Result<Output<Plain>> {
    done(handle.call(Call { method, args, with: Attachment::None }))
}

/// A sandbox, its facts, and a client of it.
fn demo() -> (Handle<Plain>, Value, Handle<Plain>) {
    let sandbox = held(make("sandbox", &json!({})));
    let facts = value(call(&sandbox, "facts", &json!(null)));
    let settings = json!({
        "base_url": facts["base_url"], "auth_url": facts["auth_url"], "tenant": facts["tenant"],
        "client_secret": facts["client_secret"], "read_timeout": 5000,
    });
    let client = Client::new::<Plain>(&settings, None::<Nobody>).unwrap();
    (sandbox, facts, client.into())
}

#[test]
fn a_query_becomes_a_table_a_file_and_pages() {
    let (_sandbox, facts, client) = demo();
    let query =
        held(call(&client, "interviews", &json!({ "surveyId": facts["survey_id"], "pageSize": 400 })));
    let watch = held(make("watch", &json!(null)));
    assert_eq!(value(call(&watch, "now", &json!(null))), json!(null));
    let args = json!(null);
    let table =
        held(done(query.call(Call { method: "table", args: &args, with: Attachment::Handle(&watch) })));
    assert_eq!(value(call(&watch, "now", &json!(null)))["rows"], 944);
    assert_eq!(value(call(&table, "length", &json!(null))), 944);
    assert_eq!(table.reader().unwrap().unwrap().map(|batch| batch.unwrap().num_rows()).sum::<usize>(), 944);
    let columns = value(call(&table, "columns", &json!(null)));
    let rows = value(call(&table, "rows", &json!({ "first": 940, "count": 10, "named": true })));
    assert_eq!(rows.as_array().unwrap().len(), 4);
    assert_eq!(rows[0].as_object().unwrap().len(), columns.as_array().unwrap().len());
    let pages = held(call(&query, "batches", &json!(null)));
    for rows in [400, 400, 144] {
        let page = held(call(&pages, "next", &json!(null)));
        assert_eq!(value(call(&page, "length", &json!(null))), rows);
    }
    assert_eq!(value(call(&pages, "next", &json!(null))), json!(null));
    let path = std::env::temp_dir().join(format!("sondage-ffi-{}.csv", std::process::id()));
    let to = json!({ "path": path.to_str(), "format": "csv", "labels": "codes", "resume": false });
    assert_eq!(value(call(&query, "export", &to))["rows"], 944);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn operations_lists_and_whole_answers() {
    let (sandbox, facts, client) = demo();
    let read = |client: &Handle<Plain>| {
        let row = operations::find::<Plain>("read_panel").unwrap();
        value(done(
            client.client().unwrap().call(row, &json!({ "panelId": facts["panel_id"] })).map(Reply::Async),
        ))
    };
    assert!(read(&client)["panel"]["groups"].is_array());
    let whole = held(call(&client, "whole", &json!(null)));
    assert_eq!(read(&whole)["status"], 200);
    let pages = held(call(&client, "members", &json!({ "panelId": facts["panel_id"], "pageSize": 150 })));
    let lengths = [(); 3].map(|()| value(call(&pages, "next", &json!(null))).as_array().map(Vec::len));
    assert_eq!(lengths, [Some(150), Some(50), None]);
    let unpaged =
        operations::find::<Plain>("read_panel").unwrap().pages(client.client().unwrap(), &json!({}));
    assert!(unpaged.err().unwrap().to_string().contains("`read_panel` does not read a list"));
    let asked = value(call(&sandbox, "ledger", &json!({ "part": "requests", "operation": "ReadPanel" })));
    assert_eq!(asked.as_array().unwrap().len(), 2);
}

#[test]
fn what_is_wrong_is_said_by_the_names_of_the_language() {
    let (_sandbox, facts, client) = demo();
    let refused = |output: Result<Output<Plain>>| {
        let error = output.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        error.to_string()
    };
    assert!(refused(call(&client, "members", &json!({ "panel_id": 3 }))).contains("pageSize"));
    assert!(refused(call(&client, "close", &json!(-1))).contains("timeout must be a number of milliseconds"));
    for (key, number) in [("quiet", -1.0), ("wait", 1e300)] {
        let options = json!({ "writeId": "x", key: number });
        let text = refused(call(&client, "reconcile", &options));
        assert!(text.contains("it must be a number of milliseconds, not"), "{text}");
    }
    let table = held(call(&client, "member_table", &json!({ "panelId": facts["panel_id"] })));
    let to = json!({ "path": "x", "format": "csv", "labels": "some", "resume": false });
    assert!(refused(call(&table, "export", &to)).contains("labels must be yes, no or \"both\""));
    let nothing = call(&client, "sing", &json!(null)).err().unwrap();
    assert_eq!((nothing.kind(), nothing.to_string().contains("`sing`")), (ErrorKind::Internal, true));
}

#[test]
fn a_stopped_sandbox_says_so_and_a_claim_is_given_back() {
    let (sandbox, _, _) = demo();
    call(&sandbox, "stop", &json!(null)).unwrap();
    let error = call(&sandbox, "now", &json!(null)).err().unwrap();
    assert!(error.to_string().contains("the sandbox has been stopped"));
    let guard = held(make("guard", &json!({ "capacity": 2 })));
    let claim = || held(call(&guard, "claim", &json!(["a"])));
    let state = |claim: &Handle<Plain>| value(call(claim, "state", &json!(null)));
    let first = claim();
    assert_eq!((state(&first), state(&claim())), (json!("new"), json!("busy")));
    call(&first, "end", &json!(false)).unwrap();
    let second = claim();
    assert_eq!(state(&second), "new");
    call(&second, "end", &json!(true)).unwrap();
    assert_eq!(state(&claim()), "done");
}

#[test]
fn rows_are_planned_applied_and_created_and_lists_are_tables() {
    let (_sandbox, facts, client) = demo();
    let panel = &facts["panel_id"];
    let rows = json!({ "objects": [{ "Email": "new@example.org", "Division": "Moon" }] });
    let report = held(call(&client, "create_members_from", &json!({ "panelId": panel, "rows": rows })));
    let created = value(call(&report, "facts", &json!(null)));
    assert_eq!((created["created"].clone(), created["stopped"].clone()), (json!(1), json!(null)));
    let rows = json!({ "objects": [{ "Email": "new@example.org", "Division": "Mars" }, { "Email": "x@y.example" }] });
    let plan = json!({ "panelId": panel, "key": "Email", "rows": rows });
    let plan = held(call(&client, "plan_update", &plan));
    let said = value(call(&plan, "facts", &json!(null)));
    assert_eq!(
        (&said["members"], &said["skipped"]),
        (&json!(1), &json!([{ "row": 1, "line": null, "reason": "unknown" }]))
    );
    assert_eq!(value(call(&held(call(&plan, "changes", &json!(null))), "length", &json!(null))), 1);
    let report = value(call(&plan, "apply", &json!(null)));
    assert_eq!(report["applied"].as_array().map(Vec::len), Some(1));
    let list = operations::find::<Plain>("read_member_list").unwrap();
    let pages = list.pages(client.client().unwrap(), &json!({ "panelId": panel })).unwrap();
    let table = held(call(&pages.into(), "table", &json!("wire")));
    assert_eq!(value(call(&table, "length", &json!(null))), 201);
    let columns = value(call(&table, "columns", &json!(null)));
    assert!(columns.as_array().unwrap().contains(&json!("createdAt")), "{columns}");
    let none = call(&client, "create_members_from", &json!({ "panelId": panel }));
    assert!(none.err().unwrap().to_string().contains("no rows"));
}

#[test]
fn an_archive_tells_the_watch_how_far_it_is() {
    let (_sandbox, facts, client) = demo();
    let folder = std::env::temp_dir().join(format!("sondage-ffi-archive-{}", std::process::id()));
    let watch = held(make("watch", &json!(null)));
    let args =
        json!({ "surveyId": facts["feedback_survey_id"], "folder": folder.to_str(), "maxConcurrency": 8 });
    let report = value(done(client.call(Call {
        method: "archive_answers",
        args: &args,
        with: Attachment::Handle(&watch),
    })));
    assert_eq!(report["progress"], value(call(&watch, "now", &json!(null))));
    assert_eq!(report["progress"]["stored"], report["progress"]["interviews"]);
    std::fs::remove_dir_all(folder).unwrap();
}
