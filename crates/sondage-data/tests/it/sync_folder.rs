//! A folder of Parquet files that is kept equal to a survey, over HTTP from the sandbox.

use crate::folder::Folder;
use crate::support::service::{client, wait};
use crate::sync::{answer, delete, expected, feedback, ids, of_file, sandbox};
use serde_json::Value;
use sondage::Error;
use sondage::arguments::InterviewState;
use sondage::reports::SyncReport;
use sondage_data::{Destination as _, Interviews, ParquetFolder, Tables as _};
use sondage_sandbox::Sandbox;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn run(query: &Interviews, path: &Path) -> Result<SyncReport, Error> {
    let sync = query.sync(ParquetFolder::new(path));
    wait(async move { sync.run().await })
}

fn sync(query: &Interviews, path: &Path) -> SyncReport {
    run(query, path).expect("a sync")
}

/// The files that the manifest names.
fn files(path: &Path) -> Vec<PathBuf> {
    let manifest = fs::read_to_string(path.join("manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let names = manifest["files"].as_array().expect("a list").iter();
    names.map(|file| path.join(file["name"].as_str().expect("a name"))).collect()
}

fn rows(path: &Path) -> Vec<String> {
    let mut rows: Vec<String> = files(path).iter().flat_map(|file| of_file(file)).collect();
    rows.sort();
    rows
}

fn names(path: &Path) -> Vec<String> {
    let entries = fs::read_dir(path).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn open(query: &Interviews, sandbox: &Sandbox) -> Vec<String> {
    let open = ids(&query.clone().state(InterviewState::NotResponded));
    sandbox.clock().advance(Duration::from_secs(60));
    open
}

#[test]
fn a_folder_is_equal_to_the_survey_after_every_sync() {
    let (sandbox, folder) = (sandbox(), Folder::new("sync-folder"));
    let (query, path) = (feedback(&sandbox), folder.0.join("survey"));
    let first = sync(&query, &path);
    assert!(first.complete && first.added > 20, "{first:?}");
    assert_eq!(rows(&path), expected(&query, &folder.0));
    assert_eq!(names(&path), ["manifest.json", "sondage-000001.parquet"]);
    let manifest = fs::read(path.join("manifest.json")).expect("there");
    assert_eq!(sync(&query, &path).unchanged, first.rows);
    assert_eq!(fs::read(path.join("manifest.json")).expect("there"), manifest);

    let unanswered = open(&query, &sandbox);
    assert!(answer(&sandbox, &unanswered[0]));
    delete(&sandbox, &unanswered[1]);
    // What a killed sync has left: a file that is complete, one that is not, and a manifest that was not renamed.
    fs::copy(&files(&path)[0], path.join("sondage-000002.parquet")).expect("copied");
    fs::write(path.join(".sondage-000003.parquet.new"), "PAR1").expect("written");
    fs::write(path.join(".manifest.json.new"), "{").expect("written");
    let second = sync(&query, &path);
    assert_eq!((second.added, second.changed, second.removed), (0, 1, 1), "{second:?}");
    assert_eq!(rows(&path), expected(&query, &folder.0));
    assert_eq!(names(&path), ["manifest.json", "sondage-000002.parquet"]);
}

#[test]
fn a_folder_that_is_no_store_of_the_query_is_left_alone() {
    let (sandbox, folder) = (sandbox(), Folder::new("sync-folder-foreign"));
    let (query, path) = (feedback(&sandbox), folder.0.join("survey"));
    sync(&query, &path);
    let said = |query: &Interviews| run(query, &path).expect_err("refused").to_string();
    let other = client(&sandbox, 20).interviews(sandbox.survey_id());
    assert!(said(&other).contains("belongs to another query"), "{}", said(&other));
    let mut held = ParquetFolder::new(&path);
    assert!(held.state().expect("a state").is_some());
    assert!(said(&query).contains("another sync is writing the folder"), "{}", said(&query));
    drop(held);

    let file = files(&path).remove(0);
    let bytes = fs::read(&file).expect("there");
    for changed in [Some(&bytes[1..]), None] {
        match changed {
            Some(bytes) => fs::write(&file, bytes).expect("written"),
            None => fs::remove_file(&file).expect("removed"),
        }
        assert!(said(&query).contains("was changed or removed since the last sync"), "{}", said(&query));
    }
    fs::write(&file, bytes).expect("restored");
    assert_eq!(sync(&query, &path).changed, 0);
    fs::write(path.join("manifest.json"), "{}").expect("written");
    assert!(said(&query).contains("the manifest of the folder"), "{}", said(&query));
    fs::remove_file(path.join("manifest.json")).expect("removed");
    assert!(said(&query).contains("its manifest was removed"), "{}", said(&query));
    assert!(file.exists(), "without a manifest nothing is known to be a leftover");

    let mine = folder.0.join("mine");
    fs::create_dir(&mine).expect("made");
    fs::write(mine.join("notes.txt"), "mine").expect("written");
    let refused = run(&query, &mine).expect_err("not empty").to_string();
    assert!(refused.contains("was not made by a sync"), "{refused}");
    assert_eq!(names(&mine), ["notes.txt"]);
}
