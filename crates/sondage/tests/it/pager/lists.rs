//! Which rows are returned, and which error if some are missing.

use super::service::*;
use sondage::model::{OrderDirection, Paging};
use sondage::paging::{ListFacts, Order, Page, Pager, PagerSettings};
use sondage::{Delivery, Error, ErrorKind};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

#[test]
fn every_length_is_whole_whatever_the_count_says() {
    let counts: [fn(usize) -> Option<i64>; 5] = [
        |rows| i64::try_from(rows).ok(),
        |_| None,
        |_| Some(0),
        |_| Some(-1),
        |rows| i64::try_from(rows / 2).ok(),
    ];
    for rows in [0, 1, 9, 10, 11, 20, 25, 100] {
        for count in counts {
            for before in [Before::Refused, Before::Empty, Before::FirstPage] {
                Service { before, count, ..Service::of(rows) }.whole(Service::settings());
            }
        }
    }
}

#[test]
fn a_good_count_costs_no_further_call() {
    assert_eq!(Service::of(25).whole(Service::settings()).len(), 3);
    let settings = Service::settings();
    Service::of(25).whole(settings.clone());
    assert_eq!(settings.facts.proven(), Some(1));
}

#[test]
fn a_service_that_counts_pages_from_0_is_found_out() {
    for rows in [1, 9, 10, 11, 25, 100] {
        for count in [|rows| i64::try_from(rows).ok(), |_| None] as [fn(usize) -> Option<i64>; 2] {
            let settings = Service::settings();
            Service { base: 0, count, ..Service::of(rows) }.whole(settings.clone());
            assert_eq!(settings.facts.proven(), Some(0));
            // The client knows it from now on.
            let calls = Service { base: 0, count, ..Service::of(25) }.whole(settings);
            let pages = if count(25).is_some() { vec![0, 1, 2] } else { vec![0, 1, 2, 3, 3] };
            assert_eq!(calls.iter().map(|call| call.page).collect::<Vec<_>>(), pages);
        }
    }
}

#[test]
fn a_service_that_counts_pages_from_1_is_found_out_by_who_starts_at_0() {
    for rows in [0, 1, 9, 10, 11, 25, 100] {
        for before in [Before::Empty, Before::FirstPage] {
            let settings = PagerSettings { facts: ListFacts::assumed(0), ..Service::settings() };
            Service { before, ..Service::of(rows) }.whole(settings);
        }
    }
    let settings = PagerSettings { facts: ListFacts::assumed(0), ..Service::settings() };
    let (_, error, _) = Service::of(5).read(settings);
    assert_eq!(error.unwrap().kind(), ErrorKind::Api);
}

/// The first page is detected once per client, not once per list.
#[test]
fn what_is_known_of_the_first_page_is_shared() {
    let settings = Service::cautious();
    let calls = Service { count: |_| None, ..Service::of(25) }.whole(settings.clone());
    assert_eq!(calls.last().map(|call| (call.page, call.page_size)), Some((1, 1)));
    // Three pages, and one to confirm that nothing follows the short one.
    assert_eq!(Service { count: |_| None, ..Service::of(25) }.whole(settings).len(), 4);
}

#[test]
fn a_service_with_smaller_pages_than_asked_for_is_read_whole_and_in_order() {
    for cap in [1, 3, 5, 9] {
        for rows in [0, 1, 4, 5, 9, 10, 11, 27] {
            let service = Service { cap, count: |_| None, ..Service::of(rows) };
            let wanted = service.rows.clone();
            let (all, error, _) = service.read(Service::settings());
            assert_eq!((all, error.map(|e| e.to_string())), (wanted, None), "{rows} rows, pages of {cap}");
        }
    }
}

#[test]
fn a_service_with_larger_pages_than_asked_for_is_read_whole_and_in_order() {
    for least in [11, 15, 40] {
        for rows in [0, 1, 10, 11, 25, 40, 41, 100] {
            let service = Service { least, count: |_| None, ..Service::of(rows) };
            let wanted = service.rows.clone();
            let (all, error, _) = service.read(Service::settings());
            assert_eq!((all, error.map(|e| e.to_string())), (wanted, None), "{rows} rows, pages of {least}");
        }
    }
}

