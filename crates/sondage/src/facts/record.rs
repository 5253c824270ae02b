//! The facts of a service as they are kept: values with their evidence and time, and how two processes' facts are joined.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// After this long a fact is proven again: two changes of a service at once are found by a proof only.
const AGE: u64 = 7 * 24 * 60 * 60 * 1000;

/// How often the tail probe may fail on a list that turned out to be whole, before it is not tried any more.
const PROBE_FAILURES: u32 = 3;

/// What showed a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Evidence {
    /// The tail probe returned exactly the rows that it had to.
    TailProbe,
    /// The pages of a list: their rows, or the same count on every page.
    Pages,
    /// The service refused the page before the first.
    Refusal,
    /// The page before the first was empty, which a failure is as well: this process believes it, and no other.
    EmptyPage,
    /// The service answered.
    Answer,
}

impl Evidence {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TailProbe => "tail probe",
            Self::Pages => "pages",
            Self::Refusal => "refusal",
            Self::EmptyPage => "empty page",
            Self::Answer => "answer",
        }
    }
}

/// How many lengths are kept: they are those that are usual limits.
const MOST_LENGTHS: usize = 32;

/// A fact that is shown again within this time is not written again.
const NEWS: u64 = 24 * 60 * 60 * 1000;

/// Whether something was shown lately. A time in the future is that of a clock that was wrong.
fn is_fresh(at: u64, now: u64) -> bool {
    (at..=at.saturating_add(AGE)).contains(&now)
}

fn is_recent(at: u64, now: u64) -> bool {
    (at..=at.saturating_add(NEWS)).contains(&now)
}

/// A value with its evidence. `None`: it was forgotten at this time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Fact<T> {
    pub value: Option<T>,
    pub evidence: Evidence,
    /// In milliseconds since 1970.
    pub at: u64,
}

impl<T> Default for Fact<T> {
    fn default() -> Self {
        Self { value: None, evidence: Evidence::EmptyPage, at: 0 }
    }
}

impl<T: Clone> Fact<T> {
    pub fn new(value: T, evidence: Evidence, at: u64) -> Self {
        Self { value: Some(value), evidence, at }
    }

    /// A response has shown the value. If that is no news, the fact stays as it is.
    pub fn show(&mut self, value: T, evidence: Evidence, now: u64)
    where
        T: PartialEq,
    {
        let is_known = self.value.as_ref() == Some(&value) && self.evidence == evidence;
        if !is_known || !is_recent(self.at, now) {
            *self = Self::new(value, evidence, now);
        }
    }

    /// The value if it was proven by something that no failure imitates, and lately.
    pub fn proven(&self, now: u64) -> Option<T> {
        self.value.clone().filter(|_| is_fresh(self.at, now) && self.evidence != Evidence::EmptyPage)
    }

    fn join(&mut self, other: &Self) {
        if other.at > self.at {
            self.clone_from(other);
        }
    }
}

/// The rows of a list that was proven whole, and when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct ProvenLength {
    pub rows: i64,
    pub at: u64,
}

/// What is known about the lists of an operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct ListRecord {
    /// Grows whenever an answer contradicts what was known: facts of an older generation are not written back.
    pub generation: u64,
    /// The number of the first page.
    pub first_page: Fact<i64>,
    /// Whether the service's count is that of the whole list.
    pub counts_list: Fact<bool>,
    /// The most rows of a list that were on one page, and were all.
    pub longest: i64,
    /// Lists of one page that the tail probe has proven whole, although their length is that of a usual limit, by a digest of their
    /// requests.
    pub lengths: BTreeMap<String, ProvenLength>,
    /// The service's own largest page.
    pub cap: Fact<i64>,
    /// Tail probes that failed one after the other, although nothing was wrong.
    pub probe_failures: Fact<u32>,
}

impl ListRecord {
    /// Whether the tail probe is worth a call.
    pub fn can_probe(&self, now: u64) -> bool {
        self.probe_failures.proven(now).is_none_or(|failures| failures < PROBE_FAILURES)
    }

