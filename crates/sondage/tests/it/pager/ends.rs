//! The end of a list: what a count proves, and what is requested without one.

use super::service::*;
use sondage::model::Paging;
use sondage::paging::{ListFacts, Page, Pager, PagerSettings};
use sondage::{Delivery, Error, ErrorKind};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A count that equals the page size, or a multiple of it, proves nothing. With a service that counts its pages from 0,
/// the first page used to be lost silently.
#[test]
fn a_count_no_larger_than_a_page_proves_no_first_page() {
    for rows in [11, 12, 19, 20] {
        let page_counts: [CountOfPage; 2] = [|page| i64::try_from(page.len()).ok(), |_| Some(10)];
        for of_page in page_counts {
            let service = Service { base: 0, of_page: Some(of_page), ..Service::of(rows) };
            let (all, error, _) = service.read(Service::settings());
            assert_eq!(error.map(|error| error.to_string()), None);
            let all: BTreeSet<i64> = all.into_iter().collect();
            assert_eq!(all, (1..=rows).collect(), "{rows} rows");
        }
    }
}

/// Without a usable count, a short or empty page used to end the list: 35 of 45 rows were lost silently.
#[test]
fn a_short_or_empty_page_in_the_middle_ends_nothing() {
    let no_counts: [fn(usize) -> Option<i64>; 3] =
        [|_| None, |_| Some(0), |rows| i64::try_from(rows / 3).ok()];
    for count in no_counts {
        for damage in [Damage::Empty, Damage::ShortBy(1), Damage::ShortBy(9)] {
            for page in [1, 2, 3, 4, 5] {
                let service = Service { count, once: Some((page, damage)), ..Service::of(45) };
                let (all, error, _) = service.read(Service::settings());
                // Without a count, a page that lacks rows cannot be detected. An empty page is requested again.
                let lost = match damage {
                    Damage::ShortBy(rows) if page < 5 => rows,
                    Damage::Empty | Damage::EmptyAndCounted0 => 0,
                    Damage::ShortBy(rows) => rows.min(4),
                };
                assert_eq!(error.map(|error| error.to_string()), None, "{damage:?} {page}");
                assert!(
                    i64::try_from(all.len()).unwrap() >= 45 - lost,
                    "{} rows with {damage:?} on page {page}",
                    all.len()
                );
            }
        }
    }
}

/// A list that fits one page used to be silently empty after one empty response by mistake.
#[test]
fn one_empty_first_page_makes_no_list_empty() {
    type Count = fn(usize) -> Option<i64>;
    let counts: [(Count, Option<CountOfPage>); 5] = [
        (|rows| i64::try_from(rows).ok(), None),
        (|_| Some(0), None),
        (|_| None, None),
        (|_| None, Some(|page| i64::try_from(page.len()).ok())),
        (|_| None, Some(|page| (!page.is_empty()).then_some(1))),
    ];
    let places = [(0, 0), (0, 1), (1, 0), (1, 1)];
    for ((count, of_page), rows) in counts.iter().flat_map(|count| [1, 5, 10, 25].map(|rows| (*count, rows)))
    {
        for (damage, (base, first)) in
            [Damage::Empty, Damage::EmptyAndCounted0].into_iter().flat_map(|d| places.map(|place| (d, place)))
        {
            for (before, known) in [Before::Refused, Before::Empty, Before::FirstPage]
                .into_iter()
                .flat_map(|before| [false, true].map(|known| (before, known)))
            {
                let facts = ListFacts::assumed(first);
                let settings = PagerSettings { facts, ..Service::settings() };
                let mut service = Service { base, before, count, of_page, ..Service::of(rows) };
                if known {
                    // In a later list of the same client.
                    let _ = service.clone().read_as(settings.clone(), Row, |row: &Row| row.0);
                }
                service.once = Some((settings.facts.first_page(), damage));
                let (mut all, error, calls) = service.read(settings);
                all.sort_unstable();
                let case = format!(
                    "{rows} rows from page {base}, {damage:?} on page {first}, {which}: {calls:?}",
                    which = before as u8
                );
                match error {
                    // Page 0 does not exist, and the client was set to it.
                    Some(error) => assert_eq!((error.kind(), base, first), (ErrorKind::Api, 1, 0), "{case}"),
                    None => assert_eq!(all, (1..=rows).collect::<Vec<_>>(), "{case}"),
                }
            }
        }
    }
}

