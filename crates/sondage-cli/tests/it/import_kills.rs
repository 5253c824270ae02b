//! Imports that are killed (`kill -9`) at any moment and run again by the same command until they are complete: each person
//! exists once, and the report has an outcome for each row.
//!
//! The short form resumes 50 killed imports, `SONDAGE_LONG=1` (`cargo xtask jobs`) 500.

use fastrand::Rng;
use sondage::model::{CreatePanelRequest, Member};
use sondage_sandbox::{Fault, Sandbox};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Rows of an import. Every ninth has an address that the service refuses.
const ROWS: usize = 60;
const CHUNK: usize = 5;
/// Longer than the sandbox processes a call whose caller was killed.
const QUIET: &str = "2";
/// Workers mostly wait for the quiet time.
const WORKERS: usize = 8;

/// The counters of all workers.
#[derive(Default)]
struct Counts {
    imports: AtomicUsize,
    killed: AtomicUsize,
    /// Of the killed imports: how many had sent something and were resumed.
    resumed: AtomicUsize,
}

/// Each worker has its own sandbox and folder.
struct Worker {
    sandbox: Sandbox,
    folder: PathBuf,
    random: Rng,
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn email(row: usize) -> String {
    if row % 9 == 4 { format!("p{row} is no address") } else { format!("p{row}@kills.example") }
}

fn is_valid(row: usize) -> bool {
    row % 9 != 4
}

/// Whether the person existed before, under another name.
fn was_there(row: usize, update: bool) -> bool {
    update && row.is_multiple_of(3) && is_valid(row)
}

impl Worker {
    fn new(number: usize) -> Self {
        let folder = std::env::temp_dir().join(format!("sondage-kills-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let lines = (0..ROWS).map(|row| format!("{},P{row}\n", email(row)));
        std::fs::write(
            folder.join("people.csv"),
            "Email,FirstName\n".to_owned() + &lines.collect::<String>(),
        )
        .unwrap();
        let lines =
            (0..ROWS).filter(|row| was_there(*row, true)).map(|row| format!("{},Before\n", email(row)));
        std::fs::write(
            folder.join("before.csv"),
            "Email,FirstName\n".to_owned() + &lines.collect::<String>(),
        )
        .unwrap();
        let random = Rng::with_seed(1996 + 7919 * number as u64);
        Self { sandbox: Sandbox::demo_blocking().unwrap(), folder, random }
    }

    fn panel(&self) -> i64 {
        let request = CreatePanelRequest::new(self.sandbox.workspace_id(), "Kills", "Basic");
        let client = self.sandbox.client().build_blocking().unwrap();
        client.create_panel(request).unwrap().id.unwrap()
    }

    fn members(&self, panel: i64) -> Vec<Member> {
        let client = self.sandbox.client().build_blocking().unwrap();
        client.members(panel).into_iter().collect::<Result<_, _>>().unwrap()
    }

    /// No journal is named, so it is in the default folder.
    fn start(&self, panel: i64, file: &str, update: bool) -> Child {
        let sandbox = &self.sandbox;
        Command::new(env!("CARGO_BIN_EXE_sondage"))
            .args(["import", &panel.to_string()])
            .arg(self.folder.join(file))
            .args(["--key", "Email", "--chunk-size", &CHUNK.to_string(), "--quiet", QUIET])
            .args(["--existing", if update { "update" } else { "skip" }])
            .arg("--report")
            .arg(self.report())
            .env("SONDAGE_BASE_URL", sandbox.base_url())
            .env("SONDAGE_AUTH_URL", sandbox.auth_url())
            .env("SONDAGE_TENANT", sandbox.tenant())
            .env("SONDAGE_CLIENT_SECRET", sandbox.client_secret())
            .env("XDG_STATE_HOME", &self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn report(&self) -> PathBuf {
        self.folder.join("report.csv")
    }

    /// Whether a journal says that there is something to resume.
    fn is_begun(&self) -> bool {
        let folder = self.folder.join("sondage").join("journals");
        let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).any(|file| file.len() > 0)
    }

    fn writes(&self) -> usize {
        let ledger = self.sandbox.ledger();
        ledger.requests("CreateMembers").len() + ledger.requests("UpdateMembers").len()
    }

    /// Kills the import when this many calls have arrived, or before the first. `false`: it had ended before.
    fn kill(&mut self, child: &mut Child, most: usize) -> bool {
        let calls = self.writes() + self.random.usize(..=most);
        let more = Duration::from_micros(self.random.u64(..12_000));
        let begun = Instant::now();
        if calls == self.writes() {
            std::thread::sleep(more * 8);
        } else {
            while self.writes() < calls && begun.elapsed() < Duration::from_secs(60) {
                if child.try_wait().unwrap().is_some() {
                    return false;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(more);
        }
        let over = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        child.wait().unwrap();
        !over
    }

    /// One import, killed once or several times. Returns how often.
    fn import(&mut self, number: usize, counts: &Counts) {
        let (panel, update) = (self.panel(), number.is_multiple_of(2));
        self.sandbox.clear_faults();
        if update {
            let before = self.start(panel, "before.csv", false).wait_with_output().unwrap();
            assert!(before.status.success(), "{}", String::from_utf8_lossy(&before.stderr));
        }
        // Each call is delayed, before its effect or after it.
        for operation in ["CreateMembers", "UpdateMembers"] {
            let slow = Fault::on(operation).every().delay(Duration::from_millis(8));
            self.sandbox.fault(if number % 4 < 2 { slow } else { slow.after_effect() });
        }
        self.sandbox.ledger().clear();
        let what = format!("import {number} into the panel {panel}");
        for _ in 0..=self.random.u64(..3) {
            let mut child = self.start(panel, "people.csv", update);
            if !self.kill(&mut child, ROWS / CHUNK) {
                break;
            }
            counts.killed.fetch_add(1, Ordering::Relaxed);
            counts.resumed.fetch_add(usize::from(self.is_begun()), Ordering::Relaxed);
        }
        let last = self.start(panel, "people.csv", update).wait_with_output().unwrap();
        assert!(last.status.success(), "{what}: {}", String::from_utf8_lossy(&last.stderr));
        assert!(!self.is_begun(), "{what}: a journal is emptied when its import is complete");
        self.judge(&what, panel, update);
        counts.imports.fetch_add(1, Ordering::Relaxed);
    }

    fn judge(&self, what: &str, panel: i64, update: bool) {
        let (members, report) = (self.members(panel), outcomes(&self.report()));
        assert_eq!(report.len(), ROWS, "{what}: a row of the report for each row");
        // If an import was killed after its last call but before its report, the next run finds that all members exist.
        let told_before = report.iter().any(|(status, _)| status == "exists")
            || (update && !report.iter().any(|(status, _)| status == "created"));
        for (row, (status, id)) in report.iter().enumerate() {
            let theirs: Vec<&Member> =
                members.iter().filter(|member| member.text("Email") == Some(&email(row))).collect();
            assert_eq!(theirs.len(), usize::from(is_valid(row)), "{what}: row {row} is there so often");
            let fits = match status.as_str() {
                "refused" => !is_valid(row),
                "created" => is_valid(row) && !was_there(row, update) && !told_before,
                "exists" => is_valid(row) && !update && told_before,
                "updated" => was_there(row, update),
                "unchanged" => update && is_valid(row) && (told_before || was_there(row, update)),
                _ => false,
            };
            assert!(fits, "{what}: row {row} is {status}");
            if let Some(member) = theirs.first() {
                assert_eq!(*id, member.id.to_string(), "{what}: row {row}");
                assert_eq!(member.text("FirstName"), Some(format!("P{row}").as_str()), "{what}: row {row}");
            }
        }
        assert_eq!(members.len(), (0..ROWS).filter(|row| is_valid(*row)).count(), "{what}");
    }
}

/// The status and the id of each row of a report.
fn outcomes(report: &Path) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(report).unwrap();
    let rows = text.lines().skip(1).map(|line| {
        let mut cells = line.split(',').skip(2).map(|cell| cell.trim_matches('"').to_owned());
        (cells.next().unwrap_or_default(), cells.next().unwrap_or_default())
    });
    rows.collect()
}

#[test]
fn a_killed_import_is_gone_on_with() {
    let (begin, counts) = (Instant::now(), Counts::default());
    let long = std::env::var("SONDAGE_LONG").is_ok_and(|long| long == "1");
    let wanted = if long { 500 } else { 50 };
    std::thread::scope(|scope| {
        for worker in 0..WORKERS {
            let counts = &counts;
            scope.spawn(move || {
                let mut this = Worker::new(worker);
                let mut number = worker;
                while counts.resumed.load(Ordering::Relaxed) < wanted {
                    this.import(number, counts);
                    number += WORKERS + 1;
                }
            });
        }
    });
    let Counts { imports, killed, resumed } = counts;
    let (imports, killed, resumed) = (imports.into_inner(), killed.into_inner(), resumed.into_inner());
    assert!(resumed >= wanted && imports > 0);
    println!(
        "{killed} kill -9 of {imports} imports, {resumed} of them resumed, 0 twice, 0 lost, 0 wrong rows, {} s",
        begin.elapsed().as_secs()
    );
}