#[test]
fn a_service_that_ignores_paging_is_read_whole() {
    for rows in [0, 1, 9, 11, 25] {
        let service =
            Service { ignores_page: true, ignores_size: true, count: |_| None, ..Service::of(rows) };
        service.whole(Service::settings());
    }
    // As many rows as a page holds: this looks the same as a service that repeats its first page, because the count may be
    // that of the page. Another page size shows the difference.
    let ten = || Service { ignores_page: true, ignores_size: true, ..Service::of(10) };
    ten().incomplete(Service::settings());
    ten().whole(PagerSettings { page_size: 11, ..Service::settings() });
}

#[test]
fn a_page_that_repeats_for_ever_is_an_error() {
    let text = Service { ignores_page: true, ..Service::of(25) }.incomplete(Service::settings());
    assert!(text.contains("same page repeatedly") && text.contains("10 rows"), "{text}");
    Service { ignores_page: true, count: |_| None, ..Service::of(25) }.incomplete(Service::settings());
}

#[test]
fn a_count_that_is_too_large_is_read_again_and_then_named() {
    let service = Service { count: |rows| i64::try_from(rows + 2).ok(), ..Service::of(25) };
    let text = service.incomplete(Service::settings());
    assert!(text.contains("2 of 27 rows are missing") && text.contains("two readings"), "{text}");
    let service = Service { count: |rows| i64::try_from(rows + 2).ok(), ..Service::of(25) };
    let (all, error, _) = service.read(PagerSettings { verify_total: false, ..Service::settings() });
    assert_eq!((all.len(), error.is_none()), (25, true));
}

/// A row is deleted from a page that has been read: the first row of the next page moves up and would be missed.
#[test]
fn a_row_that_moves_up_is_found() {
    let deletes = |rows: &mut Vec<i64>, call: usize| {
        if call == 1 {
            rows.remove(3);
        }
    };
    let (all, error, calls) = Service { meanwhile: deletes, ..Service::of(25) }.read(Service::cautious());
    // Three pages, requests for page 4, page 0 and the first row because the count no longer proves anything, and three pages again.
    assert_eq!((error.map(|e| e.to_string()), calls.len()), (None, 9));
    assert_eq!(all.iter().copied().collect::<BTreeSet<_>>(), (1..=25).collect());
    let (all, error, _) = Service { meanwhile: deletes, ..Service::of(25) }.read(Service::settings());
    assert_eq!((all.len(), error.map(|e| e.to_string())), (25, None));
}

/// A row is inserted before a page that has been read: the last row of that page is returned again, and the new row has
/// been missed.
#[test]
fn a_row_that_moves_down_comes_once_and_the_new_one_too() {
    let inserts = |rows: &mut Vec<i64>, call: usize| {
        if call == 1 {
            rows.insert(0, 99);
        }
    };
    let (all, error, _) = Service { meanwhile: inserts, ..Service::of(25) }.read(Service::settings());
    assert!(error.is_none());
    assert_eq!((all.len(), all.iter().filter(|id| **id == 99).count()), (26, 1));
}

#[test]
fn a_list_that_never_rests_is_an_error() {
    let shifts = |rows: &mut Vec<i64>, call: usize| rows.insert(0, 1000 + i64::try_from(call).unwrap());
    let text = Service { meanwhile: shifts, ..Service::of(35) }.incomplete(Service::settings());
    assert!(text.contains("arrived twice"), "{text}");
    let shrinks = |rows: &mut Vec<i64>, _: usize| {
        rows.remove(0);
    };
    let text = Service { meanwhile: shrinks, ..Service::of(35) }.incomplete(Service::settings());
    assert!(text.contains("shrank"), "{text}");
}

#[test]
fn a_page_that_takes_too_long_is_halved_from_the_same_row() {
    let slow = |paging: &Paging| {
        let cut = Error::network("the service did not answer in time").with_delivery(Delivery::Unknown);
        (paging.page_size > 3).then_some(cut)
    };
    let service = Service { fails: slow, ..Service::of(25) };
    let wanted = service.rows.clone();
    let (all, error, calls) = service.read(Service::settings());
    assert_eq!((all, error.map(|e| e.to_string())), (wanted, None));
    assert_eq!(calls.iter().take(4).map(|call| call.page_size).collect::<Vec<_>>(), [10, 5, 2, 2]);
}

