//! `sondage reconcile` as a program: the verdict on a call of another process, as text, as JSON and as an exit status.

use serde_json::{Value, json};
use sondage::model::{CreateMembersRequest, NewMember};
use sondage_sandbox::{Fault, Sandbox};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

struct Scene {
    sandbox: Sandbox,
    request: PathBuf,
    sent: String,
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.request);
    }
}

impl Scene {
    fn new(name: &str) -> Self {
        let request =
            std::env::temp_dir().join(format!("sondage-reconcile-{name}-{}.json", std::process::id()));
        Self {
            sandbox: Sandbox::demo_blocking().unwrap(),
            request,
            sent: sondage::Timestamp::now().to_string(),
        }
    }

    /// Makes a call in this process, which the command does not know. Returns the JSON of its error.
    fn lose(&self, fault: Fault) -> Value {
        self.write();
        self.sandbox.fault(fault);
        let client = self.sandbox.client().build_blocking().unwrap();
        let error = client.create_members(self.members()).expect_err("a lost answer");
        assert_eq!(error.kind(), sondage::ErrorKind::OutcomeUnknown, "{error}");
        self.sandbox.clear_faults();
        json!({ "kind": error.kind().as_str(), "operation": error.operation(), "writeId": error.write_id() })
    }

    fn ask(&self, which: &[&str], input: &str) -> Output {
        let sandbox = &self.sandbox;
        let mut child = Command::new(env!("CARGO_BIN_EXE_sondage"))
            .arg("reconcile")
            .args(which)
            .arg("--request")
            .arg(&self.request)
            .args(["--sent", &self.sent])
            .env("SONDAGE_BASE_URL", sandbox.base_url())
            .env("SONDAGE_AUTH_URL", sandbox.auth_url())
            .env("SONDAGE_TENANT", sandbox.tenant())
            .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    }

    fn members(&self) -> CreateMembersRequest {
        let ada = NewMember::of([("Email", "ada@reconcile.example")]);
        CreateMembersRequest::new(self.sandbox.panel_id(), [ada])
    }

    fn write(&self) {
        std::fs::write(&self.request, serde_json::to_vec(&self.members()).unwrap()).unwrap();
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn what_happened_is_found_by_the_request_and_the_time() {
    let scene = Scene::new("happened");
    let error = scene.lose(Fault::on("CreateMembers").cut_after_effect());
    assert_eq!(error["operation"], "CreateMembers");
    let told = scene.ask(&["--error", "-", "--json"], &error.to_string());
    assert_eq!(told.status.code(), Some(0), "{}", text(&told.stderr));
    let said: Value = serde_json::from_slice(&told.stdout).unwrap();
    let effects = scene.sandbox.ledger().effects("CreateMembers");
    assert_eq!((&said["verdict"], &said["ids"]), (&json!("happened"), &json!(effects[0].ids)), "{said}");
    // Members that another login has created are not attributed to the call.
    let which = ["--operation", "CreateMembers", "--created-by", "somebody else", "--wait", "0"];
    let before = scene.ask(&which, "");
    assert_eq!(before.status.code(), Some(4), "{}", text(&before.stdout));
    assert!(text(&before.stdout).contains("may or may not have happened"), "{}", text(&before.stdout));
}

#[test]
fn what_did_not_happen_is_told_when_the_service_has_had_its_time() {
    let scene = Scene::new("not");
    scene.lose(Fault::on("CreateMembers").status(503).times(9));
    let early = scene.ask(&["--operation", "CreateMembers", "--wait", "0", "--json"], "");
    let said: Value = serde_json::from_slice(&early.stdout).unwrap();
    assert_eq!(early.status.code(), Some(4), "{said}");
    assert!(said["againIn"].as_f64().is_some_and(|wait| wait > 100.0), "{said}");
    let told = scene.ask(&["--operation", "CreateMembers", "--took", "0", "--quiet", "0"], "");
    assert_eq!(told.status.code(), Some(3), "{}{}", text(&told.stdout), text(&told.stderr));
    assert!(text(&told.stdout).starts_with("CreateMembers did not happen, and can be called again"));
}

#[test]
fn what_cannot_be_asked_is_said() {
    let scene = Scene::new("wrong");
    scene.write();
    let refused = |which: &[&str], input: &str, code: i32, words: &str| {
        let told = scene.ask(which, input);
        let said = text(&told.stderr);
        assert!(
            told.status.code() == Some(code) && said.contains(words),
            "{which:?}: {:?} {said}",
            told.status
        );
    };
    refused(&[], "", 2, "--operation");
    refused(&["--operation", "ReadPanel"], "", 2, "can simply be called again");
    refused(&["--operation", "Nonsense"], "", 2, "invalid value 'Nonsense'");
    refused(&["--operation", "CreateWebHook"], "", 2, "none of the fields by which its effect is found");
    refused(&["--error", "-"], "{}", 2, "names no operation");
    refused(&["--error", "-"], "ada@reconcile.example", 2, "- is not JSON");
    assert!(scene.sandbox.ledger().requests("*").iter().all(|it| it.operation == "token"));
}
