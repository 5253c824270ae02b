//! `sondage sync` as a program: a file, and a table of `SQLite`.

use rusqlite::Connection;
use sondage_sandbox::{AcceptedAnswers, Fault, FaultAction, Sandbox};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn command(sandbox: &Sandbox, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sondage"));
    command.arg("sync").args(arguments);
    command.env("SONDAGE_BASE_URL", sandbox.base_url()).env("SONDAGE_AUTH_URL", sandbox.auth_url());
    command.env("SONDAGE_TENANT", sandbox.tenant()).env("SONDAGE_CLIENT_SECRET", sandbox.client_secret());
    command
}

fn sync(sandbox: &Sandbox, arguments: &[&str]) -> Output {
    command(sandbox, arguments).output().unwrap()
}

fn said(done: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr))
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The ids and states of all rows.
fn rows(path: &Path) -> Vec<(String, Option<String>)> {
    let database = Connection::open(path).unwrap();
    let mut found = database.prepare("SELECT Id, State FROM answers ORDER BY Id").unwrap();
    found.query_map((), |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
}

/// The same of a store that is new.
fn expected(sandbox: &Sandbox, folder: &Path) -> Vec<(String, Option<String>)> {
    let path = folder.join("new.sqlite");
    let survey = sandbox.feedback_survey_id().to_string();
    let done = sync(sandbox, &[&survey, &path.to_string_lossy(), "--table", "answers", "--fields", "State"]);
    assert!(done.status.success(), "{}", said(&done));
    let found = rows(&path);
    fs::remove_file(path).unwrap();
    found
}

#[test]
fn a_file_and_a_table_follow_the_survey() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (folder, survey) = (folder("sync-command"), sandbox.feedback_survey_id().to_string());
    let (file, path) = (folder.join("s.parquet"), folder.join("s.sqlite"));
    let (file, database) = (file.to_string_lossy(), path.to_string_lossy());
    for store in [&[&*file][..], &[&*database, "--table", "answers"]] {
        let arguments = [&[survey.as_str()][..], store, &["--fields", "State"]].concat();
        let first = sync(&sandbox, &arguments);
        assert!(first.status.success() && said(&first).contains(" 0 changed, 0 removed"), "{}", said(&first));
        let again = sync(&sandbox, &[&["--json"][..], &arguments].concat());
        assert!(again.status.success() && said(&again).contains("\"added\":0"), "{}", said(&again));
    }
    let before = rows(&path);
    assert_eq!(before, expected(&sandbox, &folder));
    sandbox.clock().advance(Duration::from_secs(60));
    let open = before.iter().find(|(_, state)| state.as_deref() == Some("NotResponded")).unwrap();
    assert!(sandbox.complete_interview(&open.0, &[]));
    let done = sync(&sandbox, &[&survey, &database, "--table", "answers", "--fields", "State"]);
    assert!(said(&done).contains("0 added, 1 changed, 0 removed"), "{}", said(&done));
    assert_eq!(rows(&path), expected(&sandbox, &folder));
    // The name of a table has no case.
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE Notes (a); INSERT INTO Notes VALUES (1)")
        .unwrap();
    let foreign = sync(&sandbox, &[&survey, &database, "--table", "notes", "--fields", "State"]);
    assert!(said(&foreign).contains("was not made by a sync"), "{}", said(&foreign));
    let kept =
        Connection::open(&path).unwrap().query_row("SELECT a FROM Notes", (), |row| row.get::<_, i64>(0));
    assert_eq!(kept, Ok(1));
    let other = sync(&sandbox, &[&survey, &database, "--table", "answers"]);
    assert!(!other.status.success() && said(&other).contains("belongs to another query"), "{}", said(&other));
    Connection::open(&path).unwrap().execute("DELETE FROM answers WHERE Id = ?1", [&before[0].0]).unwrap();
    let altered = sync(&sandbox, &[&survey, &database, "--table", "answers", "--fields", "State"]);
    assert!(said(&altered).contains("somebody has altered it"), "{}", said(&altered));
}

