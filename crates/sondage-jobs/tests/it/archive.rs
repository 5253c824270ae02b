//! Archives of documents, over HTTP against a sandbox, with all kinds of failures.

use crate::support;
use sondage::ErrorKind;
use sondage::blocking::Client;
use sondage_jobs::archive::{Entry, MANIFEST};
use sondage_jobs::blocking::Jobs as _;
use sondage_jobs::options::ArchiveOptions;
use sondage_jobs::{Archive, ArchiveReport, JournalSummary};
use sondage_sandbox::{Fault, FaultAction, Sandbox};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

struct Scene {
    sandbox: Sandbox,
    folder: PathBuf,
}

impl Scene {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-archive-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Self { sandbox: Sandbox::demo_blocking().expect("a sandbox"), folder }
    }

    fn options(&self) -> ArchiveOptions {
        ArchiveOptions::new(self.sandbox.feedback_survey_id(), &self.folder)
    }

    fn archive(&self) -> Archive {
        self.archive_with(self.options())
    }

    fn archive_with(&self, options: ArchiveOptions) -> Archive {
        Client::from(support::sandbox::client(&self.sandbox, 500)).archive_answers(options)
    }

    fn run(&self) -> ArchiveReport {
        self.archive().wait().expect("a report")
    }

    fn calls(&self) -> usize {
        self.sandbox.ledger().requests("DownloadAnswers").len()
    }

    fn entries(&self) -> Vec<Entry> {
        Self::entries_of(&fs::read_to_string(self.folder.join(MANIFEST)).expect("a manifest"))
    }

    /// The complete lines of the manifest.
    fn entries_of(text: &str) -> Vec<Entry> {
        let text = &text[..text.rfind('\n').expect("a line")];
        let lines = text
            .strip_prefix("{\"archive\":\"sondage\",\"version\":1}")
            .expect("the first line")
            .trim_start();
        lines.lines().map(|line| serde_json::from_str(line).expect("an entry")).collect()
    }

    /// Each line of the manifest has its complete document, and there are no other files.
    fn check(&self, documents: usize) {
        let entries = self.entries();
        assert_eq!(entries.len(), documents);
        for entry in &entries {
            let bytes = fs::read(self.folder.join(&entry.file)).expect("a document");
            assert!(
                bytes.starts_with(b"%PDF") && bytes.ends_with(b"%%EOF\n") && bytes.len() as u64 == entry.size
            );
        }
        let names = fs::read_dir(&self.folder).expect("a folder").map(|it| it.expect("a file").file_name());
        let names: Vec<_> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        assert_eq!(names.len(), documents + 1, "{names:?}");
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn every_document_is_stored_once_and_listed() {
    let scene = Scene::new("once");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let note = seen.clone();
    let archive = scene.archive().on_progress(move |progress| note.lock().expect("a list").push(*progress));
    let first = archive.wait().expect("a report");
    let count = first.progress.stored;
    assert!(count > 10 && count == first.progress.interviews && first.failed.is_empty(), "{first:?}");
    assert_eq!(seen.lock().expect("a list").len(), count);
    scene.check(count);
    assert_eq!(scene.calls(), count, "one call for each document");

    let second = scene.run();
    assert_eq!((second.progress.kept, second.progress.stored), (count, 0));
    assert_eq!(scene.calls(), count, "stored documents are not requested");

    let lost = scene.entries().swap_remove(0).file;
    let changed = scene.entries().swap_remove(1).file;
    fs::remove_file(scene.folder.join(lost)).expect("removed");
    fs::write(scene.folder.join(changed), "%PDF something else").expect("written");
    assert_eq!(scene.run().progress.stored, 2, "what is lost or changed is fetched again");
}

/// Planned by a client that does not know the service yet, with an empty folder, with a part of the documents, and with all.
#[test]
fn a_dry_run_stores_nothing_and_says_what_the_archive_costs() {
    let scene = Scene::new("planned");
    let ledger = scene.sandbox.ledger();
    let is_call = |operation: &str| !["token", "link"].contains(&operation);
    let calls = || ledger.requests("*").iter().filter(|arrival| is_call(&arrival.operation)).count() as u64;
    let client = Client::from(support::sandbox::client(&scene.sandbox, 7));
    let archive = |dry_run| client.archive_answers(scene.options().dry_run(dry_run));
    for left in [usize::MAX, 3, 0] {
        if left == 3 {
            for entry in scene.entries().into_iter().take(3) {
                fs::remove_file(scene.folder.join(entry.file)).expect("removed");
            }
        }
        let planned = archive(true).wait().expect("a plan");
        let now = planned.progress;
        assert!(now.stored == 0 && planned.failed.is_empty() && now.interviews > 10, "{planned:?}");
        assert_eq!(now.interviews - now.kept, left.min(now.interviews), "{planned:?}");
        assert_eq!(scene.folder.exists(), left != usize::MAX, "a dry run makes no folder");
        let cost = planned.cost.expect("a cost");
        let before = calls();
        let report = archive(false).wait().expect("a report");
        assert_eq!(calls() - before, cost.calls, "the plan predicted the number of calls");
        assert_eq!(report.progress.stored, left.min(now.interviews));
        assert!(report.cost.is_none() && cost.minutes > 0.0, "{cost:?}");
        // The documents, and for each a request and an answer; at least the list.
        assert!(
            cost.bytes > report.progress.bytes && cost.bytes < 3 * report.progress.bytes + 20_000,
            "{cost:?}: {report:?}"
        );
    }
}

#[test]
fn the_record_of_an_archive_is_shown() {
    let scene = Scene::new("shown");
    let stored = scene.run().progress.stored;
    let entries = scene.entries();
    fs::write(scene.folder.join(&entries[0].file), "changed").expect("a change");
    fs::remove_file(scene.folder.join(&entries[1].file)).expect("removed");
    for path in [scene.folder.clone(), scene.folder.join(MANIFEST)] {
        let shown = JournalSummary::read(path).expect("a summary");
        assert_eq!((shown.rows, shown.done, shown.ended), (entries.len(), entries.len() - 2, false));
        let says = format!("{} of {} documents are in the folder", entries.len() - 2, entries.len());
        assert!(shown.to_string().contains(&says), "{shown}");
    }
    assert_eq!(scene.run().progress.stored, 2, "of {stored}");
    let other = JournalSummary::read(std::env::temp_dir().join("..")).expect_err("no archive");
    assert!(other.to_string().contains("is not an archive"), "{other}");
}

#[test]
fn a_link_that_has_ended_is_asked_for_again() {
    let scene = Scene::new("ended");
    scene.sandbox.fault(Fault::on("link").times(2).status(410));
    let report = scene.run();
    assert!(report.failed.is_empty(), "{report:?}");
    assert_eq!(scene.calls(), report.progress.stored + 2);
}

#[test]
fn what_cannot_be_had_is_reported_and_the_rest_is_stored() {
    let scene = Scene::new("failed");
    scene.sandbox.change_profile(|profile| profile.download_link_seconds = 0);
    let report = scene.archive_with(scene.options().max_concurrency(8_usize)).wait().expect("a report");
    assert_eq!((report.progress.stored, report.failed.len()), (0, report.progress.interviews));
    let failed = &report.failed[0];
    assert_eq!((failed.error.kind(), failed.error.status()), (ErrorKind::Api, Some(404)));
    assert!(!format!("{report:?}").contains("/download/"), "a link is not shown");
    scene.sandbox.change_profile(|profile| profile.download_link_seconds = 900);
    assert_eq!(scene.run().progress.stored, report.progress.interviews);
}

#[test]
fn a_page_is_no_document() {
    let scene = Scene::new("page");
    let page = scene.sandbox.fault(Fault::on("link").every().action(FaultAction::Html));
    let report = scene.run();
    assert_eq!(report.progress.stored, 0);
    assert!(page.hits() > 0);
    for failed in &report.failed {
        assert_eq!(failed.error.kind(), ErrorKind::UnexpectedResponse);
        assert!(failed.error.to_string().contains("HTML page"), "{}", failed.error);
    }
    scene.check(0);
}

#[test]
fn a_cut_document_is_fetched_again_from_the_same_link() {
    let scene = Scene::new("cut");
    scene.sandbox.fault(Fault::on("link").times(3).cut_mid_answer());
    let report = scene.run();
    assert!(report.failed.is_empty(), "{report:?}");
    assert_eq!(scene.calls(), report.progress.stored, "a link costs a call of its own");
    scene.check(report.progress.stored);
}

#[test]
fn what_would_meet_every_document_ends_the_run() {
    let scene = Scene::new("ends");
    scene.sandbox.fault(Fault::on("DownloadAnswers").every().status(403));
    let error = scene.archive().wait().expect_err("no right");
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
}

/// A file that does not belong to the archive is not changed, whatever its name.
#[test]
fn files_of_others_are_left_alone() {
    let scene = Scene::new("foreign");
    let manifest = scene.folder.join(MANIFEST);
    fs::create_dir_all(&scene.folder).expect("a folder");
    for text in [
        "{\"name\": \"x\"}",
        "line one\nline two without an end",
        "{\"name\": \"x\"}\n",
        "\u{feff}",
        "{",
        "{\"interview\":\"with Ms Smith\",\"notes\":\"ten years of work\"}",
    ] {
        let old_part = scene.folder.join(".thesis.pdf.part");
        let own_part = scene.folder.join(format!(".sondage-{}.part", "0a".repeat(16)));
        for file in [&old_part, &own_part] {
            fs::write(file, "ten years of work").expect("written");
        }
        fs::write(&manifest, text).expect("written");
        let error = scene.archive().wait().expect_err("a foreign folder");
        assert_eq!(error.kind(), ErrorKind::Configuration);
        let said = error.to_string();
        assert!(
            said.contains("does not belong to an archive") && said.contains("Nothing was changed"),
            "{said}"
        );
        assert_eq!(fs::read_to_string(&manifest).expect("a file"), text);
        for file in [old_part, own_part] {
            assert_eq!(fs::read_to_string(file).expect("a file"), "ten years of work");
        }
    }
    assert_eq!(fs::read_dir(&scene.folder).expect("a folder").count(), 3);
    assert_eq!(scene.calls(), 0);

    fs::remove_file(&manifest).expect("removed");
    let stored = scene.run().progress.stored;
    assert!(scene.folder.join(".thesis.pdf.part").exists(), "only the archive's own files are removed");
    assert_eq!(scene.entries().len(), stored);
}

/// A document never replaces a file that the archive has not created.
#[test]
fn a_document_of_somebody_else_is_left_alone() {
    let scene = Scene::new("taken");
    let count = scene.run().progress.stored;
    let (first, second, third) = {
        let mut files = scene.entries().into_iter().map(|entry| scene.folder.join(entry.file));
        (files.next().expect("one"), files.next().expect("two"), files.next().expect("three"))
    };
    fs::remove_file(scene.folder.join(MANIFEST)).expect("removed");
    fs::write(&first, "ten years of work").expect("written");
    // What a killed run leaves before its line is written: the document, or the empty placeholder.
    let document = fs::read(&second).expect("a document");
    fs::write(&third, "").expect("written");
    let report = scene.run();
    assert_eq!((report.progress.stored, report.progress.failed), (count - 1, 1));
    assert_eq!(fs::read_to_string(&first).expect("a file"), "ten years of work");
    assert_eq!(fs::read(&second).expect("a file"), document);
    assert!(fs::read(&third).expect("a file").starts_with(b"%PDF"));
    let failed = &report.failed[0];
    assert!(first.ends_with(format!("{}.pdf", failed.interview.to_lowercase())));
    let said = failed.error.to_string();
    assert!(said.contains("was not changed") && said.contains("Move the file away"), "{said}");
    fs::remove_file(&first).expect("removed");
    assert_eq!(scene.run().progress.stored, 1);
    scene.check(count);
}

/// An incomplete line is removed when the next one is written, and not before.
#[test]
fn an_unfinished_line_goes_when_the_next_one_is_written() {
    let scene = Scene::new("unfinished");
    let count = scene.run().progress.stored;
    let manifest = scene.folder.join(MANIFEST);
    let half = fs::read_to_string(&manifest).expect("a manifest") + "{\"interview\":\"0a";
    fs::write(&manifest, &half).expect("written");
    assert_eq!(scene.run().progress.kept, count);
    assert_eq!(fs::read_to_string(&manifest).expect("a manifest"), half, "nothing was stored");
    fs::remove_file(scene.folder.join(&Scene::entries_of(&half)[0].file)).expect("removed");
    assert_eq!(scene.run().progress.stored, 1);
    assert_eq!(scene.entries().len(), count + 1);
}

/// An archive from before the first release has no first line: it is continued unchanged.
#[test]
fn an_archive_of_the_first_version_is_taken_up() {
    let scene = Scene::new("version");
    let count = scene.run().progress.stored;
    let manifest = scene.folder.join(MANIFEST);
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let (_, entries) = text.split_once('\n').expect("a first line");
    fs::write(&manifest, entries).expect("written");
    let report = scene.run();
    assert_eq!((report.progress.kept, report.progress.stored), (count, 0));
    assert_eq!(fs::read_to_string(&manifest).expect("a manifest"), entries);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_and_files_are_the_owners_alone() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let scene = Scene::new("links");
    fs::create_dir_all(&scene.folder).expect("a folder");
    let victim = scene.folder.with_extension("victim");
    fs::write(&victim, "").expect("written");
    symlink(&victim, scene.folder.join(MANIFEST)).expect("a link");
    scene.archive().wait().expect_err("a manifest that is a link");
    assert_eq!(fs::read(&victim).expect("a file"), b"");
    fs::remove_dir_all(&scene.folder).expect("removed");

    // The temporary names under which a document could be found during a run.
    let report = scene.run();
    let ids: Vec<_> = scene.entries().into_iter().map(|entry| entry.interview).collect();
    fs::remove_dir_all(&scene.folder).expect("removed");
    fs::create_dir_all(&scene.folder).expect("a folder");
    for id in &ids {
        symlink(&victim, scene.folder.join(format!(".{id}.pdf.part"))).expect("a link");
        symlink(&victim, scene.folder.join(format!("{id}.pdf"))).expect("a link");
    }
    let count = report.progress.stored;
    let report = scene.run();
    assert_eq!(
        (report.progress.stored, report.progress.failed),
        (0, count),
        "a link is not a file of the archive"
    );
    assert_eq!(fs::read(&victim).expect("a file"), b"", "the target of a link is not written");
    for id in &ids {
        let file = fs::symlink_metadata(scene.folder.join(format!("{id}.pdf"))).expect("a link");
        assert!(file.is_symlink());
        fs::remove_file(scene.folder.join(format!("{id}.pdf"))).expect("removed");
    }
    assert_eq!(scene.run().progress.stored, count, "a link next to it changes nothing");
    assert_eq!(fs::read(&victim).expect("a file"), b"", "the target of a link is not written");
    fs::remove_dir_all(&scene.folder).expect("removed");
    scene.run();
    let mode = |path: &Path| fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!((mode(&scene.folder), mode(&scene.folder.join(MANIFEST))), (0o700, 0o600));
    for entry in scene.entries() {
        assert_eq!(mode(&scene.folder.join(entry.file)), 0o600);
    }
    fs::remove_file(victim).expect("removed");
}

#[test]
fn a_program_stores_and_reports() -> sondage::Result<()> {
    let scene = Scene::new("program");
    let client = Client::from(support::sandbox::client(&scene.sandbox, 500));
    let (survey_id, folder) = (scene.sandbox.feedback_survey_id(), &scene.folder);
    let report = client
        .archive_answers(ArchiveOptions::new(survey_id, folder).locale("de"))
        .on_progress(|now| println!("{} of {}", now.kept + now.stored, now.interviews))
        .wait()?;
    for failed in &report.failed {
        println!("{}: {}", failed.interview, failed.error);
    }
    scene.check(report.progress.interviews);
    Ok(())
}

const SETTINGS: &str = "SONDAGE_TEST_ARCHIVE";

/// Not a test of its own: the program that the next test starts and kills.
#[test]
fn the_process_that_is_killed() {
    let Ok(settings) = std::env::var(SETTINGS) else { return };
    let mut lines = settings.lines();
    let mut next = || lines.next().expect("a setting");
    let builder = sondage::config::ClientBuilder::new()
        .environment(sondage::config::Environment::empty())
        .tenant("demo")
        .base_url(next())
        .auth_url(next())
        .client_secret(next());
    let client = Client::new(builder.resolve().expect("settings")).expect("a client");
    let survey: i64 = next().parse().expect("a number");
    let _ = client.archive_answers(ArchiveOptions::new(survey, Path::new(next()))).wait();
}

#[test]
fn a_killed_process_is_taken_up_where_it_was() {
    let scene = Scene::new("killed");
    let box_ = &scene.sandbox;
    box_.fault(Fault::on("link").skip(6).every().action(FaultAction::Stall));
    let survey = box_.feedback_survey_id().to_string();
    let folder = scene.folder.display().to_string();
    let settings =
        [box_.base_url(), box_.auth_url(), box_.client_secret(), survey.as_str(), folder.as_str()].join("\n");
    let mut child = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "archive::the_process_that_is_killed"])
        .env(SETTINGS, settings)
        .stdout(Stdio::null())
        .spawn()
        .expect("a process");
    let since = Instant::now();
    let stored =
        || fs::read_to_string(scene.folder.join(MANIFEST)).map_or(0, |text| text.lines().skip(1).count());
    while stored() < 6 {
        assert!(since.elapsed() < support::DEADLINE, "only {} documents", stored());
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("killed");
    child.wait().expect("gone");
    // The state after a kill in the middle of writing a line.
    let manifest = scene.folder.join(MANIFEST);
    let half = fs::read_to_string(&manifest).expect("a manifest") + "{\"interview\":\"0a";
    fs::write(&manifest, half).expect("written");
    fs::write(scene.folder.join(format!(".sondage-{}.part", "0a".repeat(16))), "%PD").expect("written");

    box_.clear_faults();
    let report = scene.run();
    assert_eq!(report.progress.kept, 6);
    assert_eq!(report.progress.stored + 6, report.progress.interviews);
    scene.check(report.progress.interviews);
}

/// Documents are fetched from links that the service returns: whether the service counts such a request is not published.
#[test]
fn documents_behind_links_count_in_the_budget_in_bytes() {
    let scene = Scene::new("budget");
    let builder = support::sandbox::builder(&scene.sandbox).client_secret(scene.sandbox.client_secret());
    let client = Client::from(builder.budget_loopback(true).build().expect("a client"));
    let archive = client.archive_answers(scene.options());
    let report = archive.wait().expect("a report");
    let documents: u64 = scene.entries().iter().map(|entry| entry.size).sum();
    let links = ["token", "link"];
    let calls = scene.sandbox.ledger().requests("*");
    let calls = calls.iter().filter(|arrival| !links.contains(&arrival.operation.as_str())).count() as u64;
    let budget = client.budget();
    assert_eq!(budget.calls, calls);
    assert!(report.progress.stored > 0 && documents > 0 && budget.received > documents, "{budget}");
}
