//! The conformance cases of `tests/cases`, run by the Rust client. They are data, shared by all languages.

use crate::support;
use crate::support::call::call;
use crate::support::recorder::Recorder;
use serde_json::{Map, Value, json};
use sondage::operations;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The cases that every operation needs.
const EVERY_OPERATION: [&str; 5] = [
    "every field is set",
    "a minimal call and a minimal answer",
    "the service refuses",
    "unknown fields are kept",
    "unknown enumeration values are kept",
];

fn cases() -> Vec<(PathBuf, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut found = Vec::new();
    for area in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(area.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.ends_with("web_hook/vectors.json") {
                continue; // not calls, but incoming requests: see web_hook_vectors.rs
            }
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((
                path.clone(),
                serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())),
            ));
        }
    }
    found
}

#[test]
fn every_operation_has_its_cases_in_its_place() {
    let mut missing: BTreeSet<String> = BTreeSet::new();
    for row in operations::ALL.iter().filter(|row| row.effect != sondage::Effect::Token) {
        missing.extend(EVERY_OPERATION.iter().map(|name| format!("{}/{}: {name}", row.area, row.method)));
    }
    for (path, file) in cases() {
        let place = path.with_extension("");
        let parts: Vec<_> = place.iter().rev().take(2).map(|part| part.to_str().unwrap()).collect();
        for case in file["cases"].as_array().unwrap() {
            missing.remove(&format!("{}/{}: {}", parts[1], parts[0], case["name"].as_str().unwrap()));
        }
    }
    assert!(missing.is_empty(), "cases are missing: {missing:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_case_holds() {
    let (mut passed, mut failures) = (0, Vec::new());
    for (path, file) in cases() {
        let operation = file["operation"].as_str().unwrap();
        for case in file["cases"].as_array().unwrap() {
            match run(operation, case).await {
                Ok(()) => passed += 1,
                Err(why) => failures.push(format!("{}: {}: {why}", path.display(), case["name"])),
            }
        }
    }
    println!("rust: {passed} cases");
    assert!(
        failures.is_empty(),
        "{} of {} cases failed:\n{}",
        failures.len(),
        passed + failures.len(),
        failures.join("\n")
    );
}

async fn run(operation: &str, case: &Value) -> Result<(), String> {
    let service = Recorder::answering(&case["answer"]);
    let client = support::client(&service.address);
    let result = call(&client, operation, &case["call"]).await;
    let sent = service.last();
    // `null`: the call is refused before it is sent.
    if case.get("sent") == Some(&Value::Null) {
        same("requests", &sent, &Value::Null)?;
        return holds(result, case);
    }
    if let Some(expected) = case.get("sent") {
        same("path", &sent["path"], &expected["path"])?;
        let body: Value = serde_json::from_str(sent["body"].as_str().unwrap()).map_err(|e| e.to_string())?;
        if body != expected["body"] {
            return Err(format!("sent {body}, not {}", expected["body"]));
        }
    }
    same("content type", &sent["content-type"], &json!("application/json"))?;
    same("token", &sent["authorization"], &json!("Bearer a-token"))?;
    holds(result, case)
}

fn holds(result: Result<Value, sondage::Error>, case: &Value) -> Result<(), String> {
    match (result, case.get("result"), case.get("error")) {
        (Ok(value), Some(expected), _) => same("result", &bare(value), &bare(expected.clone())),
        (Err(error), _, Some(expected)) => {
            let found = json!({
                "kind": error.kind().as_str(), "errorCode": error.error_code(), "errorMessage": error.error_message(),
                "delivery": error.delivery().as_str(), "attempts": error.attempts(), "status": error.status(),
            });
            same("error", &bare(found), &bare(expected.clone()))
        }
        (Ok(value), None, _) => Err(format!("succeeded with {value}")),
        (Err(error), _, None) => Err(format!("failed: {error}")),
    }
}

fn same(what: &str, found: &Value, expected: &Value) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: found {found}, expected {expected}")) }
}

/// Without empty values: absent, null and an empty list are equivalent in a response.
fn bare(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let kept = map.into_iter().map(|(k, v)| (k, bare(v)));
            Value::Object(
                kept.filter(|(_, v)| !v.is_null() && *v != json!([]) && *v != json!({}))
                    .collect::<Map<_, _>>(),
            )
        }
        Value::Array(list) => Value::Array(list.into_iter().map(bare).collect()),
        other => other,
    }
}
