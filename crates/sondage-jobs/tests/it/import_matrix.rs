//! Imports that are cut, refused and delayed at every chunk, and run again until they are complete. Checked against the
//! sandbox's ledger and members: each person exists once, and the report has the true outcome of each row.
//!
//! `cargo xtask jobs` runs the long form, whose figures are in `docs/reliability.md`.

use crate::support::sandbox::config;
use sondage::model::{CreatePanelRequest, Member, PanelModelType};
use sondage::{CallOptions, Client, internals::runtime};
use sondage_jobs::Jobs as _;
use sondage_jobs::options::ImportOptions;
use sondage_jobs::{Existing, ImportReport, RowStatus, Rows};
use sondage_sandbox::{EffectKind, Fault, FaultAction, MembersIds, Sandbox};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The number of rows of an import.
const ROWS: usize = 25;
/// Every ninth row has an address that the service refuses.
const BAD: usize = 9;

/// The fault of a call.
type Happens = (&'static str, fn(Fault) -> Fault);

const HAPPENS: [Happens; 16] = [
    ("cut before the request is read", Fault::cut_before_request),
    ("cut after the effect", Fault::cut_after_effect),
    ("reset after the effect", |fault| fault.cut_after_effect().reset()),
    ("cut in the answer", Fault::cut_mid_answer),
    ("401 once", |fault| fault.status(401)),
    ("401 for long", |fault| fault.times(9).status(401)),
    ("403", |fault| fault.status(403)),
    ("413", |fault| fault.status(413)),
    ("429", |fault| fault.status(429).header("Retry-After", "0")),
    // Longer than a call waits.
    ("429 for long", |fault| fault.status(429).header("Retry-After", "1")),
    ("500 after the effect", |fault| fault.after_effect().status(500)),
    ("503", |fault| fault.status(503)),
    ("503 for long", |fault| fault.times(9).status(503)),
    ("half of the JSON", |fault| fault.action(FaultAction::TruncatedJson)),
    ("no sense", |fault| fault.after_effect().action(FaultAction::Html)),
    ("not a success", |fault| {
        fault.action(FaultAction::NotSuccess {
            error_code: "Busy".to_owned(),
            error_message: "Not now.".to_owned(),
        })
    }),
];
/// The response arrives after the caller's deadline, but the effect takes place.
const LATE: Happens = ("after the deadline", |fault| fault.delay(Duration::from_millis(900)));

struct Cell {
    shape: MembersIds,
    happens: Happens,
    /// How many calls pass before the fault.
    skip: u64,
    chunk_size: usize,
    existing: Existing,
    on: &'static str,
}

/// The long form starts no cell after this time.
const LONGEST: Duration = Duration::from_secs(20 * 60);
/// Cells of a sandbox.
const PANELS: usize = 200;
/// The minimum number of cells of the long form, however slow the machine is.
const LEAST: usize = 5_000;

/// A sandbox in which each cell has a panel of its own.
struct Bench {
    sandbox: Sandbox,
    client: Client,
    journal: std::path::PathBuf,
}

impl Bench {
    fn new(number: usize) -> Self {
        let sandbox = Sandbox::demo_blocking().expect("a sandbox");
        let mut config = config(&sandbox, 1000);
        config.retry.retry_after_cap = Duration::from_millis(500);
        let client = Client::new(config).expect("a client");
        let journal = std::env::temp_dir().join(format!("sondage-matrix-{}-{number}", std::process::id()));
        Self { sandbox, client, journal }
    }

    fn panel(&self) -> i64 {
        let request = CreatePanelRequest::new(self.sandbox.workspace_id(), "Cell", PanelModelType::Basic);
        let client = self.client.clone();
        runtime::block_on(async move { client.create_panel(request).await })
            .expect("a panel")
            .id
            .expect("a number")
    }

    fn members(&self, panel: i64) -> Vec<Member> {
        let members = self.client.members(panel);
        runtime::block_on(async move { members.collect_all().await }).expect("members")
    }

    fn import(&self, cell: &Cell, panel: i64, rows: Rows) -> sondage::Result<ImportReport> {
        let late = cell.happens.0 == LATE.0;
        let (deadline, quiet) = if late { (300, 1_200) } else { (60_000, 0) };
        let client = self.client.with(CallOptions::new().deadline(Duration::from_millis(deadline)));
        let options = ImportOptions::new(panel, "Email").journal(&self.journal).chunk_size(cell.chunk_size);
        let import =
            client.import_members(options.existing(cell.existing).quiet(Duration::from_millis(quiet)));
        runtime::block_on(async move { import.run(rows).await })
    }

    fn run(&self, cell: &Cell) {
        let what = format!(
            "{}: {}, chunk {} of {}, {:?}, {:?}",
            cell.on, cell.happens.0, cell.skip, cell.chunk_size, cell.shape, cell.existing
        );
        let panel = self.panel();
        let _ = std::fs::remove_file(&self.journal);
        self.sandbox.clear_faults();
        self.sandbox.change_profile(|profile| profile.members_ids = cell.shape);
        let mut before = 0;
        if cell.existing == Existing::Update {
            // Every third person exists already, under another name.
            let there = Rows::of(
                (0..ROWS)
                    .filter(|i| i % 3 == 0)
                    .map(|i| [("Email", email(i)), ("FirstName", "Before".to_owned())]),
            );
            self.import(cell, panel, there).expect("members");
            std::fs::remove_file(&self.journal).expect("a journal");
            before = self.members(panel).len();
        }
        self.sandbox.ledger().clear();
        self.sandbox.fault((cell.happens.1)(Fault::on(cell.on).skip(cell.skip)));
        let mut last = None;
        for _ in 0..6 {
            let error = match self.import(cell, panel, rows()) {
                Ok(report) if report.is_complete() => {
                    last = Some(report);
                    break;
                }
                Ok(mut report) => report.stopped.take().unwrap_or_else(|| panic!("{what}: {report}")),
                Err(error) => {
                    assert!(error.changed_nothing() || error.safe_to_retry(), "{what}: {error}");
                    error
                }
            };
            std::thread::sleep(error.retry_after().unwrap_or_default());
            self.sandbox.clear_faults();
        }
        let report = last.unwrap_or_else(|| panic!("{what}: it comes to no end"));
        self.judge(&what, panel, before, cell, &report);
    }

    fn judge(&self, what: &str, panel: i64, before: usize, cell: &Cell, report: &ImportReport) {
        // A fault that the import has not used up is removed before the check.
        self.sandbox.clear_faults();
        let members = self.members(panel);
        assert_eq!(report.len(), ROWS, "{what}");
        let mut created = 0;
        for row in report.rows() {
            let (i, why) = (row.row, &row.reason);
            let ids: Vec<i64> =
                members.iter().filter(|m| m.text("Email") == Some(&email(i))).map(|m| m.id).collect();
            let valid = i % BAD != 4;
            assert_eq!(ids.len(), usize::from(valid), "{what}: row {i} is there {} times", ids.len());
            assert_eq!(row.id, ids.first().copied(), "{what}: row {i}: {why:?}");
            let was_there = cell.existing == Existing::Update && i % 3 == 0;
            let fits = match row.status {
                RowStatus::Refused => !valid,
                RowStatus::Created => valid && !was_there,
                // A run that found the values in place after a lost response reports them as unchanged.
                RowStatus::Updated | RowStatus::Unchanged => valid && was_there,
                _ => false,
            };
            assert!(fits, "{what}: row {i} is {:?} ({why:?})", row.status);
            created += usize::from(row.status == RowStatus::Created);
            if valid {
                let member = members.iter().find(|member| Some(member.id) == row.id).expect(what);
                assert_eq!(member.text("FirstName"), Some(format!("P{i}").as_str()), "{what}: row {i}");
            }
        }
        assert_eq!(members.len(), before + created, "{what}");
        let made = self.sandbox.ledger().effects("CreateMembers");
        let made: u64 = made.iter().filter(|e| e.kind == EffectKind::MembersCreated).map(|e| e.count).sum();
        assert_eq!(made, created as u64, "{what}: the ledger");
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.journal);
    }
}

