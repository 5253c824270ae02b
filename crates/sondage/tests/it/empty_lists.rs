//! An empty list that selects people is never sent, and neither is a call that would write nothing.

use crate::support;
use crate::support::call::call;
use crate::support::recorder::Recorder;
use serde_json::{Value, json};
use sondage::internals::schema::{Role, Type};
use sondage::model::DeleteMembersRequest;
use sondage::operations::{self, CreateMembers, UpdateMembers};
use sondage::{CallOptions, Effect, ErrorKind, Json, RawCall};
use std::path::Path;

/// Lists of additional data that select nobody: an empty one is harmless.
const PLAIN: [&str; 1] = ["text_blocks"];

fn is_list(ty: &Type) -> bool {
    match ty {
        Type::Optional(inner) => is_list(inner),
        Type::List(_) => true,
        _ => false,
    }
}

/// Every operation that sends, changes or deletes.
fn writes() -> impl Iterator<Item = &'static sondage::operation::OperationInfo> {
    operations::ALL.iter().copied().filter(|row| !matches!(row.effect, Effect::Read | Effect::Token))
}

#[test]
fn every_list_of_a_write_says_what_an_empty_one_means() {
    for row in writes() {
        for field in row.request.fields.iter().filter(|field| is_list(field.ty)) {
            let (name, decided) = (field.name, field.role != Role::Plain);
            assert!(
                decided || PLAIN.contains(&name),
                "{}: is an empty `{name}` refused? Mark it `#[wire(selects)]` or `#[wire(changes)]`, or name it here",
                row.name
            );
        }
    }
}

/// The smallest call in the cases, without the marked lists.
fn smallest(row: &sondage::operation::OperationInfo) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../tests/cases/{}/{}.json", row.area, row.method));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut smallest = file["cases"][1]["call"].clone();
    for field in row.request.fields.iter().filter(|field| field.role == Role::Changes) {
        smallest.as_object_mut().unwrap().remove(field.wire);
    }
    smallest
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_list_is_refused_before_anything_is_sent() {
    let service = Recorder::answering(&json!({"isSuccess": true}));
    let client = support::client(&service.address);
    let mut tried = 0;
    for row in writes() {
        for field in row.request.fields.iter().filter(|field| field.role != Role::Plain) {
            let mut request = smallest(row);
            request[field.wire] = json!([]);
            let error = call(&client, row.name, &request).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{} {}: {error}", row.name, field.name);
            assert_eq!(error.operation(), Some(row.name));
            assert!(error.what().contains(&format!("`{}`", field.name)), "{error}");
            if field.absent.is_some() {
                request[field.wire] = Value::Null;
                let body = Json::parse(request.to_string()).unwrap();
                let error = client.raw(RawCall::new(row.path, body, row.effect)).await.map(drop).unwrap_err();
                assert!(error.to_string().contains("leave it out if you mean everybody"), "{error}");
            }
            assert_eq!(service.last(), Value::Null, "{} {}", row.name, field.name);
            tried += 1;
        }
    }
    assert_eq!(tried, 12, "the role of a list was added or removed: document it in docs/spec-notes.md");
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_that_were_never_models_and_extra_fields_are_no_way_around() {
    let service = Recorder::answering(&json!({"isSuccess": true}));
    let client = support::client(&service.address);
    // A large body is not parsed unless it has an empty list: here it is after, before and between other lists and blanks.
    let long = "[1]".repeat(10_000);
    let large = |list: &str| format!(r#"{{"a":["{long}]"],"members":{list},"z":["]{long}"]}}"#);
    for empty in [r#"{"tenant":"acme","panelId":1,"members":[ ]}"#.to_owned(), large("[]"), large("[ \n\t]")]
    {
        let empty = empty.into_bytes();
        for error in [
            client.with_response_written::<CreateMembers>(empty.clone()).await.map(|_| ()).unwrap_err(),
            client.with_response_written::<UpdateMembers>(empty).await.map(|_| ()).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
            assert!(error.what().contains("is an empty list"), "{error}");
        }
    }
    for name in ["memberIds", "conditions"] {
        let with_extra = client.with(CallOptions::new().extra(name, serde_json::from_str("[]").unwrap()));
        let request = json!({"surveyId": 7, "panelId": 123, "messageTemplateId": 42});
        let error = call(&with_extra, "InviteMembers", &request).await.unwrap_err();
        assert!(error.what().contains("is an argument of this call"), "{error}");
    }
    assert_eq!(service.last(), Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_says_what_to_do() {
    let client = support::client("http://127.0.0.1:9");
    let request = json!({"surveyId": 7, "panelId": 123, "messageTemplateId": 42, "conditions": []});
    let error = call(&client, "InviteMembers", &request).await.unwrap_err();
    let text = error.to_string();
    for words in ["`conditions` is an empty list", "Nothing was changed", "if you mean everybody"] {
        assert!(text.contains(words), "{text}");
    }
    let request = DeleteMembersRequest::new(1, Vec::<i64>::new(), true);
    let text = client.delete_members(request).await.unwrap_err().to_string();
    assert!(text.contains("`panel_members_ids`") && !text.contains("everybody"), "{text}");
}
