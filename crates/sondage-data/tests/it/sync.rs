//! Stores that are kept equal to a survey, over HTTP from the sandbox.

use crate::folder::Folder;
use crate::support::service::{client, wait};
use crate::support::values;
use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::json;
use sondage::arguments::InterviewState;
use sondage::model::DeleteInterviewRequest;
use sondage::reports::SyncReport;
use sondage::{Error, ErrorKind};
use sondage_data::{Destination as _, FileFormat, Interviews, ParquetFile, Tables};
use sondage_sandbox::{AcceptedAnswers, Fault, FaultAction, Sandbox};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

const OPERATION: &str = "ReadInterviewListCompact";

pub fn sandbox() -> Sandbox {
    Sandbox::demo_blocking().expect("a sandbox")
}

pub fn feedback(sandbox: &Sandbox) -> Interviews {
    client(sandbox, 20).interviews(sandbox.feedback_survey_id())
}

fn run(query: &Interviews, path: &Path) -> Result<SyncReport, Error> {
    let sync = query.sync(ParquetFile::new(path));
    wait(async move { sync.run().await })
}

fn sync(query: &Interviews, path: &Path) -> SyncReport {
    run(query, path).expect("a sync")
}

/// Every row of a file, as text with the names of its columns, sorted.
pub fn of_file(path: &Path) -> Vec<String> {
    let reader =
        ParquetRecordBatchReaderBuilder::try_new(File::open(path).expect("a file")).expect("Parquet");
    let batches: Vec<RecordBatch> =
        reader.build().expect("rows").map(|batch| batch.expect("a batch")).collect();
    let mut rows = Vec::new();
    for batch in batches {
        rows.extend(shown(&batch));
    }
    rows.sort();
    rows
}

/// The cells that have a value, by the names of their columns.
fn shown(batch: &RecordBatch) -> Vec<String> {
    let mut lines = vec![Vec::new(); batch.num_rows()];
    for (field, array) in batch.schema().fields().iter().zip(batch.columns()) {
        for (row, line) in lines.iter_mut().enumerate() {
            if array.is_valid(row) {
                let cell = array.slice(row, 1);
                line.push(format!("{}={cell:?}", field.name()));
            }
        }
    }
    let mut lines: Vec<String> = lines
        .into_iter()
        .map(|mut line| {
            line.sort();
            line.join(" ")
        })
        .collect();
    lines.sort();
    lines
}

/// What a download of everything has.
pub fn expected(query: &Interviews, folder: &Path) -> Vec<String> {
    let path = folder.join("expected.parquet");
    let (query, to) = (query.clone(), path.clone());
    wait(async move { query.table().await?.save(&to, FileFormat::Parquet) }).expect("a file");
    let found = of_file(&path);
    fs::remove_file(path).expect("removed");
    found
}

pub fn ids(query: &Interviews) -> Vec<String> {
    let query = query.clone().fields(["Id"]);
    values(&wait(async move { query.table().await }).expect("a table"), "Id")
}

fn store(folder: &Folder) -> PathBuf {
    folder.0.join("survey.parquet")
}

#[test]
fn a_file_is_equal_to_the_survey_after_every_sync() {
    let (sandbox, folder) = (sandbox(), Folder::new("sync-file"));
    let (query, path) = (feedback(&sandbox), store(&folder));
    let first = sync(&query, &path);
    let all = of_file(&path);
    assert!(first.complete && first.rows == all.len() as u64 && first.added == first.rows, "{first:?}");
    assert_eq!(all, expected(&query, &folder.0));
    assert_eq!(folder.names(), ["survey.parquet"]);

    let nothing = sync(&query, &path);
    assert_eq!(
        (nothing.added, nothing.changed, nothing.removed, nothing.unchanged),
        (0, 0, 0, first.rows),
        "{nothing:?}"
    );
    assert!(!nothing.complete);

    sandbox.clock().advance(Duration::from_secs(60));
    let open = query.clone().state(InterviewState::NotResponded);
    let unanswered = ids(&open);
    assert!(answer(&sandbox, &unanswered[0]));
    let changed = sync(&query, &path);
    assert_eq!((changed.added, changed.changed, changed.removed), (0, 1, 0), "{changed:?}");
    assert_eq!(of_file(&path), expected(&query, &folder.0));
    assert_eq!(sync(&query, &path).changed, 0, "the change is not counted twice");

    delete(&sandbox, &unanswered[1]);
    let removed = sync(&query, &path);
    assert_eq!((removed.removed, removed.rows), (1, first.rows - 1), "{removed:?}");
    assert_eq!(of_file(&path), expected(&query, &folder.0));
    assert_eq!(folder.names(), ["survey.parquet"], "no pages are left");
}

