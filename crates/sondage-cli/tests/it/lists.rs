//! `sondage surveys`, `templates`, `distributors`, `panel` and `members`: the complete contents of an account, for people and for
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

#[test]
fn templates_and_distributors_are_listed_by_those_who_need_their_ids() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let template = sandbox.message_template_id().to_string();
    let templates = text(&command(&sandbox, &["templates", "--language", "de"]).output().unwrap());
    let line = templates.lines().find(|line| line.starts_with(&template)).unwrap();
    assert_eq!(line.split('\t').collect::<Vec<_>>()[1..], ["en,de,fr", "Invitation", "Ihre Meinung zählt"]);

    let (survey, panel) = (sandbox.survey_id().to_string(), sandbox.panel_id().to_string());
    let distributors = ["distributors", "--survey", &survey, "--panel", &panel];
    assert_eq!(text(&command(&sandbox, &distributors).output().unwrap()), "");
    let invite = ["invite", &survey, &panel, "--template", &template, "--where", "Language = de", "--json"];
    let plan: serde_json::Value =
        serde_json::from_str(&text(&command(&sandbox, &invite).output().unwrap())).unwrap();
    let confirm = ["--confirm", plan["token"].as_str().unwrap()];
    text(&command(&sandbox, &invite).args(confirm).output().unwrap());
    let sent = text(&command(&sandbox, &distributors).output().unwrap());
    let cells: Vec<&str> = sent.trim_end().split('\t').collect();
    assert!(cells.len() == 7 && cells[1] == "Email" && cells[3] == survey && cells[4] == panel, "{sent}");
}

#[test]
fn a_limit_ends_a_list_and_its_calls() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let panel = sandbox.panel_id().to_string();
    let calls = || sandbox.ledger().requests("ReadMemberList").len();
    let some = text(&command(&sandbox, &["members", &panel, "--limit", "3"]).output().unwrap());
    assert_eq!((some.lines().count(), calls()), (4, 1));
    let surveys = text(&command(&sandbox, &["surveys", "--limit", "1", "--json"]).output().unwrap());
    assert_eq!(surveys.lines().count(), 1);
}

#[test]
fn a_filter_is_written_as_text() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let panel = sandbox.panel_id().to_string();
    let count = |filters: &[&str]| {
        let fields = ["members", &panel, "--fields", "Language,Division"];
        text(&command(&sandbox, &fields).args(filters).output().unwrap()).lines().skip(1).count()
    };
    let one = |language: &str| count(&["--where", &format!("Language={language}")]);
    let both = count(&["--where", "Language in [de, fr]"]);
    assert!(one("de") > 0 && one("fr") > 0 && both == one("de") + one("fr"));
    let (empty, not_empty) =
        (count(&["--where", "Division is empty"]), count(&["--where", "Division is not empty"]));
    assert!(empty > 0 && not_empty > 0 && empty + not_empty == 200);
    assert_eq!(
        count(&["--where", "Division is empty", "--where", "Language in [de, fr]"]),
        count(&["--where", "Language in [de, fr] and not Division is not empty"])
    );
}
