//! `sondage archive` as a program: stored, reported, interrupted and resumed.
#![cfg(unix)]

use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

struct Scene {
    sandbox: Sandbox,
    folder: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("archive-{name}"));
        let _ = fs::remove_dir_all(&folder);
        Self { sandbox: Sandbox::demo_blocking().unwrap(), folder }
    }

    fn command(&self, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
        command.arg("archive").arg(self.sandbox.feedback_survey_id().to_string()).arg(&self.folder);
        command.args(options).env("SONDAGE_BASE_URL", self.sandbox.base_url());
        command.env("SONDAGE_AUTH_URL", self.sandbox.auth_url()).env("SONDAGE_TENANT", self.sandbox.tenant());
        command.env("SONDAGE_CLIENT_SECRET", self.sandbox.client_secret());
        command
    }

    fn archive(&self, options: &[&str]) -> Output {
        self.command(options).output().unwrap()
    }

    fn listed(&self) -> usize {
        fs::read_to_string(self.folder.join("manifest.jsonl")).map_or(0, |text| text.lines().skip(1).count())
    }

    /// The documents in the folder, each complete, and no other file but the manifest.
    fn documents(&self) -> usize {
        let files = fs::read_dir(&self.folder).unwrap().map(|file| file.unwrap().path());
        let documents: Vec<_> = files.filter(|file| !file.ends_with("manifest.jsonl")).collect();
        for document in &documents {
            let bytes = fs::read(document).unwrap();
            assert!(bytes.starts_with(b"%PDF") && bytes.ends_with(b"%%EOF\n"), "{}", document.display());
        }
        documents.len()
    }
}

#[test]
fn the_documents_of_a_survey_are_stored_once() {
    let scene = Scene::new("once");
    let done = scene.archive(&["--locale", "de", "--progress"]);
    let said = String::from_utf8_lossy(&done.stdout);
    let progress = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{progress}");
    let count = scene.documents();
    assert!(count > 10 && scene.listed() == count);
    assert!(said.contains(&format!("{count} of {count} documents")), "{said}");
    assert_eq!(progress.lines().count(), count, "a line for each document: {progress}");
    let calls = || scene.sandbox.ledger().requests("DownloadAnswers").len();
    let before = calls();
    let again = scene.archive(&[]);
    assert!(again.status.success() && again.stderr.is_empty(), "no progress without a terminal");
    assert!(String::from_utf8_lossy(&again.stdout).contains(", 0 bytes stored"));
    assert_eq!(calls(), before, "nothing is fetched twice");
}

#[test]
fn an_interrupted_run_is_taken_up_where_it_was() {
    let scene = Scene::new("interrupted");
    scene.sandbox.fault(Fault::on("link").skip(6).every().action(FaultAction::Stall));
    let child = scene.command(&[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let since = Instant::now();
    while scene.listed() < 6 {
        assert!(since.elapsed() < Duration::from_secs(300), "only {} documents", scene.listed());
        std::thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&ended.stderr);
    assert!(!ended.status.success() && said.contains("the same command resumes"), "{said}");
    assert_eq!((scene.documents(), scene.listed()), (6, 6), "nothing half");
    scene.sandbox.clear_faults();
    assert!(scene.archive(&[]).status.success());
    assert!(scene.documents() > 6 && scene.documents() == scene.listed());
}

#[test]
fn what_cannot_be_had_is_named_and_the_command_fails() {
    let scene = Scene::new("failed");
    scene.sandbox.fault(Fault::on("link").every().action(FaultAction::Html));
    let done = scene.archive(&["--max-concurrency", "16"]);
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(!done.status.success() && said.contains("HTML page") && said.contains("run it again"), "{said}");
    assert!(!said.contains("/download/"), "a link is not shown: {said}");
    assert_eq!(scene.documents(), 0);
}

/// Security: a message of the service appears on the terminal on one line, truncated, and without the secret that it
/// echoes.
#[test]
fn the_words_of_a_service_neither_move_the_cursor_nor_show_a_secret() {
    let scene = Scene::new("words");
    let secret = scene.sandbox.client_secret().to_owned();
    let words = format!(
        "\u{1b}]0;pwned\u{7}\u{1b}[2J\u{202e} {secret}\n2026-11-22 ERROR root: forged {}",
        "x".repeat(1 << 20)
    );
    let refusal = FaultAction::NotSuccess { error_code: words.clone(), error_message: words };
    for operation in ["ReadInterviewList", "ReadInterviewListCompact"] {
        scene.sandbox.fault(Fault::on(operation).every().action(refusal.clone()));
    }
    let export = Command::new(env!("CARGO_BIN_EXE_sondage"))
        .args(["export", &scene.sandbox.feedback_survey_id().to_string()])
        .arg(scene.folder.with_extension("csv"))
        .envs(scene.command(&[]).get_envs().filter_map(|(name, value)| Some((name, value?))))
        .output()
        .unwrap();
    for done in [scene.archive(&[]), export] {
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && said.contains("pwned"), "{said}");
        assert!(said.lines().count() == 1 && said.len() < 2_000, "{said}");
        assert!(!said.trim_end().contains(|c: char| c.is_control() || c == '\u{202e}'), "{said:?}");
        assert!(!said.contains(&secret), "{said}");
    }
}
