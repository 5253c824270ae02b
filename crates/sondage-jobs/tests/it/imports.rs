//! Imports of members from rows, each once, over HTTP against a sandbox: what is sent, what is reported, and what a
//! second run does.

use crate::support::sandbox::client;
use sondage::model::{FieldValue, Member, ReadPanelRequest, WritePanelRequest};
use sondage::{Client, ErrorKind, Result, internals::runtime};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::{ImportOptions, JournalPlace};
use sondage_jobs::{Existing, FileJournal, ImportReport, JournalStore, JournalSummary, RowStatus, Rows};
use sondage_sandbox::{Fault, Sandbox};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

struct Scene {
    sandbox: Sandbox,
    client: Client,
    panel: i64,
    folder: PathBuf,
    before: usize,
}

impl Scene {
    fn new(name: &str) -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let (client, panel) = (client(&sandbox, 400), sandbox.panel_id());
        let folder = std::env::temp_dir().join(format!("sondage-imports-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut scene = Self { sandbox, client, panel, folder, before: 0 };
        scene.before = scene.members().len();
        scene
    }

    fn members(&self) -> Vec<Member> {
        let members = self.client.members(self.panel);
        runtime::block_on(async move { members.collect_all().await }).expect("members")
    }

    fn journal(&self) -> PathBuf {
        self.folder.join("import.journal")
    }

    fn import(&self) -> ImportOptions {
        let options = ImportOptions::new(self.panel, "Email").journal(self.journal());
        options.chunk_size(10_usize).quiet(Duration::ZERO)
    }

    fn run(&self, options: ImportOptions, rows: Rows) -> Result<ImportReport> {
        let import = self.client.import_members(options);
        runtime::block_on(async move { import.run(rows).await })
    }

    fn sent(&self) -> usize {
        self.sandbox.ledger().requests("CreateMembers").len()
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn people(count: usize) -> Rows {
    Rows::of((0..count).map(|i| [("Email", format!("p{i}@import.example")), ("FirstName", format!("P{i}"))]))
}

fn counts(report: &ImportReport) -> Vec<(RowStatus, usize)> {
    let counts = RowStatus::ALL.into_iter().map(|status| (status, report.count(status)));
    counts.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn everybody_is_there_once_and_the_report_has_a_row_for_each() {
    let scene = Scene::new("once");
    let report = scene.run(scene.import(), people(25)).expect("a report");
    assert_eq!(counts(&report), [(RowStatus::Created, 25)]);
    assert_eq!((scene.sent(), scene.members().len()), (3, scene.before + 25));
    let members = scene.members();
    for row in report.rows() {
        let member = members.iter().find(|member| Some(member.id) == row.id).expect("a member");
        assert_eq!(member.text("Email"), Some(format!("p{}@import.example", row.row).as_str()));
        assert_eq!(row.attributed.as_str(), Some("answer"));
    }
    // Running the same import again reports from the journal, and sends nothing.
    let again = scene.run(scene.import(), people(25)).expect("a report");
    assert_eq!((counts(&again), scene.sent()), (vec![(RowStatus::Created, 25)], 3));
    assert!(again.resumed && again.rows().eq(report.rows()));
    // With another journal they are found by their keys.
    let other = scene.import().journal(scene.folder.join("other"));
    assert_eq!(
        counts(&scene.run(other, people(26)).expect("a report")),
        [(RowStatus::Created, 1), (RowStatus::Exists, 25)]
    );
    assert_eq!(scene.members().len(), scene.before + 26);
}

#[test]
fn existing_members_are_skipped_updated_or_an_error() {
    let scene = Scene::new("existing");
    scene.run(scene.import(), people(3)).expect("a report");
    let rows = || {
        Rows::of([
            [("Email", "p0@import.example"), ("FirstName", "P0")],
            [("Email", "p1@import.example"), ("FirstName", "Adaline")],
            [("Email", "new@import.example"), ("FirstName", "New")],
        ])
    };
    let import = |name: &str| scene.import().journal(scene.folder.join(name));
    let before = scene.sent();
    let error = scene.run(import("e").existing(Existing::Error), rows()).expect_err("an error");
    assert!(
        error.to_string().contains("2 of the rows have a member with their key already (row 0"),
        "{error}"
    );
    assert_eq!(scene.sent(), before, "nothing was sent");
    let report = scene.run(import("u").existing(Existing::Update), rows()).expect("a report");
    let statuses: Vec<_> = report.rows().map(|row| row.status).collect();
    assert_eq!(statuses, [RowStatus::Unchanged, RowStatus::Updated, RowStatus::Created]);
    let changed = scene
        .members()
        .into_iter()
        .find(|member| member.text("FirstName") == Some("Adaline"))
        .expect("a member");
    assert_eq!(
        (Some(changed.id), changed.text("Email")),
        (report.row(1).and_then(|row| row.id), Some("p1@import.example"))
    );
    assert_eq!(scene.sandbox.ledger().requests("UpdateMembers").len(), 1);
}

#[test]
fn what_cannot_be_imported_is_refused_by_row_before_anything_is_sent() {
    let scene = Scene::new("refused");
    let existing =
        scene.members().iter().find_map(|member| member.text("Email").map(str::to_uppercase)).expect("one");
    let row =
        |email: &str, phone: &str| [("Email", FieldValue::from(email)), ("CellPhoneNumber", phone.into())];
    let rows = Rows::of([
        row("good@import.example", "41791234567"),
        row("", "41791234567"),
        row("twice@import.example", ""),
        row("zero@import.example", "0791234567"),
        row("Twice@import.example", ""),
        row(" space@import.example", ""),
        row(&existing, ""),
        row("no such address", ""),
    ]);
    let report = scene.run(scene.import(), rows).expect("a report");
    let told: Vec<_> =
        report.rows().map(|row| (row.status.as_str(), row.reason.unwrap_or_default())).collect();
    assert_eq!(told[0], ("created", String::new()));
    for (row, reason) in [
        (1, "it has no key"),
        (2, "row 4 has the same key, except for case or spaces"),
        (3, "the column \"CellPhoneNumber\" needs an integer without leading zeros"),
        (4, "row 2 has the same key, except for case or spaces"),
        (5, "its key begins or ends with a space, which `strip` removes"),
    ] {
        assert_eq!(told[row], ("refused", reason.to_owned()), "row {row}");
    }
    assert!(
        told[6].0 == "refused" && told[6].1.ends_with("has the same key, except for case or spaces"),
        "{told:?}"
    );
    assert!(told[7].0 == "refused" && told[7].1.contains("not valid"), "the service's own word: {told:?}");
    assert_eq!((scene.sent(), scene.members().len()), (1, scene.before + 1));
    let shown = format!("{report} {report:?}");
    assert!(!shown.contains('@'), "values are about people: {shown}");
}

#[test]
fn a_job_that_cannot_be_done_is_one_sentence_and_sends_nothing() {
    let scene = Scene::new("sentences");
    let of = |names: &[&str]| {
        let mut rows = Rows::new(names.iter().copied());
        rows.push(names.iter().map(|_| "x@import.example".into()).collect());
        rows
    };
    let by = |key: &str| ImportOptions::new(scene.panel, key).journal(scene.journal());
    for (import, rows, words) in [
        (
            scene.import(),
            of(&["Email", "Frstname"]),
            "the panel has no field for the columns \"Frstname\"; it has \"Email\"",
        ),
        (scene.import(), of(&["Email", "Email"]), "two columns \"Email\""),
        (
            scene.import(),
            of(&["FirstName"]),
            "no column \"Email\" to use as the key; they have \"FirstName\"",
        ),
        (scene.import(), of(&["Email;FirstName"]), "name the sign between its columns as `separator`"),
        (by("Nope"), of(&["Email"]), "no field \"Nope\" to use as the key"),
        (by("Nope"), of(&["Email"]), "Name one of these fields as `key`"),
        (scene.import(), of(&[]), "no rows with a value"),
        (by("Nope"), of(&["Nope"]), "no field for the columns \"Nope\"; it has"),
        (by("Id"), of(&["Id"]), "the service gives new members their numbers"),
        (scene.import(), Rows::of([[("Email", "")]]), "the only row cannot be imported (row 0: it has"),
    ] {
        let error = scene.run(import, rows).expect_err(words);
        assert!(error.to_string().contains(words) && error.kind() == ErrorKind::InvalidArgument, "{error}");
        assert_eq!(error.to_string().matches("Nothing was ").count(), 1, "{error}");
    }
    assert_eq!(scene.sent(), 0);
}

#[test]
fn an_import_that_was_killed_while_it_noted_its_rows_begins_anew() {
    let scene = Scene::new("rows");
    let import = || scene.import().chunk_size(5_000_usize);
    scene.sandbox.fault(Fault::on("CreateMembers").status(403));
    scene.run(import(), people(2_500)).expect("a report");
    let text = std::fs::read_to_string(scene.journal()).expect("a journal");
    let rows = text.lines().filter(|line| line.contains("\"is\":\"rows\"")).count();
    assert_eq!(rows, 3);
    // The identity of the job, one line of digests, and half of the next.
    let mut lines = text.split_inclusive('\n');
    let begun: String = lines.by_ref().take(2).collect::<String>() + &lines.next().expect("a line")[..40];
    std::fs::write(scene.journal(), begun).expect("written");
    // Nothing was sent, so the rows may be others.
    let report = scene.run(import(), people(2_499)).expect("a report");
    assert_eq!((counts(&report), report.resumed), (vec![(RowStatus::Created, 2_499)], false));

    // An import that was interrupted while it recorded the outcomes behaves in the same way.
    let text = std::fs::read_to_string(scene.journal()).expect("a journal");
    let end = text.find("{\"is\":\"final\"").expect("the outcomes");
    let end = end + text[end..].find('\n').expect("a line") + 1;
    std::fs::write(scene.journal(), &text[..end]).expect("written");
    let report = scene.run(import(), people(2_499)).expect("a report");
    assert_eq!((counts(&report), report.resumed), (vec![(RowStatus::Created, 2_499)], true));
    let again = scene.run(import(), people(2_499)).expect("a report");
    assert!(again.rows().eq(report.rows()) && scene.sent() == 2, "{again}");
}

#[test]
fn journals_of_others_are_refused_and_left_as_they_are() {
    let scene = Scene::new("journals");
    scene.sandbox.fault(Fault::on("CreateMembers").skip(1).times(1).status(403));
    let report = scene.run(scene.import(), people(30)).expect("a report");
    assert_eq!(counts(&report)[1..], [(RowStatus::Refused, 10), (RowStatus::NotSent, 10)]);
    assert_eq!(report.stopped.as_ref().map(sondage::Error::kind), Some(ErrorKind::PermissionDenied));
    let journal = std::fs::read(scene.journal()).expect("a journal");
    let text = String::from_utf8_lossy(&journal);
    let summary = JournalSummary::read(scene.journal()).expect("a journal");
    assert_eq!((summary.rows, summary.done, summary.ended), (30, 10, false));
    assert!(summary.to_string().contains("run the same job again"), "{summary}");
    assert!(
        text.starts_with("{\"is\":\"job\",\"sondage\":\"journal\"") && !text.contains("import.example"),
        "{text}"
    );
    let refused = |options: ImportOptions, rows: Rows, words: &str| {
        let error = scene.run(options, rows).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(std::fs::read(scene.journal()).expect("a journal"), journal, "it was left as it is");
    };
    let mut changed: Vec<_> = (0..30)
        .map(|i| [("Email", format!("p{i}@import.example")), ("FirstName", format!("P{i}"))])
        .collect();
    changed[4][1].1 = "Ada".to_owned();
    changed[9][0].1 = "other@import.example".to_owned();
    refused(
        scene.import(),
        Rows::of(changed),
        "1 have other values (row 4 is the first), 1 are new (row 9 is the first), 1 are missing",
    );
    refused(scene.import(), people(29), "1 are missing (row 29");
    let by_phone = ImportOptions::new(scene.panel, "FirstName").journal(scene.journal());
    refused(by_phone, people(30), "it is of an import by the key \"Email\"");
    let other = ImportOptions::new(scene.sandbox.customer_panel_id(), "Email");
    let rows = Rows::of([[("Email", "a@import.example")]]);
    refused(other.journal(scene.journal()), rows, "it is of the panel");
    assert_eq!(scene.sent(), 2);
    // A changed line is detected; an incomplete last line does not matter.
    let damaged = text.replacen("\"chunk\":0", "\"chunk\":7", 1);
    std::fs::write(scene.journal(), damaged).expect("written");
    let error = scene.run(scene.import(), people(30)).expect_err("damaged");
    assert!(error.to_string().contains("is damaged: line"), "{error}");
    std::fs::write(scene.journal(), [&journal, &b"{\"is\":\"send\",\"chu"[..]].concat()).expect("written");
    assert_eq!(counts(&scene.run(scene.import(), people(30)).expect("a report")), [(RowStatus::Created, 30)]);
    assert_eq!(scene.members().len(), scene.before + 30);
    std::fs::write(scene.journal(), "Email,FirstName\n").expect("written");
    let error = scene.run(scene.import(), people(3)).expect_err("no journal");
    assert!(error.to_string().contains("is not a journal"), "{error}");
}

#[test]
fn a_journal_of_an_earlier_version_is_refused_and_left_as_it_is() {
    const EARLIER: &str = r#"{"is":"job","sondage":"journal","about":"What an import of members has sent.","version":1,"job":"import_members","service":"https://api.example/","tenant":"demo","panel":7,"key":"Email","rows":30,"salt":"00112233445566778899aabbccddeeff","at":1790000000000} 55d8daf7213937e6"#;
    let scene = Scene::new("earlier");
    std::fs::write(scene.journal(), EARLIER.to_owned() + "\n").expect("written");
    let said = scene.run(scene.import(), people(30)).expect_err("another form").to_string();
    assert!(said.contains("in the form 1. ") && said.contains("Finish it with that version"), "{said}");
    assert_eq!(std::fs::read_to_string(scene.journal()).expect("a journal").trim_end(), EARLIER);
}

#[test]
fn a_panel_that_changed_meanwhile_is_said() {
    let scene = Scene::new("changed");
    scene.sandbox.fault(Fault::on("CreateMembers").skip(1).times(1).status(403));
    scene.run(scene.import(), people(30)).expect("a report");
    let journal = std::fs::read(scene.journal()).expect("a journal");
    let (client, panel) = (scene.client.clone(), scene.panel);
    runtime::block_on(async move {
        let read = client.read_panel(ReadPanelRequest::new(panel)).await?;
        let groups = read.panel.expect("a definition").groups;
        let field = groups.iter().flat_map(|group| &group.fields).find(|field| field.name == "FirstName");
        let mut change = WritePanelRequest::new(panel);
        change.removed_fields = Some(vec![field.expect("a field").id]);
        client.update_panel(change).await
    })
    .expect("a change");
    let error = scene.run(scene.import(), people(30)).expect_err("no such field");
    let words = "the panel has no field for the columns \"FirstName\"; it has \"Email\"";
    assert!(
        error.to_string().contains(words) && error.to_string().contains("Nothing was changed"),
        "{error}"
    );
    assert_eq!((scene.sent(), std::fs::read(scene.journal()).expect("a journal")), (2, journal));
}

#[test]
fn one_run_at_a_time_owns_a_journal() {
    let scene = Scene::new("owner");
    let held = std::fs::File::create(scene.journal()).expect("a file");
    held.lock().expect("a lock");
    let error = scene.run(scene.import(), people(3)).expect_err("locked");
    assert!(error.to_string().contains("another run uses the journal"), "{error}");
    held.unlock().expect("a lock");
    assert_eq!(counts(&scene.run(scene.import(), people(3)).expect("a report")), [(RowStatus::Created, 3)]);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let other = scene.folder.join("fresh");
        scene.run(scene.import().journal(&other), people(4)).expect("a report");
        assert_eq!(std::fs::metadata(other).expect("a file").permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_said_before_anything_is_sent() {
    let scene = Scene::new("read-only");
    let journal = scene.folder.join("no such folder").join("journal");
    let error = scene.run(scene.import().journal(journal), people(3)).expect_err("no folder");
    assert!(
        error.to_string().contains("cannot be used") && error.to_string().contains("nothing is sent"),
        "{error}"
    );
    assert_eq!(scene.sent(), 0);
    // A disk that is already full, and one that becomes full after the first chunk.
    for (lines, sent, words) in [(0, 0, "so nothing is sent"), (3, 1, "so nothing more is sent. Free")] {
        let run = scene.run(scene.import().journal(JournalPlace::store(Full { lines })), people(30));
        let error = match run {
            Ok(report) => {
                assert_eq!(counts(&report), [(RowStatus::Created, 10), (RowStatus::NotSent, 20)]);
                report.stopped.expect("an error")
            }
            Err(error) => error,
        };
        let said = error.to_string();
        assert!(said.contains("the journal a full disk cannot be used") && said.contains(words), "{said}");
        assert_eq!(scene.sent(), sent);
    }
}

/// The response to a chunk arrives, and cannot be recorded: the chunk does not count as one that was never sent.
#[test]
fn an_answer_that_finds_no_room_is_read_back_by_the_next_run() {
    let scene = Scene::new("no-room");
    let store = FullOnce { file: FileJournal::new(scene.journal()), full: true };
    let report = scene.run(scene.import().journal(JournalPlace::store(store)), people(30)).expect("a report");
    assert_eq!(counts(&report), [(RowStatus::Created, 10), (RowStatus::NotSent, 20)]);
    let text = std::fs::read_to_string(scene.journal()).expect("a journal");
    assert!(text.contains("\"is\":\"send\"") && !text.contains("\"is\":\"no\""), "{text}");
    let report = scene.run(scene.import(), people(30)).expect("a report");
    assert_eq!(counts(&report), [(RowStatus::Created, 30)]);
    let read_back = report.rows().filter(|row| row.attributed.as_str() == Some("read_back")).count();
    assert_eq!((read_back, scene.sent(), scene.members().len()), (10, 3, scene.before + 30));
}

/// The import makes exactly the calls that the dry run has announced.
#[test]
fn a_dry_run_sends_nothing_and_knows_the_calls() {
    for (existing, update, sends) in [(Existing::Skip, 0, 2), (Existing::Update, 7, 3)] {
        let scene = Scene::new(&format!("dry-{update}"));
        let some = scene.run(scene.import(), people(7)).expect("a report");
        assert_eq!(counts(&some), [(RowStatus::Created, 7)]);
        std::fs::remove_file(scene.journal()).expect("a journal");
        scene.sandbox.ledger().clear();
        let row = |i| [("Email", format!("p{i}@import.example")), ("FirstName", format!("New {i}"))];
        let changed = || Rows::of((0..25).map(row));
        let import = || scene.import().existing(existing);
        let dry = scene.run(import().dry_run(true), changed()).expect("a dry run");
        let (created, updated, cost) = dry.ahead().expect("what is ahead");
        assert_eq!((created, updated), (18, update), "{dry}");
        assert!(dry.count(RowStatus::NotSent) == 18 + update && !dry.is_complete(), "{dry}");
        let text = dry.to_string();
        assert!(
            text.contains("18 to create") && text.contains("nothing was sent, and the import costs"),
            "{text}"
        );
        assert!(scene.sandbox.ledger().effects("*").is_empty() && scene.sent() == 0);
        assert!(!scene.journal().exists(), "a dry run leaves a journal");
        scene.sandbox.ledger().clear();
        let report = scene.run(import(), changed()).expect("a report");
        assert!(report.is_complete() && report.ahead().is_none(), "{report}");
        let ledger = scene.sandbox.ledger();
        assert_eq!(ledger.requests("*").len() as u64, cost.calls, "{cost}");
        let writes = ["CreateMembers", "UpdateMembers"].map(|name| ledger.requests(name).len());
        assert_eq!(writes.iter().sum::<usize>(), sends);
        assert!(cost.bytes > 1_000, "{cost}");
        // After the import there is nothing left to send, and the journal is unchanged.
        let kept = std::fs::read(scene.journal()).expect("a journal");
        let again = scene.run(import().dry_run(true), changed()).expect("a dry run");
        assert!(matches!(again.ahead(), Some((0, 0, _))) && again.is_complete(), "{again}");
        assert_eq!(std::fs::read(scene.journal()).expect("a journal"), kept);
    }
}

/// A dry run of an interrupted import does not wait, and reports what an earlier call may have done.
#[test]
fn a_dry_run_of_an_interrupted_import_leaves_its_journal() {
    let scene = Scene::new("dry-open");
    let store = FullOnce { file: FileJournal::new(scene.journal()), full: true };
    let report = scene.run(scene.import().journal(JournalPlace::store(store)), people(30)).expect("a report");
    assert_eq!(counts(&report), [(RowStatus::Created, 10), (RowStatus::NotSent, 20)]);
    let kept = std::fs::read(scene.journal()).expect("a journal");
    let dry = scene
        .run(scene.import().quiet(Duration::from_secs(3_600)).dry_run(true), people(30))
        .expect("a dry run");
    let text = dry.to_string();
    assert!(
        text.contains("30 rows: 20 to create, 10 of an earlier call without a response; nothing"),
        "{text}"
    );
    assert_eq!((std::fs::read(scene.journal()).expect("a journal"), scene.sent()), (kept, 1));
}

/// A journal in a file that is too full for the first response but not for the lines after it.
struct FullOnce {
    file: FileJournal,
    full: bool,
}

impl JournalStore for FullOnce {
    fn name(&self) -> String {
        self.file.name()
    }

    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()> {
        self.file.open(line)
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        let answer = lines.iter().any(|line| line.contains("\"is\":\"got\""));
        if answer && std::mem::take(&mut self.full) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.append(lines)
    }

    fn forget_last(&mut self) -> io::Result<()> {
        self.file.forget_last()
    }

    fn clear(&mut self) -> io::Result<()> {
        self.file.clear()
    }
}

/// A journal with a limited number of records.
struct Full {
    lines: usize,
}

impl JournalStore for Full {
    fn name(&self) -> String {
        "a full disk".to_owned()
    }

    fn open(&mut self, _: &mut dyn FnMut(&str)) -> io::Result<()> {
        Ok(())
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        self.lines = self.lines.checked_sub(lines.len().min(2)).ok_or(io::ErrorKind::StorageFull)?;
        Ok(())
    }

    fn forget_last(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        Ok(())
    }
}
