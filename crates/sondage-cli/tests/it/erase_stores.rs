//! `sondage person erase --store`: an erased person leaves the stores that a sync keeps.
//!
//! A file, a folder of files, and a table of a database.

use rusqlite::Connection;
use sondage_sandbox::Sandbox;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command.args(arguments);
    command.env("SONDAGE_BASE_URL", sandbox.base_url()).env("SONDAGE_AUTH_URL", sandbox.auth_url());
    command.env("SONDAGE_TENANT", sandbox.tenant()).env("SONDAGE_CLIENT_SECRET", sandbox.client_secret());
    command.output().unwrap()
}

fn said(done: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("erase-stores");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn an_erased_person_leaves_a_file_a_folder_and_a_table() {
    let (sandbox, folder) = (Sandbox::demo_blocking().unwrap(), folder());
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (file, files) = (path("s.parquet"), path("answers"));
    let (database, other) = (path("s.sqlite"), path("other.parquet"));
    let survey = sandbox.feedback_survey_id().to_string();
    let sync = |survey: &str, store: &[&str]| {
        let done =
            run(&sandbox, &[&["sync", survey][..], store, &["--fields", "State,PanelMemberId"]].concat());
        assert!(done.status.success(), "{}", said(&done));
        said(&done)
    };
    let table = [&*database, "--table", "answers"];
    sync(&survey, &[&file]);
    sync(&survey, &[&files]);
    sync(&survey, &table);
    sync(&sandbox.survey_id().to_string(), &[&other]);
    let read = |statement: &str| -> Vec<(String, i64)> {
        let connection = Connection::open(&database).unwrap();
        let mut found = connection.prepare(statement).unwrap();
        found.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    };
    let all = read("SELECT Id, PanelMemberId FROM answers WHERE PanelMemberId IS NOT NULL ORDER BY Id");
    let (interview, member) = all.first().cloned().unwrap();
    let (panel, member) = (sandbox.panel_id().to_string(), member.to_string());
    let who = ["person", "erase", "--panel", &panel, "--key", "Id", "--value", &member];
    let plan = run(&sandbox, &[&["--json"][..], &who].concat());
    let plan: serde_json::Value =
        serde_json::from_slice(&plan.stdout).unwrap_or_else(|_| panic!("{}", said(&plan)));
    let (token, receipt) = (plan["token"].as_str().unwrap().to_owned(), path("receipt.json"));
    let erase = |stores: &[&str]| {
        run(&sandbox, &[&who[..], &["--receipt", &receipt, "--confirm", &token], stores].concat())
    };
    let nameless = erase(&["--store", &database]);
    assert!(said(&nameless).contains("a database needs --table") && !Path::new(&receipt).exists());

    let stores = ["--store", &file, "--store", &files, "--store", &database, "--table", "answers"];
    let useless = erase(&["--store", &files, "--table", "answers"]);
    assert!(said(&useless).contains("--table is for a database") && !Path::new(&receipt).exists());

    let done = erase(&stores);
    let text = said(&done);
    assert!(done.status.success() && text.matches("interviews removed: 1,").count() == 3, "{text}");
    assert_eq!(read("SELECT Id, 1 FROM answers").iter().filter(|(id, _)| *id == interview).count(), 0);
    assert_eq!(
        read("SELECT 'rows', count(*) FROM answers WHERE PanelMemberId IS NOT NULL")[0].1,
        i64::try_from(all.len()).unwrap() - 1
    );
    let parts = fs::read_dir(&files).unwrap().map(|part| part.unwrap().path());
    for store in parts.chain([PathBuf::from(&file), PathBuf::from(&database)]) {
        let bytes = fs::read(&store).unwrap();
        let found = bytes.windows(interview.len()).any(|bytes| bytes == interview.as_bytes());
        assert!(!found, "{} has the id of the interview", store.display());
    }
    // Nothing is removed twice: neither by the same erasure nor by the next sync.
    let again = erase(&stores);
    assert_eq!(said(&again).matches("interviews removed: 0,").count(), 3, "{}", said(&again));
    for store in [&[&*file][..], &[&*files], &table] {
        assert!(sync(&survey, store).contains("(0 added, 0 changed, 0 removed)"));
    }
    let foreign = erase(&["--store", &other]);
    let text = said(&foreign);
    assert!(
        foreign.status.code() == Some(1) && text.contains("of which the receipt has no erased interview"),
        "{text}"
    );
    let missing = erase(&["--store", &path("none.parquet")]);
    assert!(said(&missing).contains("so nothing was removed"), "{}", said(&missing));
}
