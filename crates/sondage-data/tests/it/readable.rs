//! Halves of characters and byte order marks: every reader replaces the first by U+FFFD and skips the second.

use crate::support::service::{client, wait};
use crate::support::{page_in_pieces, texts, values, warnings};
use indexmap::IndexMap;
use serde_json::{Value, json};
use sondage::config::{ClientBuilder, Environment};
use sondage::internals::readable::Readable;
use sondage::model::{
    CreateMembersRequest, NewMember, ReadMemberListRequest, ReadPanelRequest, ReadWorkspaceListRequest,
};
use sondage::{Client, Effect, ErrorKind, Json, RawCall};
use sondage_data::{CodePlan, Page, PayloadLayout, TableBuilder, Tables};
use sondage_sandbox::{Fault, FaultAction, Sandbox};

/// Escapes with halves of characters, alone, reversed, and at each end of a text.
const HALVES: [&str; 7] =
    [r"\ud83d", r"\ude00", r"\ude00\ud83d", r"so\ud83d", r"\uD83Dso", r"\ud83d\n\ude00", r"\ud83d\\ude00"];

/// The text that readers show.
fn shown(half: &str) -> String {
    let json = format!("\"{half}\"");
    let text: String = serde_json::from_slice(&Readable::of(json.as_bytes()).text).expect("JSON");
    assert!(text.contains('\u{fffd}') && !text.contains("ud83d"));
    text
}

