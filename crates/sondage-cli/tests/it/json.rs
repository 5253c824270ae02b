//! `--json` of each command, its errors, and an example in each help text.

use crate::support::command;
use serde_json::Value;
use sondage::model::CreatePanelRequest;
use sondage_sandbox::{EffectKind, Fault, Sandbox};
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of the test's own.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The output lines of a successful command, each an object.
fn lines(sandbox: &Sandbox, arguments: &[&str]) -> Vec<Value> {
    let done = command(sandbox, arguments).arg("--json").output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    let lines: Vec<Value> =
        done.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(of_json).collect();
    assert!(!lines.is_empty() && lines.iter().all(Value::is_object), "{arguments:?}: {lines:?}");
    lines
}

fn of_json(line: &[u8]) -> Value {
    serde_json::from_slice(line).unwrap_or_else(|why| panic!("{why}: {}", String::from_utf8_lossy(line)))
}

#[test]
fn each_command_writes_its_result_as_json() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = Folder::new("json");
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    let (survey, panel) = (sandbox.survey_id().to_string(), sandbox.panel_id().to_string());

    assert!(lines(&sandbox, &["surveys"]).iter().all(|survey| survey["id"].is_i64()));
    assert!(lines(&sandbox, &["panel", &panel]).iter().any(|field| field["name"] == "Email"));
    assert_eq!(lines(&sandbox, &["members", &panel]).len(), 200);
    assert_eq!(lines(&sandbox, &["doctor"])[0]["healthy"], true);
    assert_eq!(lines(&sandbox, &["budget"])[0]["tenant"], sandbox.tenant());
    assert_eq!(lines(&sandbox, &["call", "--list"]).len(), sondage::operations::ALL.len());
    let called = lines(&sandbox, &["call", "ReadPanel", &format!("{{\"panelId\": {panel}}}")]);
    assert!(called[0]["panel"]["groups"].is_array());

    let file = path("answers.csv");
    let exported = &lines(&sandbox, &["export", &survey, &file, "--fields", "Id"])[0];
    assert_eq!((&exported["rows"], &exported["path"]), (&Value::from(944), &Value::from(file)));
    assert_eq!(exported["size"], fs::metadata(path("answers.csv")).unwrap().len());

    let rows = path("people.csv");
    fs::write(&rows, "Email,Language\na@acme.example,de\nb@acme.example,de\n").unwrap();
    let journal = path("import.journal");
    let imported = &lines(&sandbox, &["import", &panel, &rows, "--key", "Email", "--journal", &journal])[0];
    assert_eq!((&imported["created"], &imported["complete"]), (&Value::from(2), &Value::from(true)));
    assert_eq!(imported["stopped"], Value::Null);

    let template = sandbox.message_template_id().to_string();
    let sent_in = path("invite.journal");
    let invite =
        ["invite", &survey, &panel, "--template", &template, "--where", "Language=de", "--journal", &sent_in];
    let plan = &lines(&sandbox, &invite)[0];
    let (token, count) = (plan["token"].as_str().unwrap(), plan["count"].as_u64().unwrap());
    assert!(count > 0 && plan["cost"]["calls"].is_u64(), "{plan}");
    assert_eq!(sandbox.ledger().count("*", EffectKind::MessagesSent), 0);
    let report = &lines(&sandbox, &[&invite[..], &["--yes", token]].concat())[0];
    assert_eq!(report["done"], count, "{report}");
    assert_eq!(sandbox.ledger().count("*", EffectKind::MessagesSent), count);
    let shown = &lines(&sandbox, &["journal", "show", &sent_in])[0];
    assert_eq!(shown["ended"], true, "{shown}");

    let person =
        ["person", "export", "--panel", &panel, "--value", "a@acme.example", "--folder", &path("person")];
    assert!(lines(&sandbox, &person)[0]["sources"].is_array());
    let erase = ["person", "erase", "--panel", &panel, "--value", "a@acme.example"];
    assert!(lines(&sandbox, &erase)[0]["token"].is_string());

    let hook = path("hook.json");
    fs::write(&hook, r#"{"strategy": {"strategy": "basic", "user": "u", "password": "correct horse"}}"#)
        .unwrap();
    let ensure = ["webhooks", "ensure", "http://127.0.0.1:9/hook", "InterviewComplete", "--hook", &hook];
    let ensured = &lines(&sandbox, &[&ensure[..], &["--state", &path("hook.state")]].concat())[0];
    assert_eq!(ensured["outcome"], "created");
}