    /// Whether this list had this many rows when it was proven whole lately.
    pub fn was_whole(&self, list: &str, rows: i64, now: u64) -> bool {
        self.lengths.get(list).is_some_and(|proven| proven.rows == rows && is_fresh(proven.at, now))
    }

    /// A list of this many rows was proven whole.
    pub fn prove_length(&mut self, list: &str, rows: i64, now: u64) {
        self.lengths.retain(|_, proven| is_fresh(proven.at, now));
        let is_known =
            self.lengths.get(list).is_some_and(|proven| proven.rows == rows && is_recent(proven.at, now));
        if !is_known && (self.lengths.len() < MOST_LENGTHS || self.lengths.contains_key(list)) {
            self.lengths.insert(list.to_owned(), ProvenLength { rows, at: now });
        }
    }

    fn join(&mut self, other: &Self) {
        if other.generation < self.generation {
            return;
        }
        if other.generation > self.generation {
            let longest = self.longest.max(other.longest);
            *self = Self { longest, ..other.clone() };
            return;
        }
        self.first_page.join(&other.first_page);
        self.counts_list.join(&other.counts_list);
        self.cap.join(&other.cap);
        self.longest = self.longest.max(other.longest);
        for (list, proven) in &other.lengths {
            let mine = self.lengths.entry(list.clone()).or_default();
            if proven.at > mine.at {
                *mine = *proven;
            }
        }
        self.probe_failures.join(&other.probe_failures);
    }
}

/// All facts of a tenant at a service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Record {
    /// By operation, with ` filtered` behind it for lists with a filter.
    pub lists: BTreeMap<String, ListRecord>,
    /// By operation: the path that answers, of several.
    pub paths: BTreeMap<String, Fact<String>>,
    /// By survey: its workspace.
    pub workspaces: BTreeMap<i64, Fact<i64>>,
}

impl Record {
    /// Adds what another process knows.
    pub fn join(&mut self, other: &Self) {
        for (name, list) in &other.lists {
            self.lists.entry(name.clone()).or_default().join(list);
        }
        for (name, path) in &other.paths {
            self.paths.entry(name.clone()).or_default().join(path);
        }
        for (survey, workspace) in &other.workspaces {
            self.workspaces.entry(*survey).or_default().join(workspace);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contradicted_fact_is_not_written_back() {
        let mut mine = ListRecord {
            first_page: Fact::new(1, Evidence::TailProbe, 10),
            longest: 20,
            ..ListRecord::default()
        };
        let forgotten = ListRecord { generation: 1, ..ListRecord::default() };
        let mut theirs = forgotten.clone();
        theirs.join(&mine);
        assert_eq!(theirs, forgotten);
        mine.join(&forgotten);
        assert_eq!((mine.first_page.value, mine.longest), (None, 20));
    }

    #[test]
    fn the_later_fact_counts_and_an_old_one_is_none() {
        let mut one = Fact::new(1, Evidence::TailProbe, 1000);
        one.join(&Fact::new(0, Evidence::Pages, 2000));
        assert_eq!(one.proven(2000), Some(0));
        assert_eq!((one.proven(1999), one.proven(2000 + AGE + 1)), (None, None));
        assert_eq!(Fact::new(1, Evidence::EmptyPage, 2000).proven(2000), None);
    }

    #[test]
    fn what_is_shown_again_is_no_news_for_a_day() {
        let mut fact = Fact::new(1, Evidence::TailProbe, 1000);
        for (value, evidence, at, kept_at) in [
            (1, Evidence::TailProbe, 1000 + NEWS, 1000),
            (1, Evidence::Pages, 2000, 2000),
            (0, Evidence::Pages, 3000, 3000),
            (0, Evidence::Pages, 3001 + NEWS, 3001 + NEWS),
            (0, Evidence::Pages, 4000, 4000),
        ] {
            fact.show(value, evidence, at);
            assert_eq!(fact, Fact::new(value, evidence, kept_at));
        }
    }
}
