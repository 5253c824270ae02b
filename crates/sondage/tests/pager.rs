//! Complete lists from services that behave in every way they may: which rows come, and which error when some do not.

use serde::Serialize;
use sondage::model::{OrderDirection, Paging};
use sondage::paging::{FirstPage, Identified, Identity, Order, Page, Pager, PagerSettings};
use sondage::{Delivery, Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

#[derive(Clone, Debug, PartialEq, Serialize)]
struct Row(i64);

impl Identified for Row {
    const ORDER: Option<&'static str> = Some("Id");

    fn identity(&self) -> Option<Identity<'_>> {
        Some(Identity::Number(self.0))
    }
}

/// A row whose id is a text: in the order of the numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Named(String);

impl Named {
    fn new(number: i64) -> Self {
        Self(format!("{number:08}"))
    }

    fn number(&self) -> i64 {
        self.0.parse().unwrap()
    }
}

impl Identified for Named {
    const ORDER: Option<&'static str> = Some("Id");

    fn identity(&self) -> Option<Identity<'_>> {
        Some(Identity::Text(&self.0))
    }
}

/// How a list is read, which must make no difference.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Plain,
    Ahead,
    /// Pages are kept, and can be looked at again.
    LookingBack,
}

/// A row without an id.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Answer(i64);

impl Identified for Answer {
    const ORDER: Option<&'static str> = None;

    fn identity(&self) -> Option<Identity<'_>> {
        None
    }
}

/// Rows, and how pages are made of them.
#[derive(Clone)]
struct Service {
    rows: Vec<i64>,
    base: i64,
    cap: i64,
    /// What comes for a page before the first.
    before: Before,
    count: fn(usize) -> Option<i64>,
    ignores_page: bool,
    ignores_size: bool,
    /// Called before the nth call, to change something.
    meanwhile: fn(&mut Vec<i64>, usize),
    fails: fn(&Paging) -> Option<Error>,
    /// The count, made from the rows of the page.
    of_page: Option<fn(&Vec<i64>) -> Option<i64>>,
    /// What happens to a page, the first time that it is asked for.
    once: Option<(i64, Damage)>,
    empty: fn(&Paging) -> bool,
    /// From this call on, pages have at most so many rows.
    cap_from: Option<(usize, i64)>,
    /// What comes for a page after the last.
    beyond: Beyond,
    calls: Vec<Paging>,
}

#[derive(Clone, Copy, Debug)]
enum Damage {
    Empty,
    ShortBy(i64),
}

#[derive(Clone, Copy, Debug)]
enum Beyond {
    Empty,
    Refused,
    First,
    Last,
}

#[derive(Clone, Copy)]
enum Before {
    Refused,
    Empty,
    FirstPage,
}

impl Service {
    fn of(rows: i64) -> Self {
        Self {
            rows: (1..=rows).collect(),
            base: 1,
            cap: i64::MAX,
            before: Before::Refused,
            count: |rows| i64::try_from(rows).ok(),
            ignores_page: false,
            ignores_size: false,
            meanwhile: |_, _| (),
            fails: |_| None,
            of_page: None,
            once: None,
            empty: |_| false,
            cap_from: None,
            beyond: Beyond::Empty,
            calls: Vec::new(),
        }
    }

    fn page(&mut self, paging: &Paging) -> Result<Page<Vec<i64>>> {
        (self.meanwhile)(&mut self.rows, self.calls.len());
        self.calls.push(paging.clone());
        if let Some(error) = (self.fails)(paging) {
            return Err(error);
        }
        let count = (self.count)(self.rows.len());
        let mut index = if self.ignores_page { 0 } else { paging.page - self.base };
        if index < 0 {
            match self.before {
                Before::Refused => return Err(Error::api("there is no such page")),
                Before::Empty => return Ok(Page { rows: Vec::new(), count, bytes: 0 }),
                Before::FirstPage => index = 0,
            }
        }
        if let Some((call, cap)) = self.cap_from
            && self.calls.len() > call
        {
            self.cap = cap;
        }
        let size = if self.ignores_size { i64::MAX } else { paging.page_size.min(self.cap) };
        let last = (i64::try_from(self.rows.len()).unwrap() - 1) / size;
        if index > last && index > 0 {
            match self.beyond {
                Beyond::Empty => {}
                Beyond::Refused => return Err(Error::api("there is no such page")),
                Beyond::First => index = 0,
                Beyond::Last => index = last,
            }
        }
        let from = index.saturating_mul(size);
        let rows = self.rows.iter().enumerate();
        let rows =
            rows.filter(|(at, _)| (from..from.saturating_add(size)).contains(&i64::try_from(*at).unwrap()));
        let mut rows: Vec<i64> = rows.map(|(_, id)| *id).collect();
        if let Some((_, damage)) = self.once.take_if(|(page, _)| *page == paging.page) {
            let left = match damage {
                Damage::Empty => 0,
                Damage::ShortBy(lost) => rows.len().saturating_sub(usize::try_from(lost).unwrap()),
            };
            rows.truncate(left);
        }
        if (self.empty)(paging) {
            rows.clear();
        }
        let count = self.of_page.map_or(count, |of_page| of_page(&rows));
        Ok(Page { rows, count, bytes: 0 })
    }

