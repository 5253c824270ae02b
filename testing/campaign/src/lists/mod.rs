//! Lists from services that count, limit and move their rows in every way: complete, or an error.

mod facts;
mod processes;
mod world;

use crate::cells::CampaignLength;
use crate::parallel;
use crate::service::answering::AnsweringService;
use crate::tally::Tally;
use crate::temporary::Folder;
use facts::FactsState;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use world::{Before, Count, ListCase, ListWorld, Moving};

/// The share of all cells in each form, spread evenly.
const SHORT: usize = 500;
const LONG: usize = 6000;

/// A list, and what the client knows before.
type Cell = (ListCase, FactsState);

/// Silently short lists: of clients that use facts, and of those that confirm each list.
#[derive(Default)]
struct Sums {
    cells: AtomicUsize,
    short: AtomicUsize,
    short_only_with_facts: AtomicUsize,
    short_without_facts: AtomicUsize,
    requests: AtomicUsize,
    requests_without_facts: AtomicUsize,
}

pub fn run(form: CampaignLength) -> Tally {
    let all = cases();
    let wanted = if form == CampaignLength::Short { SHORT } else { LONG };
    // Lists whose count equals the page size (core finding 2) are so rare that a sample would miss them, so all are run.
    let hiding = |at: &usize| hides_the_first_page(&all[*at]);
    let states = FactsState::IN_USE.len();
    // Each state with each event: both have nine values.
    let sample = (0..wanted).map(|number| (number * 7919 % all.len(), number / states % states));
    // So are short lists that come without a count, after the service has proven that it counts.
    let counted_before = FactsState::IN_USE.iter().position(|state| *state == FactsState::RightCount);
    let uncounted = (0..all.len()).filter(|at| is_uncounted_and_small(&all[*at]));
    let picked: BTreeSet<(usize, usize)> = sample
        .chain((0..all.len()).filter(hiding).map(|at| (at, 0)))
        .chain(uncounted.zip(counted_before.into_iter().cycle()))
        .collect();
    let cells: Vec<Cell> =
        picked.into_iter().map(|(at, state)| (all[at], FactsState::IN_USE[state])).collect();
    let sums = Sums::default();
    let mut tally = parallel::each("lists", &cells, |tally, cell| {
        let shows = match (cell.0.count, cell.0.moving) {
            (Count::OfPage | Count::Capped, Moving::Nothing) => "core 2",
            _ => "core 8",
        };
        tally.add_named(
            "lists",
            &format!("{cell:?}"),
            Some(shows),
            "lists are complete, or an error",
            one(*cell, &sums),
        );
    });
    println!("{sums}");
    tally.add_named("lists", "all", None, "facts make no more lists short", sums.wrong());
    let wrong = processes::run(form).unwrap_or_else(Some);
    tally.add_named(
        "lists",
        "8 processes, one file of facts, kill -9",
        None,
        "a file of facts is whole",
        wrong,
    );
    tally
}

/// A process that reads lists until it is killed.
pub fn work(words: &[String]) -> Result<(), String> {
    processes::work(words)
}

impl Sums {
    fn add(count: &AtomicUsize, more: usize) {
        count.fetch_add(more, Ordering::SeqCst);
    }

    fn wrong(&self) -> Option<String> {
        let (with, without) =
            (self.short.load(Ordering::SeqCst), self.short_without_facts.load(Ordering::SeqCst));
        (with > without).then(|| format!("{with} lists are short, and {without} without facts"))
    }
}

impl std::fmt::Display for Sums {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = |count: &AtomicUsize| count.load(Ordering::SeqCst);
        write!(
            f,
            "lists with facts: {} cells, {} silently short ({} only with facts), {} requests; without: {} short, {} requests",
            count(&self.cells),
            count(&self.short),
            count(&self.short_only_with_facts),
            count(&self.requests),
            count(&self.short_without_facts),
            count(&self.requests_without_facts),
        )
    }
}

/// The first page has the number 0, and the rows beyond it fit into one page.
fn hides_the_first_page(case: &ListCase) -> bool {
    case.base == 0
        && case.moving == Moving::Nothing
        && matches!(case.count, Count::OfPage | Count::Capped)
        && case.rows > case.page_size.min(case.cap)
}

/// One row on one page, and no count that says so.
fn is_uncounted_and_small(case: &ListCase) -> bool {
    (case.rows, case.page_size, case.cap) == (1, 10, 1000)
        && case.moving == Moving::Nothing
        && matches!(case.count, Count::Nothing | Count::Zero)
}

