//! Writes that are sent once under a key, over HTTP against a sandbox: the result of a second call, for every outcome of the
//! first.

use crate::support::sandbox::config;
use sondage::blocking::Client;
use sondage::model::{CreateMembersRequest, InviteMembersRequest, NewMember, ReadPanelRequest};
use sondage::{CallOptions, Error, ErrorKind};
use sondage_jobs::Jobs as _;
use sondage_jobs::JournalSummary;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::SendOnceOptions;
use sondage_sandbox::{Fault, Sandbox};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

static SCENES: AtomicUsize = AtomicUsize::new(0);

struct Scene {
    sandbox: Sandbox,
    client: Client,
    folder: PathBuf,
}

impl Scene {
    fn new() -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let client = Client::new(config(&sandbox, 400)).expect("a client");
        let number = SCENES.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("sondage-once-{}-{number}", std::process::id()));
        Self { sandbox, client, folder }
    }

    fn options(&self, key: &str) -> SendOnceOptions {
        SendOnceOptions::new(key).folder(self.folder.clone()).quiet(Duration::ZERO)
    }

    fn once(&self, key: &str) -> Client {
        self.client.send_once(self.options(key)).expect("a client")
    }

    fn person(&self, name: &str) -> CreateMembersRequest {
        let fields = [("Email", format!("{name}@once.example")), ("FirstName", name.to_owned())];
        CreateMembersRequest::new(self.sandbox.panel_id(), [NewMember::of(fields)])
    }

    fn create(&self, key: &str, name: &str) -> sondage::Result<Vec<i64>> {
        let made = self.once(key).create_members(self.person(name))?;
        Ok(made.members_ids.into_iter().flatten().collect())
    }

    fn sent(&self) -> usize {
        self.sandbox.ledger().requests("CreateMembers").len()
    }

    fn made(&self) -> usize {
        self.sandbox.ledger().effects("CreateMembers").len()
    }

    fn journal(&self) -> PathBuf {
        let mut files = std::fs::read_dir(&self.folder).expect("a folder");
        files.next().expect("a file").expect("an entry").path()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn refused<T: std::fmt::Debug>(result: sondage::Result<T>, why: &str) -> Error {
    let error = result.expect_err("a refusal");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    assert!(error.to_string().contains(why) && error.hint().contains("Nothing was sent"), "{error}");
    error
}

#[test]
fn a_second_call_gets_what_the_first_one_got() {
    let scene = Scene::new();
    let first = scene.create("people", "ada").expect("an answer");
    assert_eq!(first.len(), 1);
    assert_eq!(scene.create("people", "ada").expect("the same answer"), first);
    assert_eq!((scene.sent(), scene.made()), (1, 1));
    let again = scene.client.as_async().send_once(scene.options("people")).expect("a client");
    let again = sondage::internals::runtime::block_on(async move {
        again
            .with_response::<sondage::operations::CreateMembers>(scene.person("ada"))
            .await
            .map(|it| (it.attempts, scene))
    });
    let (attempts, scene) = again.expect("a response");
    assert_eq!(attempts, 0, "none was made for it");
    let other = scene.create("others", "bea").expect("another key");
    assert!(other != first && scene.made() == 2);
}

#[test]
fn another_request_under_a_key_is_refused() {
    let scene = Scene::new();
    scene.create("people", "ada").expect("an answer");
    refused(scene.create("people", "bea"), "under the key \"people\" another request was sent before");
    let invite = InviteMembersRequest::new(
        scene.sandbox.survey_id(),
        scene.sandbox.panel_id(),
        scene.sandbox.message_template_id(),
    );
    refused(scene.once("people").invite_members(invite), "another call was sent before: CreateMembers");
    refused(scene.once("people").read_panel(ReadPanelRequest::new(1)), "operations that are never retried");
    refused(scene.client.send_once(SendOnceOptions::new(" ")), "`key` is empty");
    assert_eq!((scene.sent(), scene.made()), (1, 1));
}

#[test]
fn what_was_proven_not_to_happen_leaves_the_key_free() {
    let scene = Scene::new();
    scene.sandbox.fault(Fault::on("CreateMembers").status(429).times(9));
    let error = scene.create("people", "ada").expect_err("a refusal");
    assert!(error.changed_nothing(), "{error}");
    scene.sandbox.clear_faults();
    scene.create("people", "bea").expect("the key was not used up");
    assert_eq!(scene.made(), 1);
}

#[test]
fn an_answer_that_was_lost_is_read_back() {
    let scene = Scene::new();
    scene.sandbox.fault(Fault::on("CreateMembers").cut_after_effect());
    let error = scene.create("people", "ada").expect_err("no answer");
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    assert!(error.reconcile().is_some_and(|advice| advice.contains("with the same key again")), "{error}");
    let shown = JournalSummary::read(scene.journal()).expect("a journal").to_string();
    assert!(
        shown.starts_with("send_once of CreateMembers for") && shown.contains("sent and not answered"),
        "{shown}"
    );
    let found = scene.create("people", "ada").expect("what it made");
    assert_eq!((found.len(), scene.sent(), scene.made()), (1, 1, 1));
    assert_eq!(scene.create("people", "ada").expect("the same"), found);
    let shown = JournalSummary::read(scene.journal()).expect("a journal").to_string();
    assert!(shown.contains("answered: the same call"), "{shown}");
}

#[test]
fn what_did_not_happen_is_sent() {
    let scene = Scene::new();
    scene.sandbox.fault(Fault::on("CreateMembers").status(503));
    let error = scene.create("people", "ada").expect_err("no answer");
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    assert_eq!(scene.create("people", "ada").expect("sent now").len(), 1);
    assert_eq!((scene.sent(), scene.made()), (2, 1));
}

#[test]
fn before_the_service_has_had_its_time_nothing_is_sent() {
    let scene = Scene::new();
    scene.sandbox.fault(Fault::on("CreateMembers").status(503));
    scene.create("people", "ada").expect_err("no answer");
    let early = scene.options("people").quiet(Duration::from_secs(180)).wait(Duration::ZERO);
    let early = scene.client.send_once(early).expect("a client");
    let error = early.create_members(scene.person("ada")).expect_err("too early");
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    assert!(
        error.to_string().contains("an earlier call with the key \"people\" may have happened"),
        "{error}"
    );
    assert!(error.retry_after().is_some_and(|wait| wait.as_secs() > 170), "{error:?}");
    assert_eq!(scene.sent(), 1);
}

#[test]
fn what_leaves_no_evidence_is_never_sent_again() {
    let scene = Scene::new();
    let mail = || {
        let mut mail =
            sondage::model::ExecuteSendMailRequest::new("de", "us@example.com", "ada@once.example");
        mail.message_template_id = Some(scene.sandbox.message_template_id());
        mail
    };
    scene.sandbox.fault(Fault::on("ExecuteSendMail").cut_after_effect());
    scene.once("mail").execute_send_mail(mail()).expect_err("no answer");
    let error = scene.once("mail").execute_send_mail(mail()).expect_err("nobody knows");
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
    let file = scene.journal().display().to_string();
    let advice = error.reconcile().unwrap_or_default();
    assert!(
        advice.contains("This call sent nothing") && advice.contains(&format!("remove {file}")),
        "{advice}"
    );
    assert_eq!(scene.sandbox.ledger().requests("ExecuteSendMail").len(), 1);
}

/// A line that was cut off, as a full disk or a kill leaves it; and lines of another program.
#[test]
fn a_journal_that_is_torn_or_not_its_own() {
    let scene = Scene::new();
    let first = scene.create("people", "ada").expect("an answer");
    let file = scene.journal();
    let whole = std::fs::read_to_string(&file).expect("a journal");
    assert!(!whole.contains("people") && !whole.contains("ada@"), "{whole}");
    let lines: Vec<&str> = whole.lines().collect();
    assert_eq!(lines.len(), 3, "{whole}");
    // The response is lost, so the effect is read back.
    let torn = format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..lines[2].len() / 2]);
    std::fs::write(&file, torn).expect("a torn journal");
    assert_eq!(scene.create("people", "ada").expect("read back"), first);
    std::fs::write(&file, whole.replace("\"chunk\":0", "\"chunk\":7")).expect("a damaged journal");
    let error = scene.create("people", "ada").expect_err("damage");
    assert!(error.to_string().contains("is damaged: line"), "{error}");
    std::fs::write(&file, &whole).expect("a journal");
    let other = Client::new(config(&scene.sandbox, 400)).expect("a client");
    let moved = scene.folder.join("moved");
    std::fs::rename(&file, &moved).expect("moved");
    other
        .send_once(scene.options("others"))
        .expect("a client")
        .create_members(scene.person("bea"))
        .expect("made");
    let theirs = scene.folder.join(
        std::fs::read_dir(&scene.folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .find(|name| name.to_string_lossy().starts_with("once-"))
            .expect("their journal"),
    );
    std::fs::rename(&moved, &theirs).expect("in its place");
    refused(scene.create("others", "bea"), "it is of another key");
    assert_eq!(scene.made(), 2);
}