#[test]
fn a_table_keeps_the_columns_of_others() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (folder, survey) = (folder("sync-others"), sandbox.feedback_survey_id().to_string());
    let path = folder.join("s.sqlite");
    let text = path.to_string_lossy().into_owned();
    let fields = ["--table", "answers", "--fields", "State,since"];
    let arguments = [&[survey.as_str(), &*text][..], &fields].concat();
    assert!(sync(&sandbox, &arguments).status.success());
    let database = Connection::open(&path).unwrap();
    let columns = || -> Vec<String> {
        let mut found =
            database.prepare("SELECT name FROM pragma_table_info('answers') ORDER BY name").unwrap();
        found.query_map((), |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert_eq!(columns(), ["Id", "State", "since"], "and nothing that only the sync needs");
    database
        .execute_batch("ALTER TABLE answers ADD COLUMN note TEXT; UPDATE answers SET note = 'of ' || Id")
        .unwrap();
    let open = "SELECT Id FROM answers WHERE State = 'NotResponded' LIMIT 1";
    let open: String = database.query_row(open, (), |row| row.get(0)).unwrap();
    sandbox.clock().advance(Duration::from_secs(60));
    sandbox.change_profile(|profile| profile.accepted_answers = AcceptedAnswers::Any);
    assert!(sandbox.complete_interview(&open, &[("since", "long ago".into())]));
    let done = sync(&sandbox, &[&arguments[..], &["--evolve"]].concat());
    let all: i64 = database.query_row("SELECT count(*) FROM answers", (), |row| row.get(0)).unwrap();
    assert!(said(&done).contains(&format!("0 added, {all} changed, 0 removed")), "{}", said(&done));
    let others = "SELECT count(*) FROM answers WHERE note IS NOT 'of ' || Id";
    assert_eq!(database.query_row(others, (), |row| row.get(0)), Ok(0));
    let since = format!("SELECT since FROM answers WHERE Id = '{open}'");
    assert_eq!(database.query_row(&since, (), |row| row.get(0)), Ok("long ago".to_owned()));
    database.execute_batch("ALTER TABLE answers DROP COLUMN State").unwrap();
    let lost = sync(&sandbox, &arguments);
    assert!(!lost.status.success() && said(&lost).contains("has lost columns"), "{}", said(&lost));
    assert_eq!(columns(), ["Id", "note", "since"]);
}

#[test]
fn what_is_no_store_is_a_sentence() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (folder, survey) = (folder("sync-refused"), sandbox.feedback_survey_id().to_string());
    let text = folder.join("text.db");
    fs::write(
        &text,
        "a text that is long enough to be no header of a database, whatever it is called, and then some",
    )
    .unwrap();
    let full = folder.join("full.db");
    Connection::open(&full).unwrap().execute_batch("CREATE TABLE answers (a INTEGER)").unwrap();
    for (store, words) in [
        (text, "not a database of SQLite"),
        (full, "was not made by a sync"),
        (folder.join("none").join("s.db"), "was not changed"),
        (folder.join("s.csv"), "named like CSV"),
    ] {
        let table = if store.extension().is_some_and(|ending| ending == "db") {
            &["--table", "answers"][..]
        } else {
            &[]
        };
        let done = sync(&sandbox, &[&[survey.as_str(), &store.to_string_lossy()][..], table].concat());
        assert!(!done.status.success() && said(&done).contains(words), "{}", said(&done));
    }
    let done = sync(&sandbox, &[&survey, "s.parquet", "--table", "answers"]);
    assert!(
        done.status.code() == Some(2) && said(&done).contains("--table is for a database"),
        "{}",
        said(&done)
    );
}

