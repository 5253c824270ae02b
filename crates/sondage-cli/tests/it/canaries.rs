//! Security: the `sondage` command displays no secret, whatever the service sends: neither in its output nor in its own
//! arguments, which every user of a machine can read.
#![cfg(unix)]

use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const SECRET: &str = "QzvxKw/client+2 &=QzvxKw";
const ACCESS: &str = "QzvxKw.access~1QzvxKw";

/// The secret for a URL, with escapes also for a third of the characters that need none.
fn encoded(secret: &str) -> String {
    let sign = |(at, byte): (usize, u8)| {
        if at % 3 > 0 && byte.is_ascii_alphanumeric() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    secret.bytes().enumerate().map(sign).collect()
}

fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command
        .args(arguments)
        .env("SONDAGE_BASE_URL", sandbox.base_url())
        .env("SONDAGE_AUTH_URL", sandbox.auth_url());
    command.env("SONDAGE_TENANT", sandbox.tenant());
    command.env("SONDAGE_RETRY_ATTEMPTS", "1").env("RUST_LOG", "trace").env("RUST_BACKTRACE", "full");
    command
}

#[track_caller]
fn clean(text: &str) {
    for part in ["QzvxK", "zvxKw", "vx%4B%77", "vxK%77", "%51zv"] {
        assert!(!text.contains(part), "`{part}` is in: {text}");
    }
}

#[test]
fn nothing_that_it_says_shows_a_secret() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("canaries");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let (archive, export) = (folder.join("archive"), folder.join("export.csv"));
    let survey = sandbox.feedback_survey_id().to_string();
    let commands = [
        vec!["archive", survey.as_str(), archive.to_str().unwrap()],
        vec!["export", survey.as_str(), export.to_str().unwrap()],
    ];
    for (variable, secret) in [("SONDAGE_CLIENT_SECRET", SECRET), ("SONDAGE_TOKEN", ACCESS)] {
        let words = format!("you sent {secret} and {}", encoded(secret));
        let envelope = serde_json::json!({ "isSuccess": false, "errorCode": words, "errorMessage": words, "error": words });
        for fault in [
            Fault::on("*").every().status(400).body(envelope.to_string()),
            Fault::on("*").every().status(500).body(&words),
            Fault::on("*").every().action(FaultAction::Body { text: envelope.to_string() }),
            Fault::on("*").every().action(FaultAction::Body { text: words.clone() }),
        ] {
            sandbox.clear_faults();
            sandbox.fault(fault);
            for arguments in &commands {
                let output = command(&sandbox, arguments).env(variable, secret).output().unwrap();
                let text = [output.stdout, output.stderr].concat();
                assert!(!output.status.success() && !text.is_empty(), "{arguments:?}");
                clean(&String::from_utf8_lossy(&text));
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn its_arguments_hold_no_secret() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    sandbox.fault(Fault::on("*").every().delay(Duration::from_secs(30)));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("canaries-arguments");
    let survey = sandbox.feedback_survey_id().to_string();
    let mut command = command(&sandbox, &["archive", survey.as_str(), folder.to_str().unwrap()]);
    let mut child = command
        .env("SONDAGE_CLIENT_SECRET", SECRET)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let arguments = arguments_of(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(arguments.contains("archive"), "{arguments}");
    clean(&arguments);
}

/// The kernel shows an empty line until it has laid out the new program; `spawn` may return before that.
#[cfg(target_os = "linux")]
fn arguments_of(child: &mut std::process::Child) -> String {
    loop {
        let arguments = fs::read_to_string(format!("/proc/{}/cmdline", child.id())).unwrap();
        if !arguments.is_empty() || child.try_wait().unwrap().is_some() {
            return arguments;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
