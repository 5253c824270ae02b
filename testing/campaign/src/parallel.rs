//! Runs many cells concurrently, with one tally.

use crate::tally::Tally;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Set if one broken promise suffices.
pub static FIRST_IS_ENOUGH: AtomicBool = AtomicBool::new(false);

/// Whether the run can stop.
pub fn is_enough(tally: &Tally) -> bool {
    FIRST_IS_ENOUGH.load(Ordering::SeqCst) && tally.bad > 0
}

/// Most of a cell's time is spent waiting for sockets.
const AT_ONCE: usize = 192;

/// The interval between progress reports.
const PROGRESS: Duration = Duration::from_secs(30);

/// For parts in which a delay of one second does not change the result.
const A_FEW: usize = 12;

/// Like `each`, with little concurrency.
pub fn a_few<T: Sync>(what: &str, cells: &[T], work: impl Fn(&SharedTally, &T) + Sync) -> Tally {
    run(what, cells, A_FEW, work)
}

/// Runs a closure for each cell. The work before `Tally::add` is done outside the tally's lock.
pub fn each<T: Sync>(what: &str, cells: &[T], work: impl Fn(&SharedTally, &T) + Sync) -> Tally {
    run(what, cells, AT_ONCE, work)
}

fn run<T: Sync>(what: &str, cells: &[T], limit: usize, work: impl Fn(&SharedTally, &T) + Sync) -> Tally {
    let begin = Instant::now();
    let (next, done, tally) = (AtomicUsize::new(0), AtomicUsize::new(0), SharedTally::default());
    let (ended, end) = (Mutex::new(false), Condvar::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut over = ended.lock().unwrap_or_else(PoisonError::into_inner);
            while !*over {
                over = end.wait_timeout(over, PROGRESS).unwrap_or_else(PoisonError::into_inner).0;
                if !*over {
                    let (done, bad) = (done.load(Ordering::SeqCst), tally.broken());
                    let seconds = begin.elapsed().as_secs();
                    println!("{what}: {done} of {} cells in {seconds} s, {bad} broken", cells.len());
                }
            }
        });
        std::thread::scope(|workers| {
            for _ in 0..limit.min(cells.len()) {
                workers.spawn(|| {
                    while let Some(cell) = cells.get(next.fetch_add(1, Ordering::SeqCst)) {
                        if FIRST_IS_ENOUGH.load(Ordering::SeqCst) && tally.broken() > 0 {
                            return;
                        }
                        work(&tally, cell);
                        done.fetch_add(1, Ordering::SeqCst);
                    }
                });
            }
        });
        *ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        end.notify_all();
    });
    println!("{what}: {} cells in {:.1} s", cells.len(), begin.elapsed().as_secs_f64());
    tally.take()
}

/// A tally shared by many threads.
#[derive(Default)]
pub struct SharedTally(Mutex<Tally>);

impl SharedTally {
    /// The result.
    pub fn take(&self) -> Tally {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn broken(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).bad
    }

    pub fn add(&self, cell: &crate::cells::CampaignCell, result: Result<crate::judge::CellVerdict, String>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(cell, result);
    }

    pub fn add_named(
        &self,
        family: &str,
        name: &str,
        shows: Option<&str>,
        rule: &'static str,
        wrong: Option<String>,
    ) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add_named(family, name, shows, rule, wrong);
    }
}
