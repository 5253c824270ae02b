//! `sondage sandbox` as a program: what it prints, and how it ends.

use serde_json::Value;
use sondage_testserver::{Server, closed_address};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
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

/// A folder for the files of one test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("sondage-cli-sandbox-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[cfg(unix)]
fn sandbox_of(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command.arg("sandbox").args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The variables are those of the sandbox, even where the environment has an account of its own; standard output has nothing else.
#[cfg(unix)]
#[test]
fn a_command_finds_the_sandbox_and_owns_standard_output() {
    let own = env!("CARGO_BIN_EXE_sondage");
    let mut command = sandbox_of(&["--", own, "surveys", "--json"]);
    command.env("SONDAGE_ACCOUNT", "https://acme.survalyzer-eu.app").env("SONDAGE_USERNAME", "someone");
    let output = command.env("SONDAGE_BASE_URL", "http://127.0.0.1:1").output().unwrap();
    let (text, said) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success(), "{text} {said}");
    assert!(text.starts_with(['{', '[']) && text.contains("American National Election Study"), "{text}");
    assert!(said.contains("The sandbox is running at http://127.0.0.1:"), "{said}");
}

#[cfg(unix)]
#[test]
fn with_json_the_facts_are_on_standard_error() {
    let output = sandbox_of(&["--json", "--", "sh", "-c", "echo $SONDAGE_BASE_URL"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let facts: Value = serde_json::from_str(said.trim()).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), facts["base_url"].as_str().unwrap());
}

#[cfg(unix)]
#[test]
fn the_exit_code_is_the_command_s() {
    let code = |script: &str| sandbox_of(&["--", "sh", "-c", script]).output().unwrap().status.code();
    assert_eq!(code("exit 0"), Some(0));
    assert_eq!(code("exit 7"), Some(7));
    assert_eq!(code("kill -TERM $$"), Some(128 + 15));
    assert_eq!(code("kill -KILL $$"), Some(128 + 9));
}

