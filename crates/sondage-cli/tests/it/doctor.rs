//! `sondage doctor`: its exit codes, its JSON, and invalid settings.

use sondage_sandbox::Sandbox;
use std::process::{Command, Output};

fn doctor(settings: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command.arg("doctor").args(arguments).env_clear().envs(settings.iter().copied());
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_exit_code_says_whether_something_is_wrong() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let settings = |secret| {
        [
            ("SONDAGE_BASE_URL", sandbox.base_url()),
            ("SONDAGE_AUTH_URL", sandbox.auth_url()),
            ("SONDAGE_TENANT", sandbox.tenant()),
            ("SONDAGE_CLIENT_SECRET", secret),
        ]
    };
    let well = doctor(&settings(sandbox.client_secret()), &[]);
    assert_eq!(well.status.code(), Some(0), "{}", text(&well));
    assert!(text(&well).contains("passed   token: The credentials are accepted."), "{}", text(&well));

    let ill = doctor(&settings("a-mistyped-secret"), &["--json"]);
    assert_eq!(ill.status.code(), Some(1), "{}", text(&ill));
    assert!(!text(&ill).contains("a-mistyped-secret"));
    let told: serde_json::Value = serde_json::from_slice(&ill.stdout).unwrap();
    assert_eq!(told["healthy"], false);
    let failed: Vec<_> =
        told["checks"].as_array().unwrap().iter().filter(|it| it["state"] == "failed").collect();
    assert_eq!(failed.len(), 1, "{told}");
    assert_eq!(failed[0]["check"], "token");
    assert!(failed[0]["cure"].as_str().unwrap().contains("SONDAGE_CLIENT_SECRET"), "{told}");
    assert!(sandbox.ledger().effects("*").is_empty());
}

#[test]
fn settings_that_make_no_client_are_a_finding() {
    let output = doctor(&[("SONDAGE_TENANT", "acme"), ("SONDAGE_DATA_CENTRE", "eu")], &[]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output);
    assert!(
        said.contains("failed   settings:") && said.contains("did you mean SONDAGE_DATA_CENTER"),
        "{said}"
    );
}
