//! `sondage export` as a program.

use sondage_sandbox::Sandbox;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn export(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command.arg("export").args(arguments);
    command.env("SONDAGE_BASE_URL", sandbox.base_url()).env("SONDAGE_AUTH_URL", sandbox.auth_url());
    command.env("SONDAGE_TENANT", sandbox.tenant()).env("SONDAGE_CLIENT_SECRET", sandbox.client_secret());
    command.output().unwrap()
}

#[test]
fn a_survey_becomes_a_file() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.survey_id().to_string();
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exported.csv");
    let _ = fs::remove_file(&path);
    let file = path.to_string_lossy();
    let done =
        export(&sandbox, &[&survey, &file, "--fields", "vote,age", "--labels", "both", "--page-size", "200"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(said.contains("944 interviews") && said.contains("5 calls"), "{said}");
    assert!(done.stderr.is_empty(), "no progress without a terminal");
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!((text.lines().next(), text.lines().count()), (Some("vote,vote_label,age"), 945));
    let done =
        export(&sandbox, &[&survey, &file, "--fields", "vote,age", "--spreadsheet", "--separator", "tab"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(fs::read_to_string(&path).unwrap().starts_with("\u{feff}vote\tage\r\n"));
}

#[test]
fn what_is_wrong_is_a_sentence() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let survey = sandbox.survey_id().to_string();
    for (file, word) in [
        ("table.xlsx", "opens a .csv file"),
        ("table", "does not show its format"),
        ("/no/such/folder/table.csv", "no folder"),
    ] {
        let done = export(&sandbox, &[&survey, file]);
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(!done.status.success() && said.contains(word), "{said}");
    }
}