#[test]
fn an_error_is_json_that_reconcile_reads() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let failed = |arguments: &[&str]| -> (Output, Value) {
        let done = command(&sandbox, arguments).arg("--json").output().unwrap();
        assert!(!done.status.success() && done.stdout.is_empty(), "{arguments:?}");
        let told = of_json(&done.stderr);
        (done, told)
    };
    let (_, missing) = failed(&["panel", "77"]);
    assert_eq!(missing["operation"], "ReadPanel");
    assert!(missing["code"].is_string() && missing["hint"].is_string(), "{missing}");
    let (_, own) = failed(&["call", "DeletePanel", "{\"panelId\": 1, \"keepInterviews\": true}"]);
    assert_eq!(own["code"], "Command");
    let (done, _) = failed(&["completions", "bash"]);
    assert_eq!(done.status.code(), Some(2));

    // The error of one command is the input of another one.
    sandbox.fault(Fault::on("CreatePanel").cut_after_effect());
    let request = CreatePanelRequest::new(sandbox.workspace_id(), "Once", "Basic");
    let request = &serde_json::to_string(&request).unwrap();
    let (_, unknown) = failed(&["call", "CreatePanel", request, "--yes"]);
    assert_eq!(unknown["code"], "OutcomeUnknown", "{unknown}");
    let folder = Folder::new("json-error");
    fs::write(folder.0.join("request.json"), request).unwrap();
    let asked = ["reconcile", "--error", "-", "--request", "request.json", "--sent", "2026-01-01T00:00:00Z"];
    let mut child = command(&sandbox, &asked)
        .args(["--json", "--wait", "0"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(unknown.to_string().as_bytes()).unwrap();
    let told = child.wait_with_output().unwrap();
    assert_eq!(told.status.code(), Some(4), "{}", String::from_utf8_lossy(&told.stderr));
    assert_eq!(of_json(&told.stdout)["verdict"], "still_unknown");
}

/// The names of a command's subcommands, from its help.
fn below(path: &[String]) -> (Vec<String>, String) {
    let help = Command::new(env!("CARGO_BIN_EXE_sondage")).args(path).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    // The command itself has several groups of them.
    let listed = help.split_once("\n\n").map_or("", |(_, rest)| rest);
    let listed = listed.split("\nOptions:\n").next().unwrap_or_default();
    let names = listed.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter(|line| !line.trim_start().starts_with(['<', '[', '-']));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    (names.map(str::to_owned).collect(), help)
}

#[test]
fn each_help_text_has_an_example() {
    let (mut open, mut without, mut seen) = (vec![Vec::new()], BTreeSet::new(), 0);
    while let Some(path) = open.pop() {
        let (names, help) = below(&path);
        seen += 1;
        if !help.contains("Example") {
            without.insert(path.join(" "));
        }
        open.extend(names.into_iter().map(|name| [path.clone(), vec![name]].concat()));
    }
    assert!(seen > 20, "{seen} commands");
    // The documentation page of the command has a row for each.
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/command.md")).unwrap();
    let rows: String = page.lines().filter(|line| line.starts_with("| `sondage ")).collect();
    for name in below(&[]).0 {
        let has = [format!("`sondage {name}`"), format!(" `{name}`")]
            .iter()
            .any(|form| rows.contains(form.as_str()));
        assert!(has, "docs/command.md has no row for `sondage {name}`");
    }
    assert_eq!(without, BTreeSet::new());
}