fn email(i: usize) -> String {
    if i % BAD == 4 { format!("p{i} is no address") } else { format!("p{i}@import.example") }
}

fn rows() -> Rows {
    Rows::of((0..ROWS).map(|i| [("Email", email(i)), ("FirstName", format!("P{i}"))]))
}

fn cells(long: bool) -> Vec<Cell> {
    let sizes: &[usize] = if long { &[1, 2, 3, 5, 7, 8, 10, 13, 25] } else { &[8] };
    let shapes = [MembersIds::Zeros, MembersIds::Nulls, MembersIds::Compacted];
    let mut cells = Vec::new();
    for shape in shapes {
        for happens in HAPPENS {
            for chunk_size in sizes.iter().copied() {
                let chunks = ROWS.div_ceil(chunk_size).min(if long { 9 } else { 3 });
                for skip in 0..chunks as u64 {
                    for (existing, on) in [
                        (Existing::Skip, "CreateMembers"),
                        (Existing::Update, "CreateMembers"),
                        (Existing::Update, "UpdateMembers"),
                        (Existing::Skip, "ReadMemberList"),
                    ] {
                        // The short form uses every kind of fault once for each kind of call.
                        if long || (existing == Existing::Skip) == (on == "CreateMembers") {
                            cells.push(Cell { shape, happens, skip, chunk_size, existing, on });
                        }
                    }
                }
            }
        }
        for skip in 0..3 {
            let (happens, existing, on) = (LATE, Existing::Skip, "CreateMembers");
            cells.push(Cell { shape, happens, skip, chunk_size: 8, existing, on });
        }
    }
    mixed(cells)
}

