//! Journals of the stand-alone command in a database of `SQLite`.

use crate::support::command;
use rusqlite::Connection;
use sondage_sandbox::{EffectKind, Fault, Sandbox};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// A platform, a file of 30 people, and a folder of the test's own.
struct Place {
    sandbox: Sandbox,
    folder: PathBuf,
}

impl Place {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-sqlite-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let people: Vec<String> = (0..30).map(|row| format!("p{row}@sqlite.example,P{row}")).collect();
        fs::write(folder.join("people.csv"), format!("Email,FirstName\n{}\n", people.join("\n"))).unwrap();
        Self { sandbox: Sandbox::demo_blocking().unwrap(), folder }
    }

    fn database(&self) -> PathBuf {
        self.folder.join("jobs.db")
    }

    fn journal(&self, name: &str) -> String {
        format!("sqlite:{}#{name}", self.database().display())
    }

    fn run(&self, arguments: &[&str]) -> Output {
        command(&self.sandbox, arguments).env("XDG_STATE_HOME", &self.folder).output().unwrap()
    }

    fn import(&self, journal: &str, more: &[&str]) -> Output {
        let (panel, file) = (self.sandbox.panel_id().to_string(), self.folder.join("people.csv"));
        let file = file.display().to_string();
        let mut line = vec!["import", &panel, &file, "--key", "Email", "--chunk-size", "10", "--quiet", "1"];
        line.extend(["--journal", journal]);
        line.extend(more);
        self.run(&line)
    }

    fn created(&self) -> u64 {
        self.sandbox.ledger().count("*", EffectKind::MembersCreated)
    }

    fn lines(&self, journal: &str) -> i64 {
        let database = Connection::open(self.database()).unwrap();
        let count = "SELECT count(*) FROM sondage_journal WHERE journal = ?1";
        database.query_row(count, [journal], |row| row.get(0)).unwrap()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn an_import_resumes_from_a_database_and_creates_everybody_once() {
    let place = Place::new("resume");
    let journal = place.journal("people");
    // The second chunk and all after it are created, and their responses are lost; nobody can look.
    let faults = [
        Fault::on("CreateMembers").skip(1).every().cut_after_effect(),
        Fault::on("ReadMemberList").skip(2).every().status(500),
    ];
    let faults = faults.map(|fault| place.sandbox.fault(fault));
    let cut = place.import(&journal, &[]);
    for fault in faults {
        fault.remove();
    }
    assert!(!cut.status.success(), "{}", told(&cut));
    let shown = place.run(&["journal", "show", &journal]);
    assert!(told(&shown).contains("import_members"), "{}", told(&shown));

    let done = place.import(&journal, &[]);
    assert!(done.status.success(), "{}", told(&done));
    assert_eq!(place.created(), 30);

    // A finished journal reports, and sends nothing.
    let again = place.import(&journal, &[]);
    assert!(again.status.success() && told(&again).contains("30 created"), "{}", told(&again));
    assert_eq!(place.created(), 30);

    // Another journal of the same database knows nothing of it: the people are found by their keys.
    let other = place.import(&place.journal("other"), &[]);
    assert!(other.status.success(), "{}", told(&other));
    assert_eq!(place.created(), 30);
    assert!(place.lines("people") > 0 && place.lines("other") > 0);
}

#[test]
fn a_database_has_one_user_at_a_time_and_one_owner() {
    let place = Place::new("busy");
    assert!(place.import(&place.journal("people"), &[]).status.success());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(place.database()).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let other = Connection::open(place.database()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let refused = place.import(&place.journal("other"), &[]);
    assert!(!refused.status.success(), "{}", told(&refused));
    assert!(told(&refused).contains("another run uses the journal sqlite:"), "{}", told(&refused));
    assert_eq!(place.created(), 30);
}

#[test]
fn what_is_no_database_is_refused_and_left_as_it_is() {
    let place = Place::new("foreign");
    let text = "a file of somebody else, which is longer than the header of a database\n".repeat(20);
    fs::write(place.database(), &text).unwrap();
    let refused = place.import(&place.journal("people"), &[]);
    assert!(!refused.status.success() && told(&refused).contains("is not a journal"), "{}", told(&refused));
    assert_eq!(fs::read_to_string(place.database()).unwrap(), text);

    let missing = format!("sqlite:{}/no/folder/jobs.db", place.folder.display());
    let refused = place.import(&missing, &[]);
    assert!(!refused.status.success() && told(&refused).contains("cannot be used"), "{}", told(&refused));
    assert_eq!(place.created(), 0);
}

#[test]
fn a_dry_run_and_a_look_leave_no_database() {
    let place = Place::new("dry");
    let planned = place.import(&place.journal("people"), &["--dry-run"]);
    assert!(planned.status.success(), "{}", told(&planned));
    let shown = place.run(&["journal", "show", &place.journal("people")]);
    assert!(!shown.status.success() && told(&shown).contains("is empty"), "{}", told(&shown));
    assert!(!Path::new(&place.database()).exists());
}

#[test]
fn a_damaged_line_stops_the_job() {
    let place = Place::new("damaged");
    let journal = place.journal("people");
    assert!(place.import(&journal, &[]).status.success());
    let database = Connection::open(place.database()).unwrap();
    database.execute("DELETE FROM sondage_journal WHERE number = 2", ()).unwrap();
    drop(database);
    let refused = place.import(&journal, &[]);
    assert!(!refused.status.success() && told(&refused).contains("is damaged"), "{}", told(&refused));
    assert_eq!(place.created(), 30);
}
