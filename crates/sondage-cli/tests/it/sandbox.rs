//! `sondage sandbox` as a program: what it prints, and how it ends.

use serde_json::Value;
use sondage_testserver::{Server, closed_address};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command.arg("sandbox").args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    line
}

/// Stops it as a service manager does, and waits until it has ended.
fn terminate(mut child: Child) -> bool {
    let asked = Command::new("kill").arg(child.id().to_string()).status().unwrap();
    asked.success() && child.wait().unwrap().success()
}

fn free_port() -> u16 {
    closed_address().port()
}

#[test]
fn one_line_of_json_says_all_that_a_client_needs() {
    let port = free_port();
    let mut child = start(&["--seed", "demo", "--json", "--port", &port.to_string()]);
    let facts: Value = serde_json::from_str(&first_line(&mut child)).unwrap();
    for name in ["base_url", "auth_url", "tenant", "client_id", "client_secret", "username", "password"] {
        assert!(facts[name].as_str().is_some_and(|text| !text.is_empty()), "{name}");
    }
    for name in ["panel_id", "survey_id", "message_template_id", "workspace_id"] {
        assert!(facts[name].is_i64(), "{name}");
    }
    assert_eq!(facts["base_url"], Value::from(format!("http://127.0.0.1:{port}")));
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let body = format!(
        "grant_type=client_credentials&client_id={}&client_secret={}",
        facts["client_id"].as_str().unwrap(),
        facts["client_secret"].as_str().unwrap(),
    );
    let head = "POST /openid/token HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                content-type: application/x-www-form-urlencoded\r\n";
    write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("access_token"), "{answer}");
    assert!(terminate(child));
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err(), "the port is closed");
}

#[test]
fn the_waves_are_named_and_the_newer_one_is_the_survey() {
    let mut child = start(&["--seed", "waves", "--json"]);
    let facts: Value = serde_json::from_str(&first_line(&mut child)).unwrap();
    let names: Vec<&String> = facts["survey_ids"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["Library visitors 2025", "Library visitors 2026"]);
    assert_eq!(facts["survey_ids"]["Library visitors 2026"], facts["survey_id"]);
    assert!(terminate(child));
}

/// The command that it prints for another terminal works in a shell; every command then finds the sandbox.
#[cfg(unix)]
#[test]
fn the_line_for_another_terminal_is_all_that_a_command_needs() {
    let mut child = start(&[]);
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines().map(Result::unwrap);
    let line = lines.find(|line| line.starts_with("export ")).unwrap();
    let script = format!("{line}; exec \"$0\" surveys");
    let surveys = Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_sondage")]).output().unwrap();
    let text = String::from_utf8_lossy(&surveys.stdout);
    assert!(surveys.status.success() && text.contains("American National Election Study"), "{surveys:?}");
    assert!(terminate(child));
}

#[test]
fn a_port_in_use_is_a_sentence_and_not_a_panic() {
    let taken = Server::start(drop);
    let port = taken.port();
    let output = start(&["--json", "--port", &port.to_string()]).wait_with_output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && output.stdout.is_empty());
    assert!(words.contains(&port.to_string()) && words.contains("choose another --port"), "{words}");
}

#[test]
fn without_json_it_speaks_to_people() {
    let mut child = start(&[]);
    assert!(first_line(&mut child).contains("Ctrl-C ends it"));
    assert!(terminate(child));
}

#[test]
fn a_survey_from_files_or_why_there_is_none() {
    let folder = std::env::temp_dir().join(format!("sondage-cli-own-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (data, plan) = (folder.join("answers.csv"), folder.join("plan.json"));
    std::fs::write(&plan, r#"[{"code": "Q1", "dataType": "Number", "type": "OpenQuestion"}]"#).unwrap();
    let arguments = ["--json", "--data", data.to_str().unwrap(), "--codeplan", plan.to_str().unwrap()];
    std::fs::write(&data, "Q1\n1\n2\n").unwrap();
    let mut child = start(&arguments);
    let facts: Value = serde_json::from_str(&first_line(&mut child)).unwrap();
    assert!(facts["data_survey_id"].is_i64(), "{facts}");
    assert!(terminate(child));
    std::fs::write(&data, "Q1\n1\nmany\n").unwrap();
    let refused = start(&arguments).wait_with_output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("answers.csv: line 3, column 1 (Q1)"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}
