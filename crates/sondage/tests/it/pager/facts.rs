//! Facts about a service that are true, out of date or of nobody: a list is never silently short where a cautious reader's is whole.

use super::service::*;
use sondage::paging::{ListFacts, PagerSettings};
use std::collections::BTreeSet;

const SIZE: i64 = 20;
const ROWS: [i64; 12] = [0, 1, 2, 3, 7, 8, 10, 19, 20, 21, 40, 55];

/// Of the cells with an event, one in so many is run: all of them take 12 s.
const STEP: usize = 5;

/// What a service's count counts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Count {
    List,
    Page,
    Zero,
    Nothing,
    OneLess,
    OneMore,
    AtMost(i64),
}

/// Something that happens once.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Nothing,
    /// A page is damaged when it is first requested.
    Damaged(i64, Damage),
    /// Before the second call.
    Deleted,
    Inserted,
    Added,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Kind {
    base: i64,
    before: Before,
    cap: i64,
    count: Count,
    ignores_paging: bool,
}

#[derive(Debug, PartialEq)]
enum Outcome {
    Whole,
    Short,
    Error,
}

impl Kind {
    fn all() -> Vec<Self> {
        use Before::{Empty, FirstPage, Refused};
        let counts = [
            Count::List,
            Count::Page,
            Count::Zero,
            Count::Nothing,
            Count::OneLess,
            Count::OneMore,
            Count::AtMost(7),
            Count::AtMost(10),
            Count::AtMost(SIZE),
            Count::AtMost(2 * SIZE),
        ];
        let places = [(1, Refused), (1, Empty), (1, FirstPage), (0, Refused)];
        let mut all = Vec::new();
        for ((base, before), cap) in
            places.into_iter().flat_map(|place| [i64::MAX, 7, 10].map(|cap| (place, cap)))
        {
            for (count, ignores_paging) in
                counts.into_iter().flat_map(|count| [(count, false), (count, true)])
            {
                if !ignores_paging || cap == i64::MAX && base == 1 {
                    all.push(Self { base, before, cap, count, ignores_paging });
                }
            }
        }
        all
    }

    fn service(self, rows: i64, event: Event) -> Service {
        let mut service = Service::of(rows);
        (service.base, service.before, service.cap) = (self.base, self.before, self.cap);
        (service.ignores_page, service.ignores_size) = (self.ignores_paging, self.ignores_paging);
        match self.count {
            Count::List => {}
            Count::Page => service.of_page = Some(|page| i64::try_from(page.len()).ok()),
            Count::Zero => service.count = |_| Some(0),
            Count::Nothing => service.count = |_| None,
            Count::OneLess => service.count = |rows| i64::try_from(rows.saturating_sub(1)).ok(),
            Count::OneMore => service.count = |rows| i64::try_from(rows + 1).ok(),
            Count::AtMost(7) => service.count = |rows| i64::try_from(rows.min(7)).ok(),
            Count::AtMost(10) => service.count = |rows| i64::try_from(rows.min(10)).ok(),
            Count::AtMost(SIZE) => service.count = |rows| i64::try_from(rows).ok().map(|rows| rows.min(SIZE)),
            Count::AtMost(_) => {
                service.count = |rows| i64::try_from(rows).ok().map(|rows| rows.min(2 * SIZE));
            }
        }
        match event {
            Event::Nothing => {}
            Event::Damaged(page, damage) => service.once = Some((page, damage)),
            Event::Deleted => {
                service.meanwhile = |rows, call| {
                    rows.splice(0..usize::from(call == 1 && !rows.is_empty()), []).for_each(drop);
                };
            }
            Event::Inserted => {
                service.meanwhile = |rows, call| rows.splice(0..0, (call == 1).then_some(0)).for_each(drop);
            }
            Event::Added => service.meanwhile = |rows, call| rows.extend((call == 1).then_some(1000)),
        }
        service
    }