#[test]
fn what_a_smaller_page_cannot_help_is_not_tried() {
    let errors: [fn(&Paging) -> Option<Error>; 3] = [
        |_| Some(Error::network("nobody listens").with_delivery(Delivery::No)),
        |_| Some(Error::network("the service is down").with_delivery(Delivery::Answered).with_status(503)),
        |_| Some(Error::unexpected_response("the answer is an HTML page")),
    ];
    for fails in errors {
        let (_, error, calls) = Service { fails, ..Service::of(5) }.read(Service::settings());
        assert_eq!((calls.len(), error.unwrap().operation()), (1, Some("ReadList")));
    }
}

#[test]
fn an_order_that_the_service_does_not_know_is_given_up_once() {
    let fails = |paging: &Paging| paging.order_field.is_some().then(|| Error::api("no such field"));
    let by_id = PagerSettings { order: Order::ById(Some("Id".into())), ..Service::settings() };
    assert_eq!(Service { fails, ..Service::of(25) }.whole(by_id.clone()).len(), 4);
    // An order that the caller chose is kept, and its refusal is reported.
    let by_choice =
        PagerSettings { order: Order::By("Nmae".into(), OrderDirection::Descending), ..Service::settings() };
    let (_, error, calls) = Service { fails, ..Service::of(25) }.read(by_choice);
    assert_eq!((error.unwrap().kind(), calls.len()), (ErrorKind::Api, 1));
    // If the order was not the reason, the first refusal is reported.
    let refuses =
        |paging: &Paging| Some(Error::api(if paging.order_field.is_some() { "first" } else { "second" }));
    let (_, error, calls) = Service { fails: refuses, ..Service::of(25) }.read(by_id);
    assert_eq!((error.unwrap().what().to_owned(), calls.len()), ("first".to_owned(), 2));
}

#[test]
fn rows_without_ids_are_all_kept_and_pages_that_repeat_are_not() {
    let read = |service: Service| service.read_as(Service::settings(), Answer, |answer: &Answer| answer.0);
    for rows in [0, 1, 9, 10, 11, 25] {
        let (all, error, _) =
            read(Service { before: Before::FirstPage, count: |_| None, ..Service::of(rows) });
        assert_eq!((all, error.map(|e| e.to_string())), ((1..=rows).collect(), None));
    }
    for cap in [1, 3, 5, 9] {
        let (all, error, _) = read(Service { cap, ..Service::of(7) });
        assert_eq!((all, error.map(|e| e.to_string())), ((1..=7).collect(), None), "pages of {cap}");
    }
    let (all, error, _) = read(Service { ignores_page: true, ..Service::of(25) });
    assert_eq!((all.len(), error.unwrap().kind()), (10, ErrorKind::Incomplete));
    let (_, error, _) = read(Service { base: 0, count: |_| None, ..Service::of(25) });
    assert!(error.unwrap().to_string().contains("`first_page` to 0"));
}

/// After a network error the reader continues at the same row.
#[test]
fn a_list_goes_on_after_an_error() {
    let service = Arc::new(Mutex::new((Service::of(25), true)));
    let there = service.clone();
    let mut pager = Pager::new(Service::settings(), move |paging| {
        let mut there = there.lock().unwrap();
        let fails = paging.page == 2 && std::mem::take(&mut there.1);
        let page = if fails { Err(Error::network("nobody listens")) } else { there.0.page(&paging) };
        async move {
            page.map(|Page { rows, count, bytes }| Page {
                rows: rows.into_iter().map(Row).collect(),
                count,
                bytes,
            })
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let (mut all, mut errors) = (Vec::<Row>::new(), 0);
    runtime.block_on(async {
        loop {
            match pager.next().await {
                Ok(Some(page)) => all.extend::<Vec<Row>>(page),
                Ok(None) => break,
                Err(_) => errors += 1,
            }
        }
    });
    assert_eq!((all, errors), ((1..=25).map(Row).collect(), 1));
    assert_eq!(pager.progress().rows, 25);
}

#[test]
fn a_million_rows_are_told_apart() {
    let (all, error, calls) =
        Service::of(1_000_000).read(PagerSettings { page_size: 50_000, ..Service::settings() });
    assert_eq!((all.len(), error.is_none(), calls.len()), (1_000_000, true, 21));
}