/// The first row exists, but its page stays empty.
#[test]
fn a_first_page_that_stays_empty_is_named() {
    for base in [0, 1] {
        let empty = |page: &Paging| page.page_size > 1;
        let text = Service { base, count: |_| None, empty, ..Service::of(5) }.incomplete(Service::settings());
        assert!(text.contains("a request for one row returns a row"), "{text}");
    }
    // A service that refuses pages of one row: the whole page is requested again.
    let fails = |page: &Paging| (page.page_size == 1).then(|| Error::api("a page has at least 5 rows"));
    for rows in [0, 5] {
        let service = Service { once: Some((1, Damage::Empty)), fails, ..Service::of(rows) };
        assert!(service.whole(Service::settings()).len() <= 6);
    }
}

/// A page that stays empty between others makes the list incomplete.
#[test]
fn a_page_that_stays_empty_is_named() {
    let empty = |page: &Paging| page.page == 2;
    let text = Service { count: |_| None, empty, ..Service::of(45) }.incomplete(Service::settings());
    assert!(text.contains("a page without rows was followed by pages with rows"), "{text}");
}

#[test]
fn a_service_that_lowers_its_page_size_meanwhile_is_read_whole() {
    for cap in [9, 6, 3] {
        let service = Service { count: |_| None, cap_from: Some((3, cap)), ..Service::of(60) };
        let (all, error, _) = service.read(Service::settings());
        assert_eq!(error.map(|error| error.to_string()), None, "{cap}");
        assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), (1..=60).collect(), "{cap}");
    }
}

/// The response to a page beyond the end must not be taken for rows: nothing, a refusal, the first or the last page.
#[test]
fn looking_beyond_the_end_costs_one_call_and_does_no_harm() {
    for beyond in [Beyond::Empty, Beyond::Refused, Beyond::Last, Beyond::First] {
        for rows in [11, 25, 29] {
            let service = || Service { count: |_| None, beyond, ..Service::of(rows) };
            let pages = (rows + 9) / 10;
            for (settings, more) in [(Service::settings(), 2), (Service::cautious(), 3)] {
                let calls = service().whole(settings);
                assert_eq!(i64::try_from(calls.len()).unwrap(), pages + more, "{rows} rows, {beyond:?}");
            }
            let (all, error, _) = service().read_as(Service::settings(), Answer, |answer: &Answer| answer.0);
            assert_eq!((all, error.map(|e| e.to_string())), ((1..=rows).collect(), None), "{beyond:?}");
        }
    }
}

/// Only a refusal means that there is no such page. If there is no response beyond the end, the list may continue there.
#[test]
fn a_failure_is_no_end_of_a_list_and_no_beginning() {
    fn nobody() -> Error {
        Error::network("nobody listens").with_delivery(Delivery::No)
    }
    let beyond: [fn(&Paging) -> Option<Error>; 2] =
        [|page| (page.page == 0).then(nobody), |page| (page.page > 3).then(nobody)];
    for fails in beyond {
        let settings = Service::cautious();
        let (all, error, _) = Service { count: |_| None, fails, ..Service::of(25) }.read(settings.clone());
        assert_eq!((all.len(), error.map(|error| error.kind())), (25, Some(ErrorKind::Network)));
        assert_eq!(settings.facts.proven(), None);
    }
}

