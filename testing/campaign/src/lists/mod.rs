//! Lists from services that count, limit and move their rows in every way: complete, or an error.

mod world;

use crate::cells::CampaignLength;
use crate::drive::builder;
use crate::parallel;
use crate::service::answering::AnsweringService;
use crate::tally::Tally;
use sondage::internals::runtime;
use sondage::model::ReadSurveyListRequest;
use sondage::operations::ReadSurveyList;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use world::{Before, Count, ListCase, ListWorld, Moving};

/// The share of all cells in each form, spread evenly.
const SHORT: usize = 260;
const LONG: usize = 1500;

pub fn run(form: CampaignLength) -> Tally {
    let all = cases();
    let wanted = if form == CampaignLength::Short { SHORT } else { LONG };
    // Lists whose count equals the page size (core finding 2) are so rare that a sample would miss them, so all are run.
    let hiding = |at: &usize| hides_the_first_page(&all[*at]);
    let sample = (0..wanted).map(|number| number * 7919 % all.len());
    let picked: BTreeSet<usize> = sample.chain((0..all.len()).filter(hiding)).collect();
    let picked: Vec<&ListCase> = picked.into_iter().map(|at| &all[at]).collect();
    parallel::each("lists", &picked, |tally, case| {
        let shows = match (case.count, case.moving) {
            (Count::OfPage | Count::Capped, Moving::Nothing) => "core 2",
            _ => "core 8",
        };
        tally.add_named(
            "lists",
            &format!("{case:?}"),
            Some(shows),
            "lists are complete, or an error",
            one(case),
        );
    })
}

/// The first page has the number 0, and the rows beyond it fit into one page.
fn hides_the_first_page(case: &ListCase) -> bool {
    case.base == 0
        && case.moving == Moving::Nothing
        && matches!(case.count, Count::OfPage | Count::Capped)
        && case.rows > case.page_size.min(case.cap)
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
fn one(case: &ListCase) -> Option<String> {
    let world = Arc::new(Mutex::new(ListWorld::new(*case)));
    let theirs = world.clone();
    let answer = move |arrived: &_| theirs.lock().unwrap_or_else(PoisonError::into_inner).answer(arrived);
    let service = match AnsweringService::start(answer) {
        Ok(service) => service,
        Err(error) => return Some(error.to_string()),
    };
    let client = match builder(&service.url(), None).page_size(case.page_size).build() {
        Ok(client) => client,
        Err(error) => return Some(error.to_string()),
    };
    let list = client.pages::<ReadSurveyList>(ReadSurveyListRequest::new(3));
    let read = runtime::block_on(async move { list.collect_all().await });
    let world = world.lock().unwrap_or_else(PoisonError::into_inner);
    match read {
        Ok(rows) => whole(case, &world, &rows.iter().map(|row| row.id).collect::<Vec<_>>()),
        // No row moved, so the list must be complete.
        Err(error) if case.moving == Moving::Nothing => Some(error.to_string()),
        Err(_) => None,
    }
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
