//! Everything that holds a lock for long × what somebody can do to the locked file meanwhile: the job stops before its next record,
//! and according to the sandbox's ledger nothing happens twice.

use super::Folder;
use crate::support::service::{client, wait};
use sondage::blocking::Client;
use sondage::condition::field;
use sondage::model::{CreateMembersRequest, NewMember};
use sondage::{Error, Result};
use sondage_data::Tables;
use sondage_jobs::Rows;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{
    ArchiveOptions, ErasePersonOptions, ImportOptions, PlanErasePersonOptions, SendMailOptions,
    SendOnceOptions,
};
use sondage_sandbox::{EffectKind, Fault, Sandbox};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Job {
    Import,
    Mails,
    Once,
    Archive,
    Export,
    Erasure,
}

const JOBS: [Job; 6] = [Job::Import, Job::Mails, Job::Once, Job::Archive, Job::Export, Job::Erasure];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Meddling {
    Removed,
    CopiedBack,
    /// By a file with other content.
    Replaced,
    FolderMoved,
}

const MEDDLINGS: [Meddling; 4] =
    [Meddling::Removed, Meddling::CopiedBack, Meddling::Replaced, Meddling::FolderMoved];

impl Meddling {
    fn begin(self, path: &Path) {
        let moved = path.with_extension("moved");
        match self {
            Self::Removed => fs::remove_file(path).expect("removed"),
            Self::CopiedBack => {
                fs::rename(path, &moved).expect("renamed");
                fs::copy(&moved, path).map(drop).expect("copied");
            }
            Self::Replaced => {
                fs::rename(path, &moved).expect("renamed");
                fs::write(path, "something else\n").expect("written");
            }
            Self::FolderMoved => {
                let folder = path.parent().expect("a folder");
                fs::rename(folder, folder.with_extension("moved")).expect("renamed");
            }
        }
    }

    /// What the errors say to do.
    fn end(self, path: &Path) {
        let (moved, saved) = (path.with_extension("moved"), sondage::files::with_ending(path, ".saved"));
        match self {
            Self::Replaced if saved.exists() => fs::rename(saved, path).expect("renamed"),
            // The folder of an export is gone when another run has completed it.
            Self::Replaced => drop(fs::rename(moved, path)),
            Self::FolderMoved => {
                let folder = path.parent().expect("a folder");
                // A run in between may have begun a new one.
                let _ = fs::remove_dir_all(folder);
                fs::rename(folder.with_extension("moved"), folder).expect("renamed");
            }
            Self::Removed | Self::CopiedBack => {}
        }
    }
}

struct Scene {
    sandbox: Sandbox,
    job: Job,
    folder: Folder,
    /// Of the job, which can be moved.
    own: PathBuf,
    /// Of the plan of an erasure.
    token: OnceLock<String>,
}

impl Scene {
    fn new(job: Job, meddling: Meddling) -> Self {
        let folder = Folder::new(&format!("lock-{job:?}-{meddling:?}"));
        let own = folder.0.join("own");
        fs::create_dir(&own).expect("a folder");
        let scene = Self {
            sandbox: Sandbox::demo_blocking().expect("a sandbox"),
            job,
            folder,
            own,
            token: OnceLock::new(),
        };
        if matches!(job, Job::Mails | Job::Erasure) {
            let request = CreateMembersRequest::new(scene.sandbox.panel_id(), people(&format!("{job:?}")));
            scene.client().create_members(request).expect("members");
        }
        scene
    }

    fn client(&self) -> Client {
        Client::from(client(&self.sandbox, 400))
    }

