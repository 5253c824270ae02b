//! A reader's progress reports, bookmarks, and prefetching.

use super::service::*;
use sondage::Result;
use sondage::model::Paging;
use sondage::paging::{Bookmark, Page, Pager};
use std::sync::{Arc, Mutex};
use std::time::Duration;

type Shared = Arc<Mutex<Service>>;

fn pager(service: &Shared) -> Pager<Vec<Row>> {
    let service = service.clone();
    Pager::new(Service::settings(), move |paging| {
        let page = service.lock().unwrap().page(&paging);
        async move {
            page.map(|Page { rows, count, .. }| Page {
                rows: rows.into_iter().map(Row).collect(),
                count,
                bytes: 100,
            })
        }
    })
}

fn shared(service: Service) -> Shared {
    Arc::new(Mutex::new(service))
}

fn asked(service: &Shared) -> Vec<i64> {
    service.lock().unwrap().calls.iter().map(|call| call.page).collect()
}

#[tokio::test]
async fn progress_counts_rows_calls_and_bytes() {
    let mut pager = pager(&shared(Service::of(25)));
    let mut told = Vec::new();
    while pager.next().await.unwrap().is_some() {
        let progress = pager.progress();
        told.push((progress.rows, progress.calls, progress.bytes, progress.count));
    }
    assert_eq!(told, [(10, 1, 100, Some(25)), (20, 2, 200, Some(25)), (25, 3, 300, Some(25))]);
}

/// A list that is interrupted after any of its pages is continued in another process: no row is missing and none is
/// returned twice.
#[tokio::test]
async fn a_list_goes_on_from_a_bookmark_and_not_from_its_beginning() {
    for left in 0..=3_i64 {
        for count in [|rows| i64::try_from(rows).ok(), |_| None] as [fn(usize) -> Option<i64>; 2] {
            let service = shared(Service { count, ..Service::of(25) });
            let (mut before, mut pages) = (pager(&service), Vec::new());
            for _ in 0..left {
                pages.push(before.next().await.unwrap().expect("there is more"));
            }
            let kept = serde_json::to_string(&before.bookmark()).unwrap();
            let bookmark: Bookmark = serde_json::from_str(&kept).unwrap();
            assert_eq!(bookmark.progress(), before.progress());

            let mut after = pager(&service);
            after.resume(bookmark);
            assert_eq!(after.progress(), before.progress());
            for page in &pages {
                after.already_seen(page).unwrap();
            }
            let first = service.lock().unwrap().calls.len();
            while let Some(page) = after.next().await.unwrap() {
                pages.push(page);
            }
            assert_eq!(pages.concat(), (1..=25).map(Row).collect::<Vec<_>>(), "left after {left} pages");
            let calls = service.lock().unwrap().calls.split_off(first);
            let again: Vec<_> = calls.iter().filter(|call| (1..=left).contains(&call.page)).collect();
            // Without a count, the first row alone is asked for again, once: no page is.
            let checks = usize::from(left > 0 && count(25).is_none());
            let is_check = |call: &&Paging| (call.page, call.page_size) == (1, 1);
            assert!(
                again.len() == checks && again.into_iter().all(|call| is_check(&call)),
                "left after {left} pages: {calls:?}"
            );
        }
    }
}

/// The bookmark has the first row: otherwise a list whose pages were renumbered meanwhile would lack one of them silently.
#[tokio::test]
async fn a_list_that_is_renumbered_between_two_processes_is_read_whole() {
    let service = shared(Service { count: |_| None, ..Service::of(25) });
    let mut before = pager(&service);
    let first = before.next().await.unwrap().expect("a page");
    let mut after = pager(&service);
    after.resume(before.bookmark());
    after.already_seen(&first).unwrap();
    service.lock().unwrap().base = 0;
    let mut rows = first;
    while let Some(page) = after.next().await.unwrap() {
        rows.extend(page);
    }
    rows.sort_by_key(|row| row.0);
    assert_eq!(rows, (1..=25).map(Row).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_next_page_is_fetched_while_the_caller_works_on_the_last_one() -> Result<()> {
    let service = shared(Service::of(25));
    let mut pager = pager(&service);
    pager.fetch_ahead();
    pager.next().await?;
    for _ in 0..6000 {
        if asked(&service).len() == 2 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    assert_eq!(asked(&service), [1, 2], "and no further page");
    Ok(())
}
