//! `sondage call` as a program: any operation with JSON; an operation that changes something needs an option.

use crate::support::command;
use serde_json::Value;
use sondage::model::{CreateMembersRequest, NewMember};
use sondage_sandbox::Sandbox;
use std::io::Write as _;
use std::process::{Output, Stdio};

fn sondage(sandbox: &Sandbox, arguments: &[&str], input: &str) -> Output {
    let mut child = command(sandbox, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A command that does not read its input may have ended already.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_read_takes_json_and_gives_json() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let request = format!("{{\"panelId\": {}}}", sandbox.panel_id());
    for (arguments, input) in
        [(["call", "ReadPanel", request.as_str()], ""), (["call", "ReadPanel", "-"], request.as_str())]
    {
        let output = sondage(&sandbox, &arguments, input);
        assert!(output.status.success(), "{output:?}");
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(answer["panel"]["groups"][0]["fields"][0]["name"], "Email", "{answer}");
    }
    assert_eq!(sandbox.ledger().requests("ReadPanel").len(), 2);
}

#[test]
fn what_changes_something_has_to_be_confirmed() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let member = NewMember::of([("Email", "ada@example.com")]);
    let request = serde_json::to_string(&CreateMembersRequest::new(sandbox.panel_id(), [member])).unwrap();
    let refused = said(&sondage(&sandbox, &["call", "CreateMembers", &request], ""));
    assert!(refused.contains("its effect: create") && refused.contains("--yes"), "{refused}");
    assert!(sandbox.ledger().requests("CreateMembers").is_empty());
    let output = sondage(&sandbox, &["call", "CreateMembers", &request, "--yes"], "");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(sandbox.ledger().requests("CreateMembers").len(), 1);
}

#[test]
fn slips_are_refused_before_anything_is_sent_and_show_no_value() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    for (arguments, words) in [
        (["call", "ReadPanle", "{}"], "ReadPanel"),
        (["call", "ReadPanel", "{\"panelld\": 1}"], "has no field `panelld`; it has tenant, panelId"),
        (["call", "ReadPanel", "{\"panelId\": \"ada@example.com\"}"], "the request does not fit"),
        (["call", "ReadPanel", "ada@example.com"], "is not a JSON object"),
        (["call", "ReadPanel", "@/nowhere/request.json"], "/nowhere/request.json cannot be read"),
    ] {
        let text = said(&sondage(&sandbox, &arguments, ""));
        assert!(text.contains(words) && !text.contains("ada@example.com"), "{text}");
    }
    assert!(sandbox.ledger().requests("ReadPanel").is_empty());
}

#[test]
fn everything_is_listed_completed_and_in_the_manual() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let text = |arguments: &[&str]| String::from_utf8(sondage(&sandbox, arguments, "").stdout).unwrap();
    let list = text(&["call", "--list"]);
    assert_eq!(list.lines().count(), sondage::operations::ALL.len());
    assert!(list.lines().any(|line| line.starts_with("InviteMembers ") && line.contains(" send ")), "{list}");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        assert!(text(&["completions", shell]).contains("reconcile"), "{shell}");
    }
    assert!(text(&["man"]).contains("sondage\\-reconcile"));
    let folder = std::env::temp_dir().join(format!("sondage-man-{}", std::process::id()));
    text(&["man", "--folder", folder.to_str().unwrap()]);
    let page = std::fs::read_to_string(folder.join("sondage-call.1")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(page.contains("Example: sondage call ReadPanel"), "{page}");
}
