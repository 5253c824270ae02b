//! Services that divide rows into pages in all possible ways, and readings of their lists.

use serde::Serialize;
use sondage::model::Paging;
use sondage::model::{Identified, Identity};
use sondage::paging::{ListFacts, Page, Pager, PagerSettings};
use sondage::{Error, ErrorKind, Result};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// The count of a service that counts only the page.
pub type CountOfPage = fn(&Vec<i64>) -> Option<i64>;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row(pub i64);

impl Identified for Row {
    const ORDER: Option<&'static str> = Some("Id");

    fn identity(&self) -> Option<Identity<'_>> {
        Some(Identity::Number(self.0))
    }
}

/// A row with a text id, in numeric order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Named(pub String);

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

/// The ways to read a list, which must give the same result.
#[derive(Clone, Copy, PartialEq)]
pub enum Way {
    Plain,
    Ahead,
    /// Pages are stored, and can be read again.
    LookingBack,
}

/// A row without an id.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer(pub i64);

impl Identified for Answer {
    const ORDER: Option<&'static str> = None;

    fn identity(&self) -> Option<Identity<'_>> {
        None
    }
}

/// Rows, and how they are divided into pages.
#[derive(Clone)]
pub struct Service {
    pub rows: Vec<i64>,
    pub base: i64,
    pub cap: i64,
    /// The minimum page size, whatever is requested.
    pub least: i64,
    /// The response for the page before the first.
    pub before: Before,
    pub count: fn(usize) -> Option<i64>,
    pub ignores_page: bool,
    pub ignores_size: bool,
    /// Called before the nth call, to change something.
    pub meanwhile: fn(&mut Vec<i64>, usize),
    pub fails: fn(&Paging) -> Option<Error>,
    /// The count, computed from the rows of the page.
    pub of_page: Option<CountOfPage>,
    /// A change of a page when it is first requested.
    pub once: Option<(i64, Damage)>,
    pub empty: fn(&Paging) -> bool,
    /// From this call on, the maximum page size.
    pub cap_from: Option<(usize, i64)>,
    /// The response for a page after the last.
    pub beyond: Beyond,
    pub calls: Vec<Paging>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damage {
    Empty,
    /// Empty, and `totalCount` is 0.
    EmptyAndCounted0,
    ShortBy(i64),
}

#[derive(Clone, Copy, Debug)]
pub enum Beyond {
    Empty,
    Refused,
    First,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Before {
    Refused,
    Empty,
    FirstPage,
}

impl Service {
    pub fn of(rows: i64) -> Self {
        Self {
            rows: (1..=rows).collect(),
            base: 1,
            cap: i64::MAX,
            least: 1,
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

    pub fn page(&mut self, paging: &Paging) -> Result<Page<Vec<i64>>> {
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
        let size = if self.ignores_size { i64::MAX } else { paging.page_size.max(self.least).min(self.cap) };
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
        let mut counted_0 = false;
        if let Some((_, damage)) = self.once.take_if(|(page, _)| *page == paging.page) {
            counted_0 = matches!(damage, Damage::EmptyAndCounted0);
            let left = match damage {
                Damage::Empty | Damage::EmptyAndCounted0 => 0,
                Damage::ShortBy(missing) => rows.len().saturating_sub(usize::try_from(missing).unwrap()),
            };
            rows.truncate(left);
        }
        if (self.empty)(paging) {
            rows.clear();
        }
        let count = self.of_page.map_or(count, |of_page| of_page(&rows));
        let count = if counted_0 { Some(0) } else { count };
        Ok(Page { rows, count, bytes: 0 })
    }

    pub fn settings() -> PagerSettings {
        PagerSettings::new("ReadList", 10)
    }

    /// Settings of a reader that confirms each list by requests beyond both its ends.
    pub fn cautious() -> PagerSettings {
        PagerSettings { facts: ListFacts::unused(1), ..Self::settings() }
    }

    /// The rows in order, and the result: the same, with the same calls, whatever the ids are and whether or not pages can be
    /// read again.
    pub fn read(self, settings: PagerSettings) -> (Vec<i64>, Option<Error>, Vec<Paging>) {
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

    /// Reads any type of rows, with or without prefetching.
    pub fn read_as<T: Identified + Clone + Serialize + Send + Sync + 'static>(
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

    /// Reads rows with numeric ids in one way.
    pub fn read_once(self, settings: PagerSettings) -> (Vec<i64>, Option<Error>, Vec<Paging>) {
        self.fetch(settings, Way::Plain, Row, |row: &Row| row.0)
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
                pager.verify_with(move |page| {
                    Ok(kept.lock().unwrap()[usize::try_from(page).unwrap()].clone())
                });
            }
        }
        let mut all: Vec<i64> = Vec::new();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let error = runtime.block_on(async {
            loop {
                match pager.next().await {
                    Ok(Some(page)) => {
                        assert!(!page.is_empty(), "a page without rows is returned");
                        all.extend(page.iter().map(id));
                        kept.lock().unwrap().push(page);
                    }
                    Ok(None) => return None,
                    Err(error) => return Some(error),
                }
            }
        });
        let calls = std::mem::take(&mut service.lock().unwrap().calls);
        assert!(calls.len() < 1000, "the list does not end");
        (all, error, calls)
    }

    /// The list is complete, each row once; returns the number of calls.
    pub fn whole(self, settings: PagerSettings) -> Vec<Paging> {
        let wanted: BTreeSet<i64> = self.rows.iter().copied().collect();
        let cautious = cautious(&settings).map(|settings| self.clone().read(settings));
        let (all, error, calls) = self.read(settings);
        for (all, error) in cautious.map(|(all, error, _)| (all, error)).into_iter().chain([(all, error)]) {
            assert_eq!(error.map(|error| error.to_string()), None);
            assert_eq!(all.len(), wanted.len(), "a row came twice: {all:?}");
            assert_eq!(all.into_iter().collect::<BTreeSet<_>>(), wanted);
        }
        calls
    }

    /// The list cannot be proven complete.
    pub fn incomplete(self, settings: PagerSettings) -> String {
        let cautious = cautious(&settings).map(|settings| self.clone().read(settings).1);
        let (_, error, _) = self.read(settings);
        let texts = cautious.into_iter().chain([error]).map(|error| {
            let error = error.expect("a list that is incomplete");
            assert_eq!(error.kind(), ErrorKind::Incomplete, "{error}");
            error.to_string()
        });
        texts.last().unwrap()
    }
}

/// The same settings for another reading. Clones share the detected first page, but readings must be independent. `None` if it
/// is known already.
fn again(settings: &PagerSettings) -> Option<PagerSettings> {
    let number = settings.facts.first_page();
    let is_used = settings.facts.is_in_use();
    let facts = if is_used { ListFacts::assumed(number) } else { ListFacts::unused(number) };
    settings.facts.proven().is_none().then(|| PagerSettings { facts, ..settings.clone() })
}

/// The same settings for a cautious reader that knows nothing.
fn cautious(settings: &PagerSettings) -> Option<PagerSettings> {
    let facts = ListFacts::unused(settings.facts.first_page());
    settings.facts.proven().is_none().then(|| PagerSettings { facts, ..settings.clone() })
}

fn said(error: Option<&Error>) -> Option<String> {
    error.map(ToString::to_string)
}
