//! Journals that are not files, and how a job finds them.

use sondage::error::CallersError;
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::{Existing, ImportOptions, JournalPlace};
use sondage_jobs::{JournalStore, JournalSummary, RowStatus, Rows};
use sondage_sandbox::Sandbox;
use std::io;
use std::sync::{Arc, Mutex};

/// A table that does not exist.
struct Refused;
impl JournalStore for Refused {
    fn name(&self) -> String {
        "a table".to_owned()
    }
    fn open(&mut self, _: &mut dyn FnMut(&str)) -> io::Result<()> {
        Err(io::Error::other(CallersError::of("no such table".parse::<i64>().unwrap_err())))
    }
    fn append(&mut self, _: &[String]) -> io::Result<()> {
        Ok(())
    }
    fn forget_last(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn clear(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn people() -> Rows {
    Rows::of([[("Email", "ada@example.com")]])
}

/// Options pass a store of the caller to one job; the store's error is the source of the job's error.
#[test]
fn a_store_in_options_serves_one_job() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let mut options = ImportOptions::new(sandbox.panel_id(), "Email");
    options.journal = Some(JournalPlace::store(Refused));
    assert_eq!(format!("{:?}", options.journal), "Some(Store(\"a table\"))");
    let again = options.clone();
    assert_eq!(options, again);
    let client = sandbox.client().build_blocking().expect("a client");
    let error = client.import_members(options).wait(people()).expect_err("the table is missing");
    assert!(error.to_string().contains("the journal a table cannot be used (invalid digit"), "{error}");
    let source = std::error::Error::source(&error).expect("the store's own error");
    assert!(source.is::<std::num::ParseIntError>(), "{source:?}");
    let error = client.import_members(again).wait(people()).expect_err("it was taken");
    assert!(error.to_string().contains("the journal a table was given to another job"), "{error}");
    assert!(sandbox.ledger().requests("CreateMembers").is_empty());
}

/// What each write of an import was.
#[derive(Clone, Default)]
struct Flushed(Arc<Mutex<Vec<String>>>);

impl JournalStore for Flushed {
    fn name(&self) -> String {
        "a list".to_owned()
    }
    fn open(&mut self, _: &mut dyn FnMut(&str)) -> io::Result<()> {
        Ok(())
    }
    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        let kinds: Vec<&str> = lines.iter().filter_map(|line| line.split('"').nth(3)).collect();
        self.0.lock().expect("a lock").push(kinds.join("+"));
        Ok(())
    }
    fn forget_last(&mut self) -> io::Result<()> {
        Ok(())
    }
    fn clear(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Each write is a flush to disk: a response is recorded with the next chunk.
#[test]
fn a_chunk_takes_one_flush_of_the_journal() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let client = sandbox.client().build_blocking().expect("a client");
    let flushed = Flushed::default();
    let mut options = ImportOptions::new(sandbox.panel_id(), "Email").chunk_size(2_usize);
    options.journal = Some(JournalPlace::store(flushed.clone()));
    let people =
        ["ada", "bea", "cleo", "dora", "eve"].map(|name| [("Email", format!("{name}@flush.example"))]);
    let report = client.import_members(options).wait(Rows::of(people)).expect("a report");
    assert!(report.is_complete(), "{report}");
    assert_eq!(flushed.0.lock().expect("a lock").join(" "), "job rows send got+send got+send got final end");
}

/// It has an outcome for each row, but of another wish: nothing is changed, and nobody may take it for done.
#[test]
fn a_complete_journal_does_not_answer_for_other_treatment_of_existing_members() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let client = sandbox.client().build_blocking().expect("a client");
    let journal = std::env::temp_dir().join(format!("sondage-existing-{}.journal", std::process::id()));
    let _ = std::fs::remove_file(&journal);
    let import = |name: &str, existing| {
        let options = ImportOptions::new(sandbox.panel_id(), "Email").existing(existing);
        let rows = Rows::of([[("Email", "ada@existing.example"), ("FirstName", name)]]);
        client.import_members(options.journal(journal.clone())).wait(rows)
    };
    let options = ImportOptions::new(sandbox.panel_id(), "Email");
    let other = options.journal(JournalPlace::store(Flushed::default()));
    client.import_members(other).wait(Rows::of([[("Email", "ada@existing.example")]])).expect("a report");
    let left = import("Ada", Existing::Skip).expect("a report");
    assert_eq!(left.count(RowStatus::Exists), 1, "{left}");
    for wish in [Existing::Update, Existing::Error] {
        let error = import("Ada", wish).expect_err("it was left unchanged").to_string();
        assert!(error.contains("left existing members unchanged: 1. Nothing was sent."), "{error}");
    }
    assert_eq!(import("Ada", Existing::Skip).expect("the same report").count(RowStatus::Exists), 1);
    std::fs::remove_file(journal).expect("a journal");
}

/// To show a journal is not to run a job.
#[test]
fn a_journal_that_is_not_there_cannot_be_shown() {
    let error = JournalSummary::read("no/such/journal").expect_err("no file").to_string();
    assert!(
        error.contains("no/such/journal cannot be read") && !error.contains("nothing is sent"),
        "{error}"
    );
}