/// The cells in an order in which the first of them are of every kind: a prime step over all of them.
fn mixed(cells: Vec<Cell>) -> Vec<Cell> {
    const STEP: usize = 7_919;
    let count = cells.len();
    assert!(!count.is_multiple_of(STEP), "every cell is met once");
    let mut cells: Vec<Option<Cell>> = cells.into_iter().map(Some).collect();
    (0..count).filter_map(|number| cells[number * STEP % count].take()).collect()
}

#[test]
fn whatever_happens_everybody_is_there_once() {
    let begin = Instant::now();
    let long = std::env::var_os("SONDAGE_LONG").is_some();
    let cells = cells(long);
    // The long form waits more than it computes.
    let workers = if long { 4 } else { 2 };
    // The long form may resume where an earlier run was stopped.
    let from = std::env::var("SONDAGE_FROM").map_or(0, |from| from.parse().expect("a number"));
    let (count, next, done) = (cells.len(), AtomicUsize::new(from), AtomicUsize::new(from));
    std::thread::scope(|scope| {
        for worker in 0..workers {
            let (cells, next, done) = (&cells, &next, &done);
            scope.spawn(move || {
                let (mut bench, mut judged) = (Bench::new(worker), 0);
                while let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // A slow machine checks fewer cells, and prints how many.
                    if long && begin.elapsed() > LONGEST && done.load(Ordering::Relaxed) >= LEAST {
                        break;
                    }
                    // A platform with the panels of all cells would become slower from cell to cell.
                    if judged == PANELS {
                        (bench, judged) = (Bench::new(worker), 0);
                    }
                    bench.run(cell);
                    judged += 1;
                    let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if long && done.is_multiple_of(100) {
                        let sure = done.saturating_sub(workers);
                        println!(
                            "{done} of {count} cells after {} s: go on with `--from {sure}`",
                            begin.elapsed().as_secs()
                        );
                    }
                }
            });
        }
    });
    let done = done.into_inner();
    assert!(done == count || (long && done >= LEAST));
    let earlier = if from == 0 { String::new() } else { format!(" (the first {from} in an earlier run)") };
    let some = if done == count { String::new() } else { format!(" of {count}, within the time limit") };
    println!("{done} cells, 0 twice, 0 lost, 0 wrong rows{some}{earlier}, {} s", begin.elapsed().as_secs());
}