/// A response with 40 rows, in which one has this text.
fn response(form: PayloadLayout, text: &str, of: usize) -> String {
    let row = |row: usize| {
        let value = if row == of { text } else { "fine" };
        match form {
            PayloadLayout::Compact => format!(r#"{{"Id":"i-{row}","Q1":"{value}","Q2":{{"a":"{value}"}}}}"#),
            PayloadLayout::Structured => format!(
                r#"{{"columns":[{{"id":"Id","value":"i-{row}"}},{{"id":"Q1","value":"{value}"}},{{"id":"Q2","value":{{"a":"{value}"}}}}]}}"#
            ),
            PayloadLayout::Members => format!(
                r#"{{"id":{row},"fields":{{"Q1":{{"name":"Q1","fieldType":"String","value":"{value}"}},"Q2":{{"name":"Q2","fieldType":"String","value":{{"a":"{value}"}}}}}}}}"#
            ),
        }
    };
    let rows: Vec<String> = (1..=40).map(row).collect();
    format!(r#"{{"{}":[{}],"isSuccess":true}}"#, form.rows_key(), rows.join(","))
}

fn table(form: PayloadLayout, page: Page) -> sondage_data::Table {
    let mut builder = TableBuilder::new(form);
    builder.append(page).expect("it fits");
    builder.finish().expect("a table")
}

#[test]
fn a_half_in_a_row_is_replaced_and_named_in_every_form_and_however_it_is_cut() {
    for form in [PayloadLayout::Compact, PayloadLayout::Structured, PayloadLayout::Members] {
        for half in HALVES {
            for of in [1, 30] {
                let response = response(form, half, of);
                let (text, name) =
                    (shown(half), if form == PayloadLayout::Members { "member" } else { "interview" });
                let id = if form == PayloadLayout::Members { of.to_string() } else { format!("i-{of}") };
                for sizes in [&[response.len()][..], &[1], &[7, 100]] {
                    let page = page_in_pieces(form, response.as_bytes(), sizes).expect("a page");
                    let table = table(form, page);
                    assert_eq!(values(&table, "Q1")[of - 1], text, "{response}");
                    let nested: Value = serde_json::from_str(&values(&table, "Q2")[of - 1]).expect("JSON");
                    assert_eq!(nested, json!({ "a": text }));
                    let said = warnings(&table);
                    assert_eq!(said.len(), 2, "{said:?}");
                    for (warning, column) in said.iter().zip(["Q1", "Q2"]) {
                        assert!(warning.starts_with(&format!("column {column}: ")), "{warning}");
                        assert!(
                            warning.ends_with(&format!("replaced by U+FFFD: {name} `{id}`")),
                            "{warning}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_half_in_a_name_or_beside_the_rows_is_replaced_and_named() {
    let form = PayloadLayout::Compact;
    let rows = r#"{"interviews":[{"Id":1,"Q\ud83d":"x"},{"Id":2,"Q\ud83d":"y"}],"isSuccess":true}"#;
    let page = page_in_pieces(form, rows.as_bytes(), &[9]).expect("a page");
    let named = table(form, page);
    assert_eq!(values(&named, "Q\u{fffd}"), ["x", "y"]);
    assert_eq!(
        warnings(&named),
        ["2 halves of characters (surrogates without their pair) were replaced by U+FFFD: in `1`, `2`"]
    );

    let plan = r#"[{"code":"Q1","question":"How\ud83d?","values":[{"id":"1","value":"\ude00 good"}]}]"#;
    let response = format!(
        r#"{{"surveyName":"Visit \ud83d","codePlan":{plan},"x\ud83d":1,"interviews":[{{"Id":1,"Q1":1}}],"isSuccess":true}}"#
    );
    let page = page_in_pieces(form, response.as_bytes(), &[13]).expect("a page");
    let labelled = table(form, page);
    assert_eq!(labelled.values("Q1").expect("a column").pairs()[0].1, "\u{fffd} good");
    assert_eq!(labelled.survey().name.as_deref(), Some("Visit \u{fffd}"));
    let said = warnings(&labelled);
    assert!(said.iter().any(|said| said.ends_with("in `surveyName`, `codePlan[0].question`")), "{said:?}");
    let (own, said) = CodePlan::from_json(plan).expect("a plan");
    assert_eq!(own.variables().next().expect("one").question.as_deref(), Some("How\u{fffd}?"));
    assert_eq!(said.len(), 1, "{said:?}");
}

#[test]
fn bytes_that_are_not_utf_8_are_an_error_wherever_they_are() {
    let half = [br"\ud83d".as_slice(), b"\xed\xb8\x80"].concat();
    for text in [half.as_slice(), b"\xed\xa0\xbd", b"M\xfcller"] {
        for response in [
            r#"{"interviews":[{"Id":1,"Q1":"@"}],"isSuccess":true}"#,
            r#"{"interviews":[{"Id":1,"@":1}],"isSuccess":true}"#,
            r#"{"interviews":[{"Id":1}],"isSuccess":true,"surveyName":"@"}"#,
            r#"{"interviews":[{"Id":1}],"isSuccess":true,"@":1}"#,
        ] {
            let mut bytes = response.as_bytes().to_vec();
            let at = bytes.iter().position(|byte| *byte == b'@').expect("a place");
            bytes.splice(at..=at, text.iter().copied());
            let error = page_in_pieces(PayloadLayout::Compact, &bytes, &[11]).expect_err(response);
            assert!(error.to_string().contains("bytes that are not UTF-8"), "{error}");
        }
    }
}

/// The next call of an operation gets this body.
fn answer(sandbox: &Sandbox, operation: &str, text: &str) {
    sandbox.fault(Fault::on(operation).action(FaultAction::Body { text: text.to_owned() }));
}

fn text_of(json: &Json, place: &str) -> String {
    let value: Value = json.read().expect("JSON");
    value.pointer(place).and_then(Value::as_str).expect("a text").to_owned()
}

/// What every reader makes of one text, by the name of the reader.
async fn read_everywhere(
    sandbox: &Sandbox,
    client: &Client,
    half: &str,
    mark: &str,
) -> Vec<(&'static str, String)> {
    let field = format!(r#"{{"Email":{{"name":"Email","fieldType":"String","value":"{half}"}}}}"#);
    let member = format!(r#"{{"id":1,"createdAt":"2024-05-01T12:00:00Z","fields":{field},"interviews":[]}}"#);
    let success =
        format!(r#"{mark}{{"isSuccess":true,"member":{member},"members":[{member}],"totalCount":1}}"#);
    let refusal = format!(r#"{mark}{{"isSuccess":false,"errorCode":"Odd","errorMessage":"{half}"}}"#);
    let mut read = Vec::new();

    let everything = Fault::on("ReadMemberList").every().action(FaultAction::Body { text: success });
    let fault = sandbox.fault(everything);
    let typed = client.read_member_list(ReadMemberListRequest::new(sandbox.panel_id())).await.expect("typed");
    read.push(("typed", typed.members[0].text("Email").expect("a text").to_owned()));
    let body = Json::of(&json!({"tenant": sandbox.tenant(), "panelId": sandbox.panel_id()})).expect("JSON");
    let call = RawCall::new("/publicapi/Panel/v3/ReadMemberList", body, Effect::Read);
    let raw = client.raw(call).await.expect("raw").value;
    assert!(raw.as_str().starts_with('{'), "no mark");
    read.push(("raw", text_of(&raw, "/members/0/fields/Email/value")));
    let members = client.members(sandbox.panel_id());
    let members = client.member_table(members).with_definition(None).table().await.expect("members");
    read.push(("members", values(&members, "Email")[0].clone()));
    fault.remove();

    let rows =
        format!(r#"{mark}{{"isSuccess":true,"interviews":[{{"Id":"1","Q1":"{half}"}}],"totalCount":1}}"#);
    answer(sandbox, "ReadInterviewListCompact", &rows);
    let query = client.interviews(sandbox.survey_id()).without_code_plan();
    let (table, _) = query.page(1, 10).await.expect("interviews");
    read.push(("interviews", texts(&table, "Q1")[0].clone().expect("a text")));

    for (name, status) in [("refusal", 200), ("refusal with a status", 400)] {
        let action = if status == 200 {
            FaultAction::Body { text: refusal.clone() }
        } else {
            FaultAction::Status { status, headers: [].into(), body: Some(refusal.clone()) }
        };
        sandbox.fault(Fault::on("ReadPanel").action(action));
        let error = client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).await.expect_err(name);
        assert_eq!(error.error_code(), Some("Odd"), "{error}");
        read.push((name, error.error_message().expect("a message").to_owned()));
    }
    read
}

#[test]
fn every_reader_shows_the_same_text() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    for half in [r"so\ud83d", r"\ude00so", r"a\ude00\ud83db", r"\u00fc"] {
        for mark in ["", "\u{feff}"] {
            let expected = if half.contains("00fc") { "ü".to_owned() } else { shown(half) };
            let service = client(&sandbox, 1000);
            let (sandbox, half) = (&sandbox, half);
            let read = sondage::internals::runtime::handle()
                .block_on(read_everywhere(sandbox, &service, half, mark));
            for (reader, text) in read {
                assert_eq!(text, expected, "{reader} of {half:?}");
            }
        }
    }
}

#[test]
fn a_byte_order_mark_changes_no_outcome() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let service = client(&sandbox, 100);
    // A token, and a creation, which would have an unknown outcome if its response could not be read.
    answer(
        &sandbox,
        "token",
        "\u{feff}{\"access_token\":\"abc\",\"token_type\":\"Bearer\",\"expires_in\":1800}",
    );
    answer(
        &sandbox,
        "CreateMembers",
        "\u{feff}{\"isSuccess\":true,\"membersIds\":[7],\"validationIssues\":[]}",
    );
    let panel = sandbox.panel_id();
    let made = wait(async move {
        service.create_members(CreateMembersRequest::new(panel, vec![NewMember::new(IndexMap::new())])).await
    });
    assert_eq!(made.expect("created").members_ids, [Some(7)]);

    let refused = "\u{feff}{\"error\":\"invalid_client\",\"error_description\":\"no\\ud83d\"}".to_owned();
    let headers = [("content-type".to_owned(), "application/json".to_owned())].into();
    sandbox.fault(Fault::on("token").action(FaultAction::Status {
        status: 400,
        headers,
        body: Some(refused),
    }));
    let service = client(&sandbox, 100);
    let error =
        wait(async move { service.read_panel(ReadPanelRequest::new(panel)).await }).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::Authentication, "{error}");
    assert!(
        error.to_string().contains("invalid_client") && error.to_string().contains('\u{fffd}'),
        "{error}"
    );
}

/// A recording holds what readers see, and a replay reads a recording that an editor has saved with a mark.
#[test]
fn recordings_are_read_in_the_same_way() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("readable.jsonl");
    let _ = std::fs::remove_file(&path);
    let settings =
        |builder: ClientBuilder| builder.environment(Environment::empty()).build().expect("a client");
    let recording = settings(
        ClientBuilder::new()
            .tenant(sandbox.tenant())
            .base_url(sandbox.base_url())
            .auth_url(sandbox.auth_url())
            .client_secret(sandbox.client_secret())
            .record(&path),
    );
    let text = r#"{"isSuccess":true,"workspaces":[{"id":3,"name":"a\ud83d"}],"totalCount":1}"#;
    answer(&sandbox, "ReadWorkspaceList", text);
    let list = |client: Client| {
        wait(async move { client.read_workspace_list(ReadWorkspaceListRequest::new()).await })
    };
    assert_eq!(list(recording).expect("recorded").workspaces[0].name.as_deref(), Some("a\u{fffd}"));
    let recorded = std::fs::read_to_string(&path).expect("a recording");
    assert!(recorded.contains("workspaces") && !recorded.contains("ud83d"), "{recorded}");
    std::fs::write(&path, format!("\u{feff}{recorded}")).expect("written");
    let replay = settings(ClientBuilder::new().replay(&path));
    assert_eq!(list(replay).expect("replayed").workspaces.len(), 1);
}

/// Errors name operation and field in the API's words, not in those of the program.
#[test]
fn an_error_names_operation_and_field_and_no_type_of_the_program() {
    let sandbox = Sandbox::demo_blocking().expect("a sandbox");
    let panel = sandbox.panel_id();
    for (operation, text) in [
        ("ReadPanel", r#"{"isSuccess":true}"#),
        ("ReadPanel", r#"{"isSuccess":true,"panel":null}"#),
        ("ReadPanel", r#"{"isSuccess":true,"panel":[7]}"#),
        ("ReadPanel", r#"{"isSuccess":true,"panel":{"id":"x","groups":7}}"#),
        ("ReadMemberList", r#"{"isSuccess":true,"members":{"x":7}}"#),
        ("ReadMemberList", r#"{"isSuccess":true,"members":[7]}"#),
        ("ReadMemberList", r#"{"isSuccess":true,"members":[{"id":1,"fields":7}]}"#),
        ("ReadMemberList", r#"{"isSuccess":7,"members":[]}"#),
    ] {
        let body = FaultAction::Body { text: text.to_owned() };
        let fault = sandbox.fault(Fault::on(operation).every().action(body));
        let service = client(&sandbox, 1000);
        let query = service.member_table(service.members(panel)).with_definition(None);
        let said = wait(async move { query.table().await }).expect_err(text).to_string();
        fault.remove();
        assert!(said.contains(operation), "{said}");
        for word in ["struct", "Wire", "at line", "invalid type"] {
            assert!(!said.contains(word), "{word}: {said}");
        }
    }
    let said = CodePlan::from_panel_json("null", None).expect_err("null").to_string();
    assert!(said.contains("the definition of a panel"), "{said}");
}