    fn settings() -> PagerSettings {
        PagerSettings::new("ReadList", 10)
    }

    /// Every row that came, in order, and how it ended: the same, by the same calls, whatever their ids are and when pages can
    /// be looked at again.
    fn read(self, settings: PagerSettings) -> (Vec<i64>, Option<Error>, Vec<Paging>) {
        let of_names = again(&settings).into_iter().flat_map(|first| {
            let second = again(&first).expect("nothing is known yet");
            [(first, Way::LookingBack), (second, Way::Plain)]
        });
        let of_names: Vec<_> = of_names
            .map(|(settings, way)| self.clone().fetch(settings, way, Named::new, Named::number))
            .collect();
        let (all, error, calls) = self.read_as(settings, Row, |row: &Row| row.0);
        for named in of_names {
            assert_eq!((&named.0, said(named.1.as_ref()), &named.2), (&all, said(error.as_ref()), &calls));
        }
        (all, error, calls)
    }

    /// The same for any rows, and when pages are fetched ahead.
    fn read_as<T: Identified + Clone + Serialize + Send + Sync + 'static>(
        self,
        settings: PagerSettings,
        make: fn(i64) -> T,
        id: fn(&T) -> i64,
    ) -> (Vec<i64>, Option<Error>, Vec<Paging>) {
        let ahead = again(&settings).map(|settings| self.clone().fetch(settings, Way::Ahead, make, id));
        let (all, error, calls) = self.fetch(settings, Way::Plain, make, id);
        if let Some(ahead) = ahead {
            assert_eq!((&ahead.0, said(ahead.1.as_ref()), &ahead.2), (&all, said(error.as_ref()), &calls));
        }
        (all, error, calls)
    }

    fn fetch<T: Identified + Clone + Serialize + Send + Sync + 'static>(
        self,
        settings: PagerSettings,
        way: Way,
        make: fn(i64) -> T,
        id: fn(&T) -> i64,
    ) -> (Vec<i64>, Option<Error>, Vec<Paging>) {
        let service = Arc::new(Mutex::new(self));
        let there = service.clone();
        let mut pager = Pager::new(settings, move |paging| {
            let page = there.lock().unwrap().page(&paging);
            async move {
                page.map(|Page { rows, count, bytes }| Page {
                    rows: rows.into_iter().map(make).collect::<Vec<T>>(),
                    count,
                    bytes,
                })
            }
        });
        let kept: Arc<Mutex<Vec<Vec<T>>>> = Arc::default();
        match way {
            Way::Plain => {}
            Way::Ahead => pager.fetch_ahead(),
            Way::LookingBack => {
                let kept = kept.clone();
                pager.look_back(move |page| Ok(kept.lock().unwrap()[usize::try_from(page).unwrap()].clone()));
            }
        }
        let mut all: Vec<i64> = Vec::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let error = runtime.block_on(async {
            loop {
                match pager.next().await {
                    Ok(Some(page)) => {
                        all.extend(page.iter().map(id));
                        kept.lock().unwrap().push(page);
                    }
                    Ok(None) => return None,
                    Err(error) => return Some(error),
                }
            }
        });
        let calls = std::mem::take(&mut service.lock().unwrap().calls);
        assert!(calls.len() < 1000, "the list is never left");
        (all, error, calls)
    }

    /// The list is whole, each row once; gives the calls that it took.
    fn whole(self, settings: PagerSettings) -> Vec<Paging> {
        let wanted: BTreeSet<i64> = self.rows.iter().copied().collect();
        let (all, error, calls) = self.read(settings);
        assert_eq!(error.map(|error| error.to_string()), None);
        assert_eq!(all.len(), wanted.len(), "a row came twice: {all:?}");
        assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), wanted);
        calls
    }

    /// The list cannot be proven whole.
    fn incomplete(self, settings: PagerSettings) -> String {
        let (_, error, _) = self.read(settings);
        let error = error.expect("a list that is not whole");
        assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
        error.to_string()
    }
}

/// The same settings for another reading. What is found out of the first page is shared by clones: one reading must not know it
/// from another. `None` when it is known already.
fn again(settings: &PagerSettings) -> Option<PagerSettings> {
    let first_page = FirstPage::assumed(settings.first_page.number());
    settings.first_page.proven().is_none().then(|| PagerSettings { first_page, ..settings.clone() })
}