#[cfg(unix)]
#[test]
fn a_command_that_cannot_be_run_is_a_sentence() {
    let output = sandbox_of(&["--", "no-such-command-9f3"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(127), "{said}");
    assert!(said.contains("cannot run `no-such-command-9f3`") && output.stdout.is_empty(), "{said}");
    let folder = folder("no-command");
    let output = sandbox_of(&["--", folder.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(126), "{:?}", String::from_utf8_lossy(&output.stderr));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The command decides what a signal means, and the sandbox lives as long as the command.
#[cfg(unix)]
#[test]
fn signals_reach_the_command() {
    for (signal, code) in [("TERM", 40), ("INT", 41), ("HUP", 42)] {
        let script = "trap 'exit 40' TERM; trap 'exit 41' INT; trap 'exit 42' HUP; echo ready; \
                      while :; do sleep 0.05; done";
        let mut child = sandbox_of(&["--", "sh", "-c", script]).spawn().unwrap();
        assert_eq!(first_line(&mut child), "ready\n");
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn an_env_file_gets_the_variables_and_keeps_all_else() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = folder("env");
    let file = folder.join(".env");
    std::fs::write(&file, b"# mine\nexport SONDAGE_TENANT=\"acme\"\nDEBUG=1\nSONDAGE_BASE_URL=x\nNAME=\xff")
        .unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    let port = free_port();
    let arguments =
        ["--port", &port.to_string(), "--secret", "secret-of-mine", "--env-file", file.to_str().unwrap()];
    let output = sandbox_of(&[&arguments[..], &["--", "true"]].concat()).output().unwrap();
    assert!(output.status.success(), "{:?}", String::from_utf8_lossy(&output.stderr));
    let written = std::fs::read(&file).unwrap();
    let base = format!("SONDAGE_BASE_URL=http://127.0.0.1:{port}\n");
    let end = format!("{port}\nSONDAGE_CLIENT_SECRET=secret-of-mine\n");
    let expected = [
        b"# mine\nexport SONDAGE_TENANT=demo\nDEBUG=1\n".as_slice(),
        base.as_bytes(),
        b"NAME=\xff\nSONDAGE_AUTH_URL=http://127.0.0.1:",
        end.as_bytes(),
    ];
    assert_eq!(String::from_utf8_lossy(&written), String::from_utf8_lossy(&expected.concat()));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let wide = b"\xff\xfeA\0=\x001\0";
    std::fs::write(&file, wide).unwrap();
    let output = sandbox_of(&["--env-file", file.to_str().unwrap(), "--", "true"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && said.contains("UTF-16, which programs do not read"), "{said}");
    assert!(said.contains("save it as UTF-8; the file is unchanged"), "{said}");
    assert_eq!(std::fs::read(&file).unwrap(), wide);
    let refused = sandbox_of(&["--env-file", folder.to_str().unwrap(), "--", "true"]).output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("is a folder; nothing was started"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[cfg(unix)]
#[test]
fn a_fixed_secret_is_used_or_refused_and_never_repeated() {
    let script = ["--", "sh", "-c", "echo $SONDAGE_CLIENT_SECRET $SONDAGE_SANDBOX_SECRET"];
    let mut command = sandbox_of(&script);
    let output = command.env("SONDAGE_SANDBOX_SECRET", "from-the-environment").output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "from-the-environment\n");
    let doctor = ["--secret", "long-enough", "--", env!("CARGO_BIN_EXE_sondage"), "surveys"];
    assert!(sandbox_of(&doctor).output().unwrap().status.success(), "the secret is accepted");
    for secret in ["", "2-short", "with a blank", "with'quote", "snow-\u{2603}-man"] {
        let output = sandbox_of(&[&["--secret", secret][..], &script].concat()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("at least 8 characters") && output.stdout.is_empty(), "{said}");
        assert!(secret.is_empty() || !said.contains(secret), "{said}");
    }
}

/// Killed, it goes on with the same address and secret, without another `--fill`; a second one is refused while it runs.
#[cfg(unix)]
#[test]
fn a_state_outlives_a_kill() {
    let folder = folder("state");
    let state = folder.join("box");
    let survey = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/shapes/survey-5.json");
    let arguments =
        ["--state", state.to_str().unwrap(), "--survey", survey.to_str().unwrap(), "--fill", "12"];
    let facts = |child: &mut Child| -> Value { serde_json::from_str(&first_line(child)).unwrap() };
    let mut child = sandbox_of(&[&arguments[..], &["--json"]].concat()).spawn().unwrap();
    let known = facts(&mut child);
    let second = sandbox_of(&arguments).output().unwrap();
    let said = String::from_utf8(second.stderr).unwrap();
    assert!(!second.status.success() && said.contains("another sandbox uses it"), "{said}");
    child.kill().unwrap();
    child.wait().unwrap();
    let mut child = sandbox_of(&["--state", state.to_str().unwrap(), "--json"]).spawn().unwrap();
    let again = facts(&mut child);
    for name in ["base_url", "auth_url", "client_secret", "survey_id", "survey_ids", "state"] {
        assert_eq!(known[name], again[name], "{name}");
    }
    assert!(terminate(child));
    let own = env!("CARGO_BIN_EXE_sondage");
    let id = known["survey_id"].to_string();
    let file = folder.join("answers.jsonl");
    let export = ["--", own, "export", &id, file.to_str().unwrap()];
    let export = sandbox_of(&[&arguments[..], &export].concat()).output().unwrap();
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(text.lines().count(), 12, "{text} {}", String::from_utf8_lossy(&export.stderr));
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A command sees all the people or none: a killed start leaves nothing behind, and a folder keeps its number.
#[cfg(unix)]
#[test]
fn a_command_runs_after_all_have_answered() {
    let folder = folder("fill");
    let state = folder.join("box");
    let survey = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/shapes/survey-5.json");
    let arguments = |people: &'static str| {
        ["--state", state.to_str().unwrap(), "--survey", survey.to_str().unwrap(), "--fill", people]
    };
    let mut child = sandbox_of(&arguments("200000")).spawn().unwrap();
    while !state.join("world.jsonl.lock").exists() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    let file = folder.join("answers.jsonl");
    // Ids are the same in every sandbox.
    let id =
        sondage_sandbox::Sandbox::builder().survey(survey.as_path()).start_blocking().unwrap().survey_id();
    let export = |people| {
        let export = ["--", env!("CARGO_BIN_EXE_sondage"), "export", &id.to_string(), file.to_str().unwrap()];
        let output = sandbox_of(&[&arguments(people)[..], &export].concat()).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, said) = export("30");
    let answers = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!((code, answers.lines().count()), (Some(0), 30), "{said}");
    assert!(said.contains("Not carried out when people answer survey-5:\n- a calculation"), "{said}");
    for (people, cure) in
        [("-1", "it must be a number"), ("abc", "it must be a number"), ("0", "it must be 1 or more")]
    {
        let (code, said) = export(people);
        assert!(code == Some(2) && said.contains(cure), "{people}: {said}");
    }
    let again = [
        "--state",
        state.to_str().unwrap(),
        "--fill",
        "30",
        "--",
        env!("CARGO_BIN_EXE_sondage"),
        "--version",
    ];
    assert!(sandbox_of(&again).output().unwrap().status.success(), "the survey may be left out later");
    let (code, said) = export("31");
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("another `fill` (30)") && said.contains("name a new folder"), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}
