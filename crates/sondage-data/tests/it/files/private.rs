//! Files that only their owner may read, whatever was there before.

use super::{Folder, mode};
use crate::support::service::{client, wait};
use sondage::Result;
use sondage::blocking::Client;
use sondage::budget::BudgetMode;
use sondage::model::{CreateMembersRequest, NewMember, ReadPanelRequest};
use sondage_data::Tables;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{ArchiveOptions, ErasePersonOptions, ImportOptions, PlanErasePersonOptions};
use sondage_jobs::{JournalSummary, Rows};
use sondage_sandbox::Sandbox;
use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How often a budget was opened.
static OPENED: AtomicUsize = AtomicUsize::new(0);

#[derive(Clone, Copy, Debug)]
enum Kind {
    Journal,
    Recording,
    Tokens,
    State,
    Manifest,
    Delta,
    Export,
    Budget,
}

const KINDS: [Kind; 8] = [
    Kind::Journal,
    Kind::Recording,
    Kind::Tokens,
    Kind::State,
    Kind::Manifest,
    Kind::Delta,
    Kind::Export,
    Kind::Budget,
];

impl Kind {
    /// The path of the file. The budget names it itself.
    fn path(self, folder: &Path) -> PathBuf {
        let budgets = || fs::read_dir(folder).ok()?.next().map(|it| it.expect("a file").path());
        match self {
            Self::Manifest => folder.join("manifest.jsonl"),
            Self::Budget => budgets().unwrap_or_else(|| folder.join("none yet")),
            Self::Export => folder.join("answers.csv"),
            _ => folder.join("file"),
        }
    }

    /// Whatever writes it.
    fn uses(self, sandbox: &Sandbox, folder: &Path) -> Result<()> {
        let path = self.path(folder);
        let plain = || Client::from(client(sandbox, 400));
        let read = |client: Client| client.read_panel(ReadPanelRequest::new(sandbox.panel_id())).map(drop);
        match self {
            Self::Journal => {
                let options = ImportOptions::new(sandbox.panel_id(), "Email").journal(path);
                plain().import_members(options).wait(Rows::of([[("Email", "ada@private.example")]])).map(drop)
            }
            Self::Recording => read(Client::new(sandbox.client().record(path).resolve()?)?),
            Self::Tokens => read(Client::new(sandbox.client().token_file(path).resolve()?)?),
            Self::Budget => {
                let client = sandbox.client().budget(BudgetMode::HardStop).budget_loopback(true);
                // A process opens a file once; by another path it is another one.
                let name = folder.file_name().expect("a name");
                let times = OPENED.fetch_add(1, Ordering::Relaxed);
                let folder = (0..times).fold(folder.to_owned(), |path, _| path.join("..").join(name));
                read(Client::new(client.budget_folder(folder).resolve()?)?)
            }
            Self::State => {
                let (panels, person) = ([sandbox.panel_id()], "ada@erased.example");
                // The token of the erasure that the receipt is about.
                let begun = path.is_file().then(|| fs::read(&path).expect("a receipt"));
                let begun =
                    begun.map(|text| serde_json::from_slice::<serde_json::Value>(&text).expect("JSON"));
                let token = if let Some(begun) = begun {
                    begun["token"].as_str().expect("a token").to_owned()
                } else {
                    let member = NewMember::of([("Email", person)]);
                    plain().create_members(CreateMembersRequest::new(sandbox.panel_id(), [member]))?;
                    let planned = PlanErasePersonOptions::new(panels, "Email", person, false);
                    plain().plan_erase_person(planned)?.token
                };
                let options = ErasePersonOptions::new(panels, "Email", person, false, path, token);
                plain().erase_person(options).map(drop)
            }
            Self::Manifest => plain()
                .archive_answers(ArchiveOptions::new(sandbox.feedback_survey_id(), folder))
                .wait()
                .map(drop),
            Self::Delta => {
                let delta = client(sandbox, 400).interviews(sandbox.feedback_survey_id()).delta(path);
                wait(async move { delta.begin().await?.commit() })
            }
            Self::Export => {
                let survey = client(sandbox, 400).interviews(sandbox.feedback_survey_id());
                wait(survey.export(path).run()).map(drop)
            }
        }
    }
}