/// Answers with values that fit their columns.
pub fn answer(sandbox: &Sandbox, id: &str) -> bool {
    sandbox.complete_interview(id, &[("since", json!("2024-02-03"))])
}

pub fn delete(sandbox: &Sandbox, id: &str) {
    let (service, survey, id) = (client(sandbox, 20), sandbox.feedback_survey_id(), id.to_owned());
    wait(async move { service.delete_interview(DeleteInterviewRequest::new(survey, id)).await })
        .expect("deleted");
}

fn refused() -> FaultAction {
    FaultAction::Status { status: 400, headers: [].into(), body: None }
}

#[test]
fn columns_that_differ_change_nothing_unless_they_may() {
    let (sandbox, folder) = (sandbox(), Folder::new("sync-evolve"));
    let (query, path) = (feedback(&sandbox), store(&folder));
    let first = sync(&query, &path);
    let before = fs::read(&path).expect("there");
    let open = ids(&query.clone().state(InterviewState::NotResponded));
    sandbox.clock().advance(Duration::from_secs(60));
    sandbox.change_profile(|profile| profile.accepted_answers = AcceptedAnswers::Any);
    assert!(sandbox.complete_interview(&open[0], &[("since", json!("long ago"))]));
    let error = run(&query, &path).expect_err("another type");
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().contains("`since` was date, and is text now"), "{error}");
    assert_eq!(fs::read(&path).expect("there"), before);
    assert_eq!(folder.names(), ["survey.parquet"]);

    let evolving = query.sync(ParquetFile::new(&path)).evolve(true);
    let report = wait(async move { evolving.run().await }).expect("a sync");
    assert!(
        report.complete && report.columns_changed == ["since"] && report.rows == first.rows,
        "{report:?}"
    );
    assert_eq!(of_file(&path), expected(&query, &folder.0));
    assert_eq!(sync(&query, &path).changed, 0);
}

#[test]
fn a_store_that_does_not_belong_to_the_query_is_left_alone() {
    let (sandbox, folder) = (sandbox(), Folder::new("sync-foreign"));
    let (query, path) = (feedback(&sandbox), store(&folder));
    sync(&query, &path);
    let before = fs::read(&path).expect("there");
    let other = query.clone().completed();
    let said = |query: &Interviews| run(query, &path).expect_err("refused").to_string();
    assert!(said(&other).contains("belongs to another query"), "{}", said(&other));
    assert!(said(&client(&sandbox, 20).interviews(sandbox.survey_id())).contains("belongs to another query"));
    assert_eq!(fs::read(&path).expect("there"), before);

    // Rows that somebody has removed with the state kept: as a program that filters the file would.
    let mut held = ParquetFile::new(&path);
    assert!(held.state().expect("a state").is_some());
    assert!(said(&query).contains("another sync is writing"), "{}", said(&query));
    drop(held);

    let (table, plain) = (query.clone(), path.clone());
    wait(async move { table.table().await?.save(&plain, FileFormat::Parquet) }).expect("a file");
    assert!(said(&query).contains("was not made by a sync"), "{}", said(&query));
    fs::write(&path, "PAR1").expect("written");
    assert!(said(&query).contains("cannot be read as a Parquet file"), "{}", said(&query));
    assert_eq!(fs::read(&path).expect("there"), b"PAR1");
    let nowhere = folder.0.join("none").join("survey.parquet");
    assert!(run(&query, &nowhere).expect_err("no folder").to_string().contains("no folder"));
    assert!(
        run(&query, &folder.0.join("survey.csv")).expect_err("CSV").to_string().contains("named like CSV")
    );
}

/// Whatever fails while the changes are read, the file stays as it was, and the next sync makes it equal.
#[test]
fn a_sync_that_fails_has_changed_nothing() {
    let (sandbox, folder) = (sandbox(), Folder::new("sync-fails"));
    let (query, path) = (feedback(&sandbox), store(&folder));
    let fault = sandbox.fault(Fault::on(OPERATION).skip(1).every().action(refused()));
    assert!(run(&query, &path).is_err());
    fault.remove();
    assert_eq!(folder.names(), [""; 0], "nothing is left of the first sync");
    sync(&query, &path);
    let before = fs::read(&path).expect("there");
    let open = ids(&query.clone().state(InterviewState::NotResponded));
    sandbox.clock().advance(Duration::from_secs(60));
    assert!(answer(&sandbox, &open[0]));
    delete(&sandbox, &open[1]);
    let fault = sandbox.fault(Fault::on(OPERATION).skip(1).every().action(refused()));
    assert!(run(&query, &path).is_err());
    fault.remove();
    assert_eq!(
        (fs::read(&path).expect("there"), folder.names()),
        (before, vec!["survey.parquet".to_owned()])
    );
    sync(&query, &path);
    assert_eq!(of_file(&path), expected(&query, &folder.0));
}