fn said(error: Option<&Error>) -> Option<String> {
    error.map(ToString::to_string)
}

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
    assert_eq!(settings.first_page.proven(), Some(1));
}

#[test]
fn a_service_that_counts_pages_from_0_is_found_out() {
    for rows in [1, 9, 10, 11, 25, 100] {
        for count in [|rows| i64::try_from(rows).ok(), |_| None] as [fn(usize) -> Option<i64>; 2] {
            let settings = Service::settings();
            Service { base: 0, count, ..Service::of(rows) }.whole(settings.clone());
            assert_eq!(settings.first_page.proven(), Some(0));
            // The client knows it from now on.
            let calls = Service { base: 0, count, ..Service::of(25) }.whole(settings);
            let pages = if count(25).is_some() { vec![0, 1, 2] } else { vec![0, 1, 2, 3] };
            assert_eq!(calls.iter().map(|call| call.page).collect::<Vec<_>>(), pages);
        }
    }
}

#[test]
fn a_service_that_counts_pages_from_1_is_found_out_by_who_starts_at_0() {
    for rows in [0, 1, 9, 10, 11, 25, 100] {
        for before in [Before::Empty, Before::FirstPage] {
            let settings = PagerSettings { first_page: FirstPage::assumed(0), ..Service::settings() };
            Service { before, ..Service::of(rows) }.whole(settings);
        }
    }
    let settings = PagerSettings { first_page: FirstPage::assumed(0), ..Service::settings() };
    let (_, error, _) = Service::of(5).read(settings);
    assert_eq!(error.unwrap().kind(), ErrorKind::Api);
}