/// `SONDAGE_SYNC_KILLS=1000`: the long form.
#[test]
#[cfg(unix)]
fn a_table_survives_kills() {
    let kills: u64 =
        std::env::var("SONDAGE_SYNC_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(24) / 3;
    let sandbox = Sandbox::demo_blocking().unwrap();
    let (folder, survey) = (folder("sync-kills"), sandbox.feedback_survey_id().to_string());
    let path = folder.join("s.sqlite");
    let arguments = [
        survey.as_str(),
        &path.to_string_lossy(),
        "--table",
        "answers",
        "--fields",
        "State",
        "--page-size",
        "5",
    ];
    let begun = Instant::now();
    assert!(sync(&sandbox, &arguments).status.success());
    let (one, mut hits) = (begun.elapsed(), 0);
    for number in 0..kills {
        sandbox.clock().advance(Duration::from_secs(60));
        let changed = rows(&path).into_iter().nth(usize::try_from(number * 7 % 20).unwrap());
        if let Some((id, _)) = changed {
            sandbox.complete_interview(&id, &[]);
        }
        // The service sends a page twice: to the program that is killed, or to the one after it.
        let doubled = (number % 3 == 0).then(|| {
            let fault = Fault::on("ReadInterviewListCompact").skip(number % 9);
            sandbox.fault(fault.action(FaultAction::RepeatPage))
        });
        let mut child = command(&sandbox, &arguments).spawn().unwrap();
        sleep(one * u32::try_from(number % 16).unwrap() / 12);
        let _ = child.kill();
        let _ = child.wait();
        let done = sync(&sandbox, &arguments);
        assert!(done.status.success(), "{}", said(&done));
        if let Some(fault) = doubled {
            hits += fault.hits();
            fault.remove();
        }
        assert_eq!(rows(&path), expected(&sandbox, &folder), "after {number}");
    }
    assert!(hits > 0);
}

/// A limit of the size of files, which is what a full disk is to a program that writes.
#[test]
#[cfg(unix)]
fn a_table_on_a_full_disk_stays_as_it_was() {
    let sandbox = Sandbox::demo_blocking().unwrap();
    let folder = folder("sync-full");
    let (feedback, large) = (sandbox.feedback_survey_id().to_string(), sandbox.survey_id().to_string());
    let path = folder.join("s.sqlite");
    let place = path.to_string_lossy().into_owned();
    assert!(sync(&sandbox, &[&feedback, &place, "--table", "answers", "--fields", "State"]).status.success());
    let before = rows(&path);
    let arguments = [&*large, &place, "--table", "more", "--page-size", "50"];
    let inner = command(&sandbox, &arguments);
    let mut limited = Command::new("sh");
    // 100 or 200 KiB, as the shell counts.
    limited.args(["-c", "trap '' XFSZ; ulimit -f 200; exec \"$@\"", "sh"]);
    limited.arg(inner.get_program()).args(inner.get_args());
    limited.envs(inner.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let full = limited.output().unwrap();
    let words = said(&full);
    assert!(!full.status.success(), "{words}");
    let where_and_what =
        [&*format!("the table `more` of `{place}` was not changed: "), "could not be written"];
    assert!(where_and_what.iter().all(|part| words.contains(part)), "{words}");
    assert!(words.contains("Make room there, and sync again"), "{words}");
    assert_eq!(rows(&path), before);
    let database = Connection::open(&path).unwrap();
    let more = "SELECT count(*) FROM sqlite_master WHERE name = 'more'";
    assert_eq!(database.query_row(more, (), |row| row.get::<_, i64>(0)), Ok(0));
    assert_eq!(database.query_row("PRAGMA integrity_check", (), |row| row.get(0)), Ok("ok".to_owned()));
    drop(database);
    let left: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(
        left.iter().all(|name| ["s.sqlite", "s.sqlite.lock"].contains(&&*name.to_string_lossy())),
        "{left:?}"
    );
    let done = sync(&sandbox, &arguments);
    assert!(done.status.success(), "{}", said(&done));
    let database = Connection::open(&path).unwrap();
    let (count, index) =
        ("SELECT count(*) FROM more", "SELECT count(*) FROM pragma_index_list('more') WHERE \"unique\"");
    assert_eq!(database.query_row(count, (), |row| row.get::<_, i64>(0)), Ok(944));
    assert_eq!(database.query_row(index, (), |row| row.get::<_, i64>(0)), Ok(1));
}