    /// The outcome of a list, and its calls.
    fn read(self, rows: i64, event: Event, facts: &ListFacts) -> (Outcome, usize) {
        let settings = PagerSettings { facts: facts.clone(), page_size: SIZE, ..Service::settings() };
        let (all, error, calls) = self.service(rows, event).read_once(settings);
        let all: BTreeSet<i64> = all.into_iter().collect();
        let first = if event == Event::Deleted { 2 } else { 1 };
        let outcome = match error {
            Some(_) => Outcome::Error,
            None if (first..=rows).all(|row| all.contains(&row)) => Outcome::Whole,
            None => Outcome::Short,
        };
        (outcome, calls.len())
    }

    /// Facts as they are learned from lists that rest.
    fn teach(self) -> ListFacts {
        let facts = ListFacts::assumed(1);
        for rows in [12, 55] {
            self.read(rows, Event::Nothing, &facts);
        }
        facts
    }
}

/// Cells, and lists that are silently short: in all, and where a cautious reader's are not.
#[derive(Default)]
struct Sums {
    cells: usize,
    short: usize,
    only_with_facts: usize,
    short_cautious: usize,
    calls: usize,
}

/// Reads every kind of list with facts that were learned from a service as `was` makes it.
fn sums(events: &[Event], step: usize, was: impl Fn(Kind) -> Option<Kind>) -> Sums {
    let mut sums = Sums::default();
    for kind in Kind::all() {
        let Some(before) = was(kind) else { continue };
        let each = events.iter().flat_map(|event| ROWS.map(|rows| (*event, rows)));
        for (event, rows) in each.step_by(step) {
            let facts = if before == NOBODY { ListFacts::assumed(1) } else { before.teach() };
            let (outcome, calls) = kind.read(rows, event, &facts);
            let (cautious, _) = kind.read(rows, event, &ListFacts::unused(1));
            sums.cells += 1;
            sums.calls += calls;
            sums.short += usize::from(outcome == Outcome::Short);
            sums.short_cautious += usize::from(cautious == Outcome::Short);
            sums.only_with_facts += usize::from(outcome == Outcome::Short && cautious != Outcome::Short);
        }
    }
    sums
}

/// The service from which facts were learned.
type Was = fn(Kind) -> Option<Kind>;

/// Nothing was learned.
const NOBODY: Kind =
    Kind { base: -1, before: Before::Empty, cap: 0, count: Count::Nothing, ignores_paging: false };

#[test]
fn a_service_at_rest_is_read_whole_with_any_single_outdated_fact() {
    let rest = [Event::Nothing];
    let states: [(&str, Was); 5] = [
        ("cold", |_| Some(NOBODY)),
        ("warm", Some),
        ("another first page", |kind| {
            (!kind.ignores_paging).then(|| Kind { base: 1 - kind.base, before: Before::Refused, ..kind })
        }),
        ("no cap", |kind| (kind.cap < i64::MAX).then_some(Kind { cap: i64::MAX, ..kind })),
        ("a count of the list", |kind| {
            (kind.count != Count::List).then_some(Kind { count: Count::List, ..kind })
        }),
    ];
    for (state, was) in states {
        let Sums { cells, short, short_cautious, calls, .. } = sums(&rest, 1, was);
        println!("{state}: {cells} cells, {short} short, cautious {short_cautious}, {calls} calls");
        assert!(cells > 500, "{state}");
        assert_eq!((short, short_cautious), (0, 0), "{state}");
    }
}

#[test]
fn failures_and_moving_rows_make_fewer_lists_short_than_without_facts() {
    let kinds = [Damage::Empty, Damage::EmptyAndCounted0, Damage::ShortBy(1)];
    let damaged = [0, 1, 2, 3].into_iter().flat_map(|page| kinds.map(|damage| Event::Damaged(page, damage)));
    let events: Vec<Event> = damaged.chain([Event::Deleted, Event::Inserted, Event::Added]).collect();
    let states: [(&str, Was); 2] = [("cold", |_| Some(NOBODY)), ("warm", Some)];
    for (state, was) in states {
        let Sums { cells, short, short_cautious, only_with_facts, .. } = sums(&events, STEP, was);
        println!(
            "{state}: {cells} cells, {short} short ({only_with_facts} only with facts), cautious {short_cautious}"
        );
        assert!(cells > 5000 && 4 * short <= 3 * short_cautious, "{state}: {short} and {short_cautious}");
    }
}