/// The cost of a list, as documented: a count larger than a page saves the requests beyond its ends.
#[test]
fn what_lists_cost() {
    let counted: fn(usize) -> Option<i64> = |rows| i64::try_from(rows).ok();
    for (rows, count, cautious, [cold, warm]) in [
        (0, counted, [3, 2], [3, 2]),
        (1, counted, [4, 3], [2, 1]),
        (5, counted, [4, 3], [2, 1]),
        (10, counted, [5, 4], [2, 2]),
        (25, counted, [3, 3], [3, 3]),
        (30, counted, [4, 4], [4, 4]),
        (0, |_| None, [3, 2], [3, 3]),
        (5, |_| None, [5, 3], [3, 3]),
        (10, |_| None, [6, 4], [4, 4]),
        (25, |_| None, [6, 4], [5, 5]),
        (30, |_| None, [8, 6], [6, 6]),
    ] {
        for (settings, [first, later]) in
            [(Service::cautious(), cautious), (Service::settings(), [cold, warm])]
        {
            let service = || Service { count, ..Service::of(rows) };
            assert_eq!(service().whole(settings.clone()).len(), first, "{rows}");
            // A list of many pages proves what the lists of one page need.
            Service { count, ..Service::of(19) }.whole(settings.clone());
            assert_eq!(service().whole(settings).len(), later, "{rows}, later");
        }
    }
}

/// A caller who knows that the count is wrong switches it off: it used to end a list of one page all the same.
#[test]
fn no_list_ends_by_a_count_that_is_not_verified() {
    let settings = PagerSettings { verify_total: false, ..Service::settings() };
    for calls in [2, 2] {
        assert_eq!(Service::of(5).whole(settings.clone()).len(), calls);
    }
}

/// A large list without a count is read whole, although its rows are not marked for a probe.
#[test]
fn a_list_of_many_pages_without_a_count_is_read_whole() {
    for rows in [995, 1000, 1001, 1500] {
        let (all, error, _) = Service { count: |_| None, ..Service::of(rows) }.read_once(Service::settings());
        assert_eq!((all, error.map(|error| error.to_string())), ((1..=rows).collect(), None));
    }
}

/// An estimate is made before a list is read, from its number of rows: it gives the calls of the table above.
#[test]
fn what_a_list_will_cost_is_said_before() {
    let cautious =
        [(0, 3, 2), (5, 5, 3), (10, 6, 4), (25, 6, 4), (30, 8, 6)].map(|row| (Service::cautious(), row));
    let with_facts =
        [(0, 3, 3), (5, 3, 3), (10, 4, 4), (25, 5, 5), (30, 6, 6)].map(|row| (Service::settings(), row));
    for (settings, (rows, first, later)) in cautious.into_iter().chain(with_facts) {
        let unread = Pager::new(settings.clone(), |_| async {
            Ok(Page { rows: Vec::<Row>::new(), count: None, bytes: 0 })
        });
        assert_eq!(unread.calls_for(rows, 10), first, "{rows}");
        Service { count: |_| None, ..Service::of(25) }.whole(settings.clone());
        assert!(settings.facts.proven().is_some());
        assert_eq!(unread.calls_for(rows, 10), later, "{rows}");
    }
}

/// Such a list used to be read endlessly: each page was short and had nothing new, as if rows had moved.
#[test]
fn a_service_that_shows_the_same_short_page_for_ever_comes_to_an_end() {
    for first in [0_usize, 1, 5, 9, 10] {
        for rest in [1_usize, 4, 9] {
            for count in [None, Some(0), Some(7), Some(1000)] {
                let calls = Arc::new(AtomicUsize::new(0));
                let counted = calls.clone();
                let mut pager = Pager::new(Service::settings(), move |paging: Paging| {
                    let number = counted.fetch_add(1, Ordering::SeqCst);
                    let from = if number == 0 { 0..first } else { 100..100 + rest };
                    let rows: Vec<Row> = from.map(|id| Row(i64::try_from(id).unwrap())).collect();
                    async move {
                        if paging.page < 1 {
                            Err(Error::network("nobody"))
                        } else {
                            Ok(Page { rows, count, bytes: 1 })
                        }
                    }
                });
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                runtime.block_on(async { while let Ok(Some(_)) = pager.next().await {} });
                assert!(calls.load(Ordering::SeqCst) < 40, "{first}, then {rest} for ever, {count:?}");
            }
        }
    }
}
