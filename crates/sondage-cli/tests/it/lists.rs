//! `sondage surveys`, `panel` and `members`: the complete contents of an account, for people and for
//! programs.

use crate::support::command;
use sondage_sandbox::Sandbox;
use std::io::Read as _;
use std::process::{Output, Stdio};

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn surveys_and_fields_are_listed() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let surveys = text(&command(&sandbox, &["surveys"]).output().unwrap());
    let first = sandbox.survey_id().to_string();
    let line = surveys.lines().find(|line| line.starts_with(&first)).unwrap_or_else(|| panic!("{surveys}"));
    let cells: Vec<_> = line.split('\t').collect();
    assert_eq!((cells.len(), cells[2]), (4, "944"), "{line}");
    let one = ["surveys", "--json", "--workspace", &sandbox.workspace_id().to_string()];
    let json = text(&command(&sandbox, &one).output().unwrap());
    for line in json.lines() {
        let survey: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(survey["id"].is_i64(), "{line}");
    }
    assert_eq!(json.lines().count(), surveys.lines().count());

    let fields = text(&command(&sandbox, &["panel", &sandbox.panel_id().to_string()]).output().unwrap());
    assert!(fields.lines().any(|line| line.starts_with("Email\t")), "{fields}");
}

#[test]
fn members_are_complete_and_read_as_far_as_somebody_listens() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let panel = sandbox.panel_id().to_string();
    let all = text(&command(&sandbox, &["members", &panel, "--fields", "Email,Language"]).output().unwrap());
    assert_eq!(all.lines().next(), Some("id\tEmail\tLanguage"));
    assert_eq!(all.lines().count(), 201);
    let german = ["members", &panel, "--where", "Language=de", "--json"];
    let german = text(&command(&sandbox, &german).output().unwrap());
    let of_all = all.lines().filter(|line| line.ends_with("\tde")).count();
    assert!(of_all > 0 && german.lines().count() == of_all, "{of_all}");
    assert!(
        german.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["id"].is_i64())
    );

    let mut child = command(&sandbox, &["members", &panel])
        .env("SONDAGE_PAGE_SIZE", "5")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut some = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut some).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{}", String::from_utf8_lossy(&ended.stderr));
}
