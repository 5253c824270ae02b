//! What a killed process leaves beside a file is removed by the next one, and what fails at once leaves nothing.

use super::Folder;
use crate::support::service::{client, wait};
use sondage::blocking::Client;
use sondage::files;
use sondage::model::{CreateMembersRequest, NewMember, ReadPanelRequest};
use sondage::{ErrorKind, Result};
use sondage_data::{Interviews, Tables};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{ErasePersonOptions, PlanErasePersonOptions};
use sondage_sandbox::{Fault, Sandbox};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const PLACE: &str = "SONDAGE_TEST_REPLACED";
const SECRET: &str = "a token that nobody may find";

impl Folder {
    /// A file and its draft with a secret.
    fn draft(&self, name: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::write(files::draft_of(&path), SECRET).expect("written");
        path
    }
}

/// Not a test of its own: the process that is killed while it replaces a file.
#[test]
fn the_process_that_replaces_a_file() {
    let Ok(place) = std::env::var(PLACE) else { return };
    loop {
        files::replace(Path::new(&place), SECRET.repeat(1000).as_bytes()).expect("replaced");
    }
}

#[test]
fn what_a_killed_process_has_written_is_gone_after_the_next_one() {
    let folder = Folder::new("killed");
    let path = folder.0.join("file");
    let begun = Instant::now();
    for wait in (0..8).cycle() {
        let mut child = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "files::leftovers::the_process_that_replaces_a_file"])
            .env(PLACE, &path)
            .stdout(Stdio::null())
            .spawn()
            .expect("a process");
        while !path.exists() && !files::draft_of(&path).exists() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it does not begin");
        }
        std::thread::sleep(Duration::from_micros(wait * 300));
        child.kill().expect("killed");
        child.wait().expect("gone");
        if files::draft_of(&path).exists() {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "no draft was left");
    }
    files::replace(&path, b"new").expect("replaced");
    assert_eq!(
        (folder.names(), fs::read(&path).expect("a file")),
        (vec!["file".to_owned()], b"new".to_vec())
    );
}

#[test]
fn no_token_stays_beside_its_file() {
    let (folder, sandbox) = (Folder::new("tokens"), Sandbox::demo_blocking().expect("a sandbox"));
    let path = folder.draft("tokens.json");
    let client =
        || Client::new(sandbox.client().token_file(&path).resolve().expect("settings")).expect("a client");
    let read = || client().read_panel(ReadPanelRequest::new(sandbox.panel_id())).expect("a panel");
    read();
    // The locks stay: see docs/connecting.md.
    let names = ["tokens.json", "tokens.json.lock", "tokens.json.renew"];
    assert_eq!(folder.names(), names, "the next one that saves a token removes it");
    folder.draft("tokens.json");
    client().logout().expect("logged out");
    assert_eq!(folder.names(), names, "and so does a logout");
    fs::remove_file(&path).expect("removed");
    folder.draft("tokens.json");
    client().logout().expect("logged out");
    assert_eq!(folder.names(), names[1..], "also without a file");
}

#[test]
fn no_personal_data_stays_beside_the_receipt_of_an_erasure() -> Result<()> {
    let (folder, sandbox) = (Folder::new("receipt"), Sandbox::demo_blocking().expect("a sandbox"));
    let client = Client::from(client(&sandbox, 400));
    let (panels, address) = ([sandbox.panel_id()], "ada@receipt.example");
    let person = NewMember::of([("Email", address)]);
    client.create_members(CreateMembersRequest::new(sandbox.panel_id(), [person]))?;
    let plan = client.plan_erase_person(PlanErasePersonOptions::new(panels, "Email", address, false))?;
    let receipt = folder.draft("receipt.json");
    let erase = ErasePersonOptions::new(panels, "Email", address, false, receipt, plan.token);
    client.erase_person(erase.clone())?;
    assert_eq!(folder.names(), ["receipt.json"]);
    folder.draft("receipt.json");
    client.erase_person(erase)?;
    assert_eq!(folder.names(), ["receipt.json"], "a complete erasure only reports");
    Ok(())
}

#[test]
fn what_fails_at_once_leaves_nothing() {
    let (folder, sandbox) = (Folder::new("at-once"), Sandbox::demo_blocking().expect("a sandbox"));
    let client = client(&sandbox, 400);
    let path = folder.0.join("answers.csv");
    let queries: [(Interviews, ErrorKind); 2] = [
        (client.interviews(9999), ErrorKind::Api),
        (client.interviews(sandbox.survey_id()).fields(["no such column"]), ErrorKind::Api),
    ];
    for (query, kind) in queries {
        let error = wait(query.export(&path).run()).expect_err("no answers");
        let delta = query.delta(folder.0.join("state"));
        let other = wait(async move { delta.begin().await }).expect_err("no answers");
        assert_eq!([error.kind(), other.kind()], [kind; 2], "{error}; {other}");
        assert_eq!(folder.names(), [""; 0]);
    }
    // What can be resumed is kept, and so is what somebody else has put there.
    sandbox.fault(Fault::on("ReadInterviewListCompact").skip(1).status(400));
    wait(client.interviews(sandbox.survey_id()).export(&path).run()).expect_err("the second page");
    assert_eq!(folder.names(), ["answers.csv.part"]);
    let pages = fs::read_dir(folder.0.join("answers.csv.part")).expect("a folder").count();
    assert_eq!(pages, 2, "a page, and the state");
}
