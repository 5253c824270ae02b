//! `sondage survey`, `codebook` and `field-report`, and an export to standard output.

use crate::support::command;
use sondage_sandbox::Sandbox;

fn text(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let output = command(sandbox, arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_columns_of_a_survey_are_listed_with_one_call() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.survey_id().to_string();
    let columns = text(&sandbox, &["survey", &survey]);
    let calls = sandbox.ledger().requests("ReadInterviewListCompact").len();
    assert_eq!(calls, 1);
    let vote = columns.lines().find(|line| line.starts_with("vote\t")).unwrap_or_else(|| panic!("{columns}"));
    assert!(vote.contains("Clinton") && vote.contains("Dole"), "{vote}");
    assert!(!columns.lines().any(|line| line.starts_with("State\t")), "{columns}");
    let all = text(&sandbox, &["survey", &survey, "--all", "--json"]);
    let names: Vec<String> = all
        .lines()
        .map(|line| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["name"].as_str().unwrap().to_owned()
        })
        .collect();
    assert!(names.iter().any(|name| name == "State") && names.len() > columns.lines().count());
}

#[test]
fn a_codebook_is_a_file_or_markdown_on_standard_output() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.survey_id().to_string();
    let markdown = text(&sandbox, &["codebook", &survey]);
    assert!(markdown.contains("### vote") && !markdown.contains("| n |"), "{markdown}");
    let folder = std::env::temp_dir().join(format!("sondage-codebook-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("codebook.html");
    let path = file.to_str().unwrap();
    text(&sandbox, &["codebook", &survey, path, "--frequencies", "--where", "vote = 1"]);
    let page = std::fs::read_to_string(&file).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("393 of 393 rows"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn fields_and_columns_are_declared_as_types() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (panel, survey) = (sandbox.panel_id().to_string(), sandbox.survey_id().to_string());
    let given = ["types", "--panel", &panel, "--survey", &survey];
    let typescript = text(&sandbox, &given);
    for line in [
        format!("export type Panel{panel}Fields = {{"),
        "  \"Email\": string | null;".to_owned(),
        format!("export type Survey{survey}Row = {{"),
        "  // 0: Clinton".to_owned(),
        "  // 2: Männlich".to_owned(),
        "  \"vote\": number | bigint | null;".to_owned(),
    ] {
        assert!(typescript.lines().any(|known| known == line), "{line} in {typescript}");
    }
    for operation in ["ReadPanel", "ReadInterviewListCompact"] {
        assert_eq!(sandbox.ledger().requests(operation).len(), 1, "{operation}");
    }
    let python = text(&sandbox, &[&given[..], &["--python"]].concat());
    assert!(python.contains(&format!("Survey{survey}Row = TypedDict(\"Survey{survey}Row\", {{")), "{python}");
    assert!(python.contains("  \"vote\": int | None,\n"), "{python}");

    let output = command(&sandbox, &["types"]).output().unwrap();
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && why.contains("--panel ID"), "{why}");
}

#[test]
fn a_field_report_counts_those_who_were_invited() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let report = text(&sandbox, &["field-report", &sandbox.survey_id().to_string(), "--json"]);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!((&report["cases"], &report["rr1"]), (&0.into(), &serde_json::Value::Null));
}

#[test]
fn an_export_to_standard_output_is_complete_and_leaves_nothing() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.survey_id().to_string();
    let csv =
        text(&sandbox, &["export", &survey, "-", "--fields", "vote,age", "--where", "vote = 1 and age > 60"]);
    assert_eq!(csv.lines().next(), Some("vote,age"));
    for line in csv.lines().skip(1) {
        let (vote, age) = line.split_once(',').unwrap();
        assert!(vote == "1" && age.parse::<i64>().unwrap() > 60, "{line}");
    }
    assert!(csv.lines().count() > 10);
    let lines = text(
        &sandbox,
        &["export", &survey, "-", "--format", "jsonl", "--fields", "vote", "--labels", "labels"],
    );
    assert_eq!(lines.lines().count(), 944);
    assert!(
        lines
            .lines()
            .all(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["vote"].is_string())
    );
}
