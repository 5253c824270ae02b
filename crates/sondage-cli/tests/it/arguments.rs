//! Wrong arguments, and settings: each is refused before anything is sent, with words that the command can follow.

use sondage_sandbox::Sandbox;
use std::process::{Command, Output, Stdio};

fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url())
        .env("SONDAGE_TENANT", sandbox.tenant())
        .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret());
    command
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Each argument of each command that can be wrong, with a word of the answer.
const WRONG: [(&str, &str); 56] = [
    ("surveys --workspace x", "number"),
    ("panel abc", "number of an object"),
    ("members abc", "number of an object"),
    ("members 1002 --where Division", "a comparison"),
    ("members 1002 --limit 0", "1 or more"),
    ("survey x", "number of an object"),
    ("codebook 1004 codebook.pdf", ".html or .md"),
    ("codebook 1004 --where vote=1", "--frequencies"),
    ("codebook 1004 --weight weight", "--frequencies"),
    ("templates --language deutsch", "2"),
    ("distributors", "--survey"),
    ("export 1004 - --format ods", "csv"),
    ("export 1004 - --json", "--json"),
    ("export 1004 - --anew", "standard output"),
    ("export 1004 - --where vote", "a comparison"),
    ("export x a.csv", "number of an object"),
    ("export 7 a.ods", ".csv"),
    ("export 7 a.csv --state Complete", "Completed"),
    ("export 7 a.csv --labels label", "labels"),
    ("export 7 a.csv --page-size 0", "1 or more"),
    ("archive x folder", "number of an object"),
    ("archive 7 folder --max-concurrency 0", "1 or more"),
    ("import x people.csv --key Email", "number of an object"),
    ("import 1002 people.csv", "--key"),
    ("import 1002 no-such-file.csv --key Email", "no-such-file.csv"),
    ("import 1002 people.csv --key Email --existing replace", "update"),
    ("import 1002 people.csv --key Email --chunk-size 0", "1 or more"),
    ("import 1002 people.csv --key Email --quiet -1", "0 or more"),
    ("import 1002 people.csv --key Email --report a.txt", ".parquet or .jsonl"),
    ("invite x 1002 --template 1006", "number of an object"),
    ("invite 1004 1002", "--template"),
    ("invite 1004 1002 --template x", "number of an object"),
    ("invite 1004 1002 --template 1006 --channel Fax", "WhatsApp"),
    ("invite 1004 1002 --template 1006 --cap 0", "1 or more"),
    ("invite 1004 1002 --template 1006 --pause-days x", "invalid"),
    ("invite 1004 1002 --template 1006 --text-block x", "GUID:LANGUAGE=TEXT"),
    ("invite 1004 1002 --template 1006 --workspace x", "number of an object"),
    ("invite 1004 1002 --template 1006 --text-block a:de=x --text-block a:de=y", "two texts"),
    ("create-and-invite 1004 1002 no-such-file.csv --key Email --template 1006", "no-such-file.csv"),
    ("create-and-invite 1004 1002 people.csv --key Email --template 1006 --channel Fax", "WhatsApp"),
    ("remind x --template 1006", "number of an object"),
    ("remind 1 --template 1006 --cap 0", "1 or more"),
    ("person export --panel x --value a", "invalid"),
    ("person export --panel 1002", "standard input"),
    ("person erase --panel 1002 --value a --confirm token", "--receipt"),
    ("reconcile --request r.json --sent 2026-05-01T14:30:00Z", "--operation"),
    ("reconcile --operation Nope --request r.json --sent 2026-05-01T14:30:00Z", "invalid value"),
    ("reconcile --operation CreatePanel --request r.json --sent yesterday", "--sent"),
    ("reconcile --operation CreatePanel --request no-such.json --sent 2026-05-01T14:30:00Z", "no-such.json"),
    ("journal show no-such-file.journal", "no-such-file.journal"),
    ("webhooks ensure https://acme.example/hooks Complete", "InterviewComplete"),
    ("webhooks ensure https://acme.example/hooks InterviewComplete", "--hook"),
    ("call ReadPanels", "ReadPanel"),
    ("call ReadPanel {panelId:1002}", "not a JSON object"),
    ("call ReadPanel {\"panel\":1002}", "has no field"),
    ("call DeletePanel {\"panelId\":1002,\"keepInterviews\":true}", "--yes"),
];

#[test]
fn each_wrong_argument_has_the_exit_code_of_wrong_arguments() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    for (line, word) in WRONG {
        let arguments: Vec<&str> = line.split(' ').collect();
        let done = command(&sandbox, &arguments).output().unwrap();
        let told = said(&done);
        assert!(done.status.code() == Some(2) && told.contains(word), "{line}: {:?} {told}", done.status);
    }
    assert!(sandbox.ledger().requests("*").is_empty(), "nothing was sent");
}

#[test]
fn shells_know_the_words_of_arguments() {
    let output = Command::new(env!("CARGO_BIN_EXE_sondage")).args(["completions", "bash"]).output().unwrap();
    let script = String::from_utf8(output.stdout).unwrap();
    for words in
        ["NotResponded InProgress Completed Screenout Quotafull", "Email Sms WhatsApp", "SurveyClosed"]
    {
        assert!(script.contains(words), "{words}");
    }
}

/// What an error advises can be done with the command.
#[test]
fn advice_names_what_the_command_has() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (panel, template) = (sandbox.panel_id().to_string(), sandbox.message_template_id().to_string());
    let survey =
        said(&command(&sandbox, &["invite", "9999", &panel, "--template", &template]).output().unwrap());
    assert!(survey.contains("give `--workspace`"), "{survey}");
    let mut settings = command(&sandbox, &["surveys"]);
    let settings = said(&settings.env("SONDAGE_DEADLINE", "soon").output().unwrap());
    assert!(!settings.contains("config.explain()"), "{settings}");
    let refused =
        command(&sandbox, &["person", "export", "--panel", &panel, "--value", " "]).output().unwrap();
    let refused = said(&refused);
    assert!(refused.contains("`--value` is empty") && !refused.contains("erased"), "{refused}");
}

/// The cost of a plan has seconds, as all durations have.
#[test]
fn durations_are_in_seconds() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let ids =
        [sandbox.survey_id(), sandbox.panel_id(), sandbox.message_template_id()].map(|id| id.to_string());
    let invite = ["invite", &ids[0], &ids[1], "--template", &ids[2], "--json"];
    let plan = command(&sandbox, &invite).output().unwrap();
    let plan: serde_json::Value = serde_json::from_slice(&plan.stdout).unwrap();
    let cost = &plan["cost"];
    assert!(cost["seconds"].is_f64() && cost["calls"].is_u64() && cost.get("minutes").is_none(), "{cost}");
}

/// A misspelt variable would be ignored without a word.
#[test]
fn a_variable_that_is_no_setting_is_told() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let with = |arguments: &[&str]| {
        let mut command = command(&sandbox, arguments);
        command.env("SONDAGE_DEADLIN", "3 s").env("SONDAGE_WEBHOOK", "{}").output().unwrap()
    };
    let told = said(&with(&["surveys"]));
    let line = "note: SONDAGE_DEADLIN is set, but there is no such setting: did you mean SONDAGE_DEADLINE?";
    assert_eq!(told.lines().filter(|told| *told == line).count(), 1, "{told}");
    assert!(!told.contains("WEBHOOK"), "{told}");
    let doctor = with(&["doctor"]);
    let text = String::from_utf8_lossy(&doctor.stdout).into_owned();
    assert!(doctor.status.code() == Some(1) && text.contains("did you mean SONDAGE_DEADLINE?"), "{text}");
}