#[test]
fn a_caller_who_does_not_wait_loses_nothing() {
    let scene = Scene::new();
    scene.sandbox.fault(Fault::on("CreateMembers").delay(Duration::from_millis(700)));
    let hasty = scene.once("people");
    let options = CallOptions::new().deadline(Duration::from_millis(200));
    let hasty = {
        let client = scene.client.with(options);
        drop(hasty);
        client.send_once(scene.options("people")).expect("a client")
    };
    let error = hasty.create_members(scene.person("ada")).expect_err("no answer in time");
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    // The first call continues, and the second gets its response when it has released the journal.
    let found = scene.create("people", "ada").expect("what the first one got");
    assert_eq!((found.len(), scene.sent(), scene.made()), (1, 1, 1));
}

#[test]
fn two_at_once_send_one() {
    let scene = Scene::new();
    scene.sandbox.fault(Fault::on("CreateMembers").delay(Duration::from_millis(200)));
    let got: Vec<Vec<i64>> = std::thread::scope(|scope| {
        let calls: Vec<_> =
            (0..4).map(|_| scope.spawn(|| scene.create("people", "ada").expect("an answer"))).collect();
        calls.into_iter().map(|call| call.join().expect("a thread")).collect()
    });
    assert!(got.iter().all(|ids| *ids == got[0] && ids.len() == 1), "{got:?}");
    assert_eq!((scene.sent(), scene.made()), (1, 1));
}