/// The first page is looked for once for each client, not once for each list.
#[test]
fn what_is_known_of_the_first_page_is_shared() {
    let settings = Service::settings();
    let calls = Service { count: |_| None, ..Service::of(25) }.whole(settings.clone());
    assert_eq!(calls.last().map(|call| (call.page, call.page_size)), Some((0, 1)));
    // Three pages, and one to see that nothing comes after the short one.
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
fn a_service_that_ignores_paging_is_read_whole() {
    for rows in [0, 1, 9, 11, 25] {
        let service =
            Service { ignores_page: true, ignores_size: true, count: |_| None, ..Service::of(rows) };
        service.whole(Service::settings());
    }
    // As many rows as a page holds: nothing tells this from a service that repeats its first page, for the count may be the
    // page's own. Pages of another size do.
    let ten = || Service { ignores_page: true, ignores_size: true, ..Service::of(10) };
    ten().incomplete(Service::settings());
    ten().whole(PagerSettings { page_size: 11, ..Service::settings() });
}

#[test]
fn a_page_that_repeats_for_ever_is_an_error() {
    let text = Service { ignores_page: true, ..Service::of(25) }.incomplete(Service::settings());
    assert!(text.contains("same page again and again") && text.contains("10 rows"), "{text}");
    Service { ignores_page: true, count: |_| None, ..Service::of(25) }.incomplete(Service::settings());
}

#[test]
fn a_count_that_is_too_large_is_read_again_and_then_named() {
    let service = Service { count: |rows| i64::try_from(rows + 2).ok(), ..Service::of(25) };
    let text = service.incomplete(Service::settings());
    assert!(text.contains("2 of 27 rows are missing") && text.contains("two readings"), "{text}");
    let service = Service { count: |rows| i64::try_from(rows + 2).ok(), ..Service::of(25) };
    let (all, error, _) = service.read(PagerSettings { check_count: false, ..Service::settings() });
    assert_eq!((all.len(), error.is_none()), (25, true));
}

/// A row is deleted from a page that has been read: the first row of the next page moves up and would never be seen.
#[test]
fn a_row_that_moves_up_is_found() {
    let deletes = |rows: &mut Vec<i64>, call: usize| {
        if call == 1 {
            rows.remove(3);
        }
    };
    let (all, error, calls) = Service { meanwhile: deletes, ..Service::of(25) }.read(Service::settings());
    // Three pages, looks at page 4 and page 0 because the count proves nothing any more, and three pages again.
    assert_eq!((error.map(|e| e.to_string()), calls.len()), (None, 8));
    assert_eq!(all.iter().copied().collect::<BTreeSet<_>>(), (1..=25).collect());
}

/// A row is inserted before a page that has been read: the last row of it comes again, and the new one is behind us.
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
    assert!(text.contains("came twice"), "{text}");
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
    // One of the caller's choice is kept, and its refusal is the caller's to know.
    let by_choice =
        PagerSettings { order: Order::By("Nmae".into(), OrderDirection::Descending), ..Service::settings() };
    let (_, error, calls) = Service { fails, ..Service::of(25) }.read(by_choice);
    assert_eq!((error.unwrap().kind(), calls.len()), (ErrorKind::Api, 1));
    // When it was not the order, the first refusal is the one that is told.
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

/// After an error of the network the reader goes on from the same row.
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

/// A count that is that of the page, or ends at a page, proves nothing: a service that counts its pages from 0 lost its whole
/// first page silently.
#[test]
fn a_count_no_larger_than_a_page_proves_no_first_page() {
    for rows in [11, 12, 19, 20] {
        let page_counts: [fn(&Vec<i64>) -> Option<i64>; 2] =
            [|page| i64::try_from(page.len()).ok(), |_| Some(10)];
        for of_page in page_counts {
            let service = Service { base: 0, of_page: Some(of_page), ..Service::of(rows) };
            let (all, error, _) = service.read(Service::settings());
            assert_eq!(error.map(|error| error.to_string()), None);
            let all: BTreeSet<i64> = all.into_iter().collect();
            assert_eq!(all, (1..=rows).collect(), "{rows} rows");
        }
    }
}

/// Without a count that says something, a page without rows or a short one ended the list: 35 of 45 rows were lost silently.
#[test]
fn a_short_or_empty_page_in_the_middle_ends_nothing() {
    let no_counts: [fn(usize) -> Option<i64>; 3] =
        [|_| None, |_| Some(0), |rows| i64::try_from(rows / 3).ok()];
    for count in no_counts {
        for damage in [Damage::Empty, Damage::ShortBy(1), Damage::ShortBy(9)] {
            for page in [1, 2, 3, 4, 5] {
                let service = Service { count, once: Some((page, damage)), ..Service::of(45) };
                let (all, error, _) = service.read(Service::settings());
                // What cannot be noticed without a count: a page that lacks rows. One without any is asked for again.
                let lost = match damage {
                    Damage::ShortBy(rows) if page < 5 => rows,
                    Damage::Empty => 0,
                    Damage::ShortBy(rows) => rows.min(4),
                };
                assert_eq!(error.map(|error| error.to_string()), None, "{damage:?} {page}");
                assert!(all.len() as i64 >= 45 - lost, "{} rows with {damage:?} on page {page}", all.len());
            }
        }
    }
}

/// A page that stays empty between others is a list that is not whole.
#[test]
fn a_page_that_stays_empty_is_named() {
    let empty = |page: &Paging| page.page == 2;
    let text = Service { count: |_| None, empty, ..Service::of(45) }.incomplete(Service::settings());
    assert!(text.contains("a page came without rows, and pages after it have some"), "{text}");
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

/// What comes for a page that is not there any more must not be taken for rows: nothing, a refusal, the first or the last page.
#[test]
fn looking_beyond_the_end_costs_one_call_and_does_no_harm() {
    for beyond in [Beyond::Empty, Beyond::Refused, Beyond::Last, Beyond::First] {
        for rows in [11, 25, 29] {
            let service = || Service { count: |_| None, beyond, ..Service::of(rows) };
            let settings = PagerSettings { first_page: FirstPage::assumed(1), ..Service::settings() };
            let calls = service().whole(settings);
            let pages = (rows + 9) / 10;
            assert_eq!(calls.len() as i64, pages + 2, "{rows} rows, {beyond:?}");
            let (all, error, _) = service().read_as(Service::settings(), Answer, |answer: &Answer| answer.0);
            assert_eq!((all, error.map(|e| e.to_string())), ((1..=rows).collect(), None), "{beyond:?}");
        }
    }
}

/// What a list costs, which the docs name: a count larger than a page saves the looks beyond its ends.
#[test]
fn what_lists_cost() {
    let counted: fn(usize) -> Option<i64> = |rows| i64::try_from(rows).ok();
    for (rows, count, first, later) in [
        (0, counted, 3, 2),
        (5, counted, 4, 3),
        (10, counted, 5, 4),
        (25, counted, 3, 3),
        (30, counted, 4, 4),
        (5, |_| None, 4, 3),
        (25, |_| None, 5, 4),
        (30, |_| None, 7, 6),
    ] {
        let settings = Service::settings();
        assert_eq!(Service { count, ..Service::of(rows) }.whole(settings.clone()).len(), first, "{rows}");
        if settings.first_page.proven().is_some() {
            assert_eq!(Service { count, ..Service::of(rows) }.whole(settings).len(), later, "{rows}");
        }
    }
}

#[test]
fn a_million_rows_are_told_apart() {
    let (all, error, calls) =
        Service::of(1_000_000).read(PagerSettings { page_size: 50_000, ..Service::settings() });
    assert_eq!((all.len(), error.is_none(), calls.len()), (1_000_000, true, 21));
}