    /// Runs it. The error also of a report that it stopped.
    fn run(&self) -> Result<()> {
        let (panel, stopped) =
            (self.sandbox.panel_id(), |stopped: Option<Error>| stopped.map_or(Ok(()), Err));
        let journal = self.own.join("journal");
        match self.job {
            Job::Import => {
                let options = ImportOptions::new(panel, "Email")
                    .journal(journal)
                    .chunk_size(2_usize)
                    .quiet(Duration::ZERO);
                let rows = (0..6).map(|row| [("Email", format!("p{row}@lock.example"))]);
                stopped(self.client().import_members(options).wait(Rows::of(rows))?.stopped)
            }
            Job::Mails => {
                let options = SendMailOptions::new(panel, "us@example.com")
                    .message_template_id(self.sandbox.message_template_id())
                    .filter(field("Division").is_equal_to("Mails"));
                let plan = self.client().plan_send_mail(options.journal(journal))?;
                stopped(plan.wait(plan.token())?.stopped)
            }
            Job::Once => {
                let once = SendOnceOptions::new("key").folder(self.own.clone()).quiet(Duration::ZERO);
                let request = CreateMembersRequest::new(panel, people("Once"));
                self.client().send_once(once)?.create_members(request).map(drop)
            }
            Job::Archive => self
                .client()
                .archive_answers(ArchiveOptions::new(self.sandbox.feedback_survey_id(), &self.own))
                .wait()
                .map(drop),
            Job::Export => {
                let survey = client(&self.sandbox, 400).interviews(self.sandbox.survey_id()).fields(["age"]);
                let export = survey.export(self.folder.0.join("answers.csv"));
                wait(export.run()).map(drop)
            }
            Job::Erasure => {
                let (email, receipt) = ("p0@erasure.example", self.own.join("receipt.json"));
                let token = || -> Result<String> {
                    let plan = PlanErasePersonOptions::new([panel], "Email", email, false);
                    Ok(self.client().plan_erase_person(plan)?.token)
                };
                let token = self.token.get_or_init(|| token().expect("a plan"));
                let options = ErasePersonOptions::new([panel], "Email", email, false, receipt, token);
                self.client().erase_person(options).map(drop)
            }
        }
    }

    /// The call during which the file is changed, and how many come before it.
    fn call(&self) -> (&'static str, usize) {
        match self.job {
            Job::Import => ("CreateMembers", 1),
            Job::Mails => ("ExecuteSendMail", 1),
            Job::Once => ("CreateMembers", 0),
            Job::Archive => ("DownloadAnswers", 1),
            Job::Export => ("ReadInterviewListCompact", 1),
            Job::Erasure => ("DeleteMembers", 0),
        }
    }

    fn locked(&self) -> PathBuf {
        match self.job {
            Job::Import | Job::Mails => self.own.join("journal"),
            Job::Once => {
                let mut names =
                    fs::read_dir(&self.own).expect("a folder").map(|it| it.expect("a file").path());
                names.find(|path| path.extension().is_none()).expect("a journal")
            }
            Job::Archive => self.own.join("manifest.jsonl"),
            Job::Export => self.folder.0.join("answers.csv.part/lock"),
            Job::Erasure => self.own.join("receipt.json.lock"),
        }
    }

    fn is_stopped(&self, stopped: &Error) {
        let words = match self.job {
            Job::Import | Job::Mails | Job::Once => {
                "was removed or replaced while a job used it. Nothing more was sent"
            }
            Job::Archive => "was removed or replaced while it was written; nothing more was stored",
            Job::Export => "was removed or replaced during the download",
            Job::Erasure => "was removed or replaced while this run used it",
        };
        // A folder that is moved may also be missed by the write before the check.
        let is_missing =
            self.job == Job::Archive && stopped.to_string().contains("the archive cannot be written");
        assert!(is_missing || stopped.to_string().contains(words), "{:?}: {stopped}", self.job);
    }