#[test]
fn files_that_others_could_read_are_narrowed_when_they_are_used() {
    let (folder, sandbox) = (Folder::new("narrowed"), Sandbox::demo_blocking().expect("a sandbox"));
    for kind in KINDS {
        let own = folder.0.join(format!("{kind:?}"));
        fs::create_dir(&own).expect("a folder");
        for round in ["new", "used"] {
            kind.uses(&sandbox, &own).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
            // The budget's file is the only one in its folder.
            let path = kind.path(&own);
            assert_eq!(mode(&path), 0o600, "{kind:?}, {round}");
            fs::set_permissions(&path, Permissions::from_mode(0o666)).expect("widened");
        }
        kind.uses(&sandbox, &own).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        assert_eq!(mode(&kind.path(&own)), 0o600, "{kind:?}");
    }
    // Empty ones, too.
    for kind in [Kind::Journal, Kind::Recording] {
        let path = folder.0.join(format!("empty {kind:?}/file"));
        let own = path.parent().expect("a folder");
        fs::create_dir(own).expect("a folder");
        fs::write(&path, "").expect("written");
        fs::set_permissions(&path, Permissions::from_mode(0o666)).expect("widened");
        kind.uses(&sandbox, own).unwrap_or_else(|error| panic!("{kind:?}: {error}"));
        assert_eq!(mode(&path), 0o600, "{kind:?}");
    }
    // What is not a file of the library keeps its permissions.
    let thesis = folder.0.join("file");
    fs::write(&thesis, "a thesis\n").expect("written");
    fs::set_permissions(&thesis, Permissions::from_mode(0o664)).expect("widened");
    Kind::Journal.uses(&sandbox, &folder.0).expect_err("not a journal");
    assert_eq!(mode(&thesis), 0o664);
}

/// A named pipe would wait for another process for ever, and a device could do anything.
#[test]
fn what_is_not_a_regular_file_is_refused_at_once() {
    let (folder, sandbox) = (Folder::new("kinds"), Sandbox::demo_blocking().expect("a sandbox"));
    for kind in KINDS {
        let own = folder.0.join(format!("{kind:?}"));
        fs::create_dir(&own).expect("a folder");
        if let Kind::Budget = kind {
            // Its name is known only afterwards.
            kind.uses(&sandbox, &own).expect("a count");
        }
        let path = kind.path(&own);
        let _ = fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
        let used = kind.uses(&sandbox, &own);
        if let Kind::Tokens = kind {
            used.expect("a store that is of no use fails no call");
        } else {
            let error = used.expect_err(&format!("{kind:?}")).to_string();
            assert!(
                error.contains("not a regular file") || error.contains("is not a file"),
                "{kind:?}: {error}"
            );
        }
        assert!(fs::symlink_metadata(&path).is_ok_and(|about| about.file_type().is_fifo()), "{kind:?}");
    }
    let error = JournalSummary::read(folder.0.join("Journal/file")).expect_err("a pipe").to_string();
    assert!(error.contains("it is a named pipe, not a regular file"), "{error}");
    let replay = sandbox.client().replay(folder.0.join("Recording/file"));
    let read = |client: Client| client.read_panel(ReadPanelRequest::new(sandbox.panel_id()));
    let replayed = replay.resolve().and_then(Client::new).and_then(read).expect_err("a pipe").to_string();
    assert!(replayed.contains("it is a named pipe, not a regular file"), "{replayed}");
    let effects = sandbox.ledger().effects("*");
    assert!(effects.iter().all(|it| it.count == 1), "only the person to erase was created: {effects:?}");
}