fn cases() -> Vec<ListCase> {
    use Before::{Empty, First, Refused};
    let mut cases = Vec::new();
    for rows in [0, 1, 4, 9, 10, 11, 19, 20, 21, 23, 45] {
        for page_size in [4, 10] {
            for cap in [1000, 10, 7, 3] {
                for (base, before) in [(0, Refused), (1, Refused), (1, Empty), (1, First)] {
                    for count in [Count::Right, Count::Nothing, Count::Zero, Count::OfPage, Count::Capped] {
                        for moving in [
                            Moving::Nothing,
                            Moving::Deleted,
                            Moving::Inserted,
                            Moving::Added,
                            Moving::EmptyOnce,
                            Moving::ShortOnce,
                            Moving::Smaller,
                            Moving::Renumbered,
                            Moving::Recounted,
                        ] {
                            cases.push(ListCase { rows, page_size, base, cap, before, count, moving });
                        }
                    }
                }
            }
        }
    }
    cases
}

/// What is wrong, or nothing.
fn one((case, state): Cell, sums: &Sums) -> Option<String> {
    let (with, without) = match (outcome(case, state), outcome(case, FactsState::Off)) {
        (Ok(with), Ok(without)) => (with, without),
        (with, without) => return with.err().or(without.err()),
    };
    Sums::add(&sums.cells, 1);
    Sums::add(&sums.requests, with.requests);
    Sums::add(&sums.requests_without_facts, without.requests);
    Sums::add(&sums.short, usize::from(with.is_short));
    Sums::add(&sums.short_without_facts, usize::from(without.is_short));
    Sums::add(&sums.short_only_with_facts, usize::from(with.is_short && !without.is_short));
    with.wrong.or(without.wrong.map(|wrong| format!("without facts: {wrong}")))
}

/// The outcome of reading the list of a cell.
struct Outcome {
    /// A row is missing, and the client does not say so.
    is_short: bool,
    requests: usize,
    wrong: Option<String>,
}

fn outcome(case: ListCase, state: FactsState) -> Result<Outcome, String> {
    let world = Arc::new(Mutex::new(ListWorld::new(case)));
    let theirs = world.clone();
    let answer = move |arrived: &_| theirs.lock().unwrap_or_else(PoisonError::into_inner).answer(arrived);
    let service = AnsweringService::start(answer).map_err(|error| error.to_string())?;
    let folder = Folder::new()?;
    let client = state.client(case, &service.url(), &world, &folder)?;
    let read = facts::read(&client);
    let world = world.lock().unwrap_or_else(PoisonError::into_inner);
    let is_short = read.as_ref().is_ok_and(|rows| {
        let rows: BTreeSet<i64> = rows.iter().copied().collect();
        !world.steady.is_subset(&rows)
    });
    let wrong = match read {
        Ok(_) if ends_unconfirmed(&case, &world) => {
            Some("the list ended with its first page, although no count confirmed it".to_owned())
        }
        Ok(rows) => whole(&case, &world, &rows),
        Err(error) if error.to_string().contains(".facts") => {
            Some(format!("names an internal file: {error}"))
        }
        // No row moved, so the list must be complete.
        Err(error) if case.moving == Moving::Nothing => Some(error.to_string()),
        Err(_) => None,
    };
    Ok(Outcome { is_short, requests: world.requests, wrong })
}

/// Only a count can show that the first page is the whole list: whatever is known, a list without one takes another call.
fn ends_unconfirmed(case: &ListCase, world: &ListWorld) -> bool {
    matches!(case.count, Count::Nothing | Count::Zero) && case.rows > 0 && world.requests < 2
}

fn whole(case: &ListCase, world: &ListWorld, read: &[i64]) -> Option<String> {
    let unique: BTreeSet<i64> = read.iter().copied().collect();
    if unique.len() < read.len() {
        return Some(format!("{} rows came twice", read.len() - unique.len()));
    }
    if let Some(row) = unique.difference(&world.ever).next() {
        return Some(format!("the row {row} never existed"));
    }
    // A client that assumes 1 as the first page number detects page 0 last: its rows come at the end, once.
    let found_last = case.base == 0;
    if case.moving == Moving::Nothing && !found_last && !read.is_sorted() {
        return Some("the rows are in another order".to_owned());
    }
    let missing = world.steady.difference(&unique).count();
    // Without a count, a row that moved to a page already read, or that a page omitted, cannot be detected.
    let hidden = match case.moving {
        Moving::Deleted | Moving::ShortOnce if !case.count.is_useful() => 1,
        _ => 0,
    };
    (missing > hidden).then(|| format!("{missing} of {} rows are missing", world.steady.len()))
}