    /// Everybody was reached, and nobody twice.
    fn each_once(&self, what: &str) {
        let ids = |operation: &str, kind| -> Vec<String> {
            let effects = self.sandbox.ledger().effects(operation).into_iter();
            effects.filter(|it| it.kind == kind).flat_map(|it| it.ids).collect()
        };
        let (ids, expected) = match self.job {
            Job::Import => (ids("CreateMembers", EffectKind::MembersCreated), 6),
            Job::Mails => (ids("ExecuteSendMail", EffectKind::MessagesSent), 4),
            Job::Once => (ids("CreateMembers", EffectKind::MembersCreated), 4),
            Job::Erasure => (ids("DeleteMembers", EffectKind::MembersDeleted), 1),
            Job::Archive | Job::Export => return,
        };
        let different: BTreeSet<&String> = ids.iter().collect();
        assert_eq!((ids.len(), different.len()), (expected, expected), "{what}: {ids:?}");
    }
}

fn people(division: &str) -> [NewMember; 4] {
    [0, 1, 2, 3].map(|number| {
        let email = format!("p{number}@{division}.example").to_lowercase();
        NewMember::of([("Email", email.as_str()), ("Division", division), ("Language", "de")])
    })
}

fn cell(job: Job, meddling: Meddling) {
    let (scene, what) = (Scene::new(job, meddling), format!("{job:?}, {meddling:?}"));
    let (operation, before) = scene.call();
    let skip = u64::try_from(before).expect("few");
    scene.sandbox.fault(Fault::on(operation).skip(skip).times(1).delay(Duration::from_secs(1)));
    let scene = &scene;
    let path = thread::scope(|scope| {
        let first = scope.spawn(|| scene.run());
        let begun = Instant::now();
        while scene.sandbox.ledger().requests(operation).len() <= before {
            assert!(begun.elapsed() < Duration::from_secs(300), "{what}: it does not come to that");
            thread::sleep(Duration::from_millis(1));
        }
        let path = scene.locked();
        meddling.begin(&path);
        // The same command again, at once. It is refused, or begins after the first has stopped. Only `send_once` would create a
        // folder that was moved, and know nothing of what is in it.
        let is_new = (job, meddling) == (Job::Once, Meddling::FolderMoved);
        let second = scope.spawn(move || if is_new { Ok(()) } else { scene.run() });
        match first.join().expect("no panic") {
            Err(stopped) => scene.is_stopped(&stopped),
            // Its only call was answered, and the answer is recorded.
            Ok(()) => assert_eq!(job, Job::Once, "{what}"),
        }
        drop(second.join().expect("no panic"));
        path
    });
    meddling.end(&path);
    scene.run().unwrap_or_else(|error| panic!("{what}: {error}"));
    scene.each_once(&what);
}

#[test]
fn a_job_whose_lock_is_taken_away_stops_and_nothing_happens_twice() {
    // They mostly wait for the sandbox.
    thread::scope(|scope| {
        for job in JOBS {
            scope.spawn(move || MEDDLINGS.into_iter().for_each(|meddling| cell(job, meddling)));
        }
    });
}

/// The state is not written, and the next load brings the changes again.
#[test]
fn a_load_whose_lock_is_taken_away_does_not_count() {
    let (folder, sandbox) = (Folder::new("lock-delta"), Sandbox::demo_blocking().expect("a sandbox"));
    for meddling in MEDDLINGS {
        let own = folder.0.join(format!("{meddling:?}"));
        fs::create_dir(&own).expect("a folder");
        let state = own.join("state");
        let survey = client(&sandbox, 400).interviews(sandbox.feedback_survey_id());
        let (delta, lock) = (survey.delta(&state), own.join("state.lock"));
        let load = {
            let delta = delta.clone();
            wait(async move { delta.begin().await }).expect("changes")
        };
        let rows = load.table.num_rows();
        meddling.begin(&lock);
        let error = load.commit().expect_err("another load may have used it").to_string();
        assert!(error.contains("the next load brings these changes again") && !state.exists(), "{error}");
        meddling.end(&lock);
        let again = wait(async move { delta.begin().await }).expect("changes");
        assert_eq!(again.table.num_rows(), rows, "{meddling:?}");
        again.commit().expect("written");
        assert!(!lock.exists(), "the lock is removed");
    }
}
