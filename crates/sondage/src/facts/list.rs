//! The facts about the lists of one operation, as a reader of a list uses them.

use super::record::{Evidence, Fact, ListRecord};
use super::service::ServiceFacts;
use std::sync::Arc;

/// What is known about the lists of an operation: the number of their first page, and what their count counts. Clones share it.
#[derive(Clone, Debug)]
pub struct ListFacts {
    service: Arc<ServiceFacts>,
    /// The key of the record.
    name: String,
    assumed: i64,
    /// The caller has named the first page of this list: where to begin, whatever is known.
    is_named: bool,
    /// A digest of the list's request, if it is told apart from other lists of the operation.
    list: Option<String>,
}

impl ListFacts {
    /// Facts of no service, for a reader that knows nothing but the assumed number of its first page.
    pub fn assumed(first_page: i64) -> Self {
        Self::of(Arc::new(ServiceFacts::in_memory()), String::new(), first_page)
    }

    /// The same, for a reader that confirms each list by requests beyond both its ends, whatever it has learned.
    pub fn unused(first_page: i64) -> Self {
        Self::of(Arc::new(ServiceFacts::unused()), String::new(), first_page)
    }

    pub(super) fn of(service: Arc<ServiceFacts>, name: String, assumed: i64) -> Self {
        Self { service, name, assumed, is_named: false, list: None }
    }

    /// The same, for a list whose first page the caller has named. It is where the list begins, and is confirmed once.
    #[must_use]
    pub fn named(mut self, first_page: i64) -> Self {
        (self.assumed, self.is_named) = (first_page, true);
        self
    }

    /// The same facts for lists with a filter, which a service may count in another way.
    #[must_use]
    pub fn filtered(mut self) -> Self {
        self.name.push_str(" filtered");
        self
    }

    /// The same facts for the list of one request, which is told apart from others by this digest.
    #[must_use]
    pub(crate) fn of_request(mut self, digest: String) -> Self {
        self.list = Some(digest);
        self
    }

    /// The number of the page to begin with.
    pub fn first_page(&self) -> i64 {
        if self.is_named { self.assumed } else { self.proven().unwrap_or(self.assumed) }
    }

    /// The number of the first page, if responses of the service have shown it.
    pub fn proven(&self) -> Option<i64> {
        let first_page = self.read(|list| list.first_page.value);
        first_page.filter(|number| !self.is_named || *number == self.assumed)
    }

    /// Where a list may begin whose first page, as it is known, was refused: the refusal may be about something else.
    pub(crate) fn other_first_page(&self, refused: i64) -> Option<i64> {
        (!self.is_named && refused != self.assumed).then_some(self.assumed)
    }

    /// Whether what is learned is used to end lists.
    pub fn is_in_use(&self) -> bool {
        self.service.is_in_use()
    }

    /// Whether the first page and the meaning of the count were proven lately, here or in another process that shares the facts.
    pub(crate) fn is_proven(&self, first_page: i64) -> bool {
        self.service.refresh();
        let now = self.service.now();
        self.read(|list| {
            list.first_page.proven(now) == Some(first_page) && list.counts_list.proven(now) == Some(true)
        })
    }

    /// Whether the count was lately shown not to be that of the list.
    pub(crate) fn counts_pages(&self) -> bool {
        let now = self.service.now();
        self.read(|list| list.counts_list.proven(now) == Some(false))
    }

    /// Whether a count of 0 may be believed of a list without rows, which can show nothing itself: the number of its first page was
    /// proven, and the counts of other lists are right.
    pub(crate) fn is_proven_empty(&self, first_page: i64) -> bool {
        self.service.refresh();
        let now = self.service.now();
        let own = self.read(|list| (list.first_page.proven(now), list.counts_list.proven(now)));
        own.0 == Some(first_page) && own.1.unwrap_or_else(|| self.service.counts_are_right())
    }

    /// Whether a page with this many rows may have been cut by the service: it is larger than any that was proven whole, or of a usual
    /// size for a limit, and this list was not proven whole with as many rows. A large limit is always suspect: a list that grows may
    /// reach it.
    pub(crate) fn is_suspect(&self, rows: i64) -> bool {
        let now = self.service.now();
        let was_whole =
            || self.list.as_ref().is_some_and(|name| self.read(|list| list.was_whole(name, rows, now)));
        rows > self.longest() || is_usual_limit(rows) && (rows >= LARGE_LIMIT || !was_whole())
    }

    /// The most rows on one page of a list that was whole. A page that is as long as the service's largest may be cut.
    pub(crate) fn longest(&self) -> i64 {
        self.read(|list| list.cap.value.map_or(list.longest, |cap| list.longest.min(cap - 1)))
    }

    /// Whether this list is one of those that are proven although the facts would do.
    pub(crate) fn is_sampled(&self) -> bool {
        self.service.draws_sample()
    }

    /// Whether the tail probe has worked, or was not tried often enough to be given up.
    pub(crate) fn can_probe(&self) -> bool {
        let now = self.service.now();
        self.read(|list| list.can_probe(now))
    }

    /// A response has shown the number of the first page.
    pub(crate) fn prove(&self, first_page: i64, evidence: Evidence) {
        let now = self.service.now();
        self.change(|list| list.first_page.show(first_page, evidence, now));
    }

    /// A list was proven whole, with `rows` on its longest page. `counts_list`: whether its count was right on every page.
    pub(crate) fn prove_whole(&self, first_page: i64, counts_list: bool, rows: i64, evidence: Evidence) {
        let now = self.service.now();
        self.change(|list| {
            list.first_page.show(first_page, evidence, now);
            list.counts_list.show(counts_list, evidence, now);
            list.longest = list.longest.max(rows);
            if list.cap.value.is_some_and(|cap| rows > cap) {
                list.cap = Fact { value: None, evidence, at: now };
            }
            if evidence == Evidence::TailProbe {
                list.probe_failures.show(0, evidence, now);
                if let Some(name) = self.list.as_ref().filter(|_| is_usual_limit(rows)) {
                    list.prove_length(name, rows, now);
                }
            }
        });
    }

    /// The service's pages have at most this many rows.
    pub(crate) fn prove_cap(&self, rows: i64) {
        let now = self.service.now();
        self.change(|list| list.cap.show(rows, Evidence::Pages, now));
    }

    /// A response contradicts what was known, or what was assumed.
    pub(crate) fn forget(&self) {
        self.change(|list| {
            list.generation += 1;
            list.first_page = Fact::default();
            list.counts_list = Fact::default();
            list.lengths.clear();
        });
    }

    /// The tail probe has failed, although the list was whole.
    pub(crate) fn probe_failed(&self) {
        let now = self.service.now();
        self.change(|list| {
            let failures = list.probe_failures.proven(now).unwrap_or(0) + 1;
            list.probe_failures = Fact::new(failures, Evidence::Pages, now);
        });
    }

    /// Stores what was learned, if it is stored at all.
    pub(crate) async fn save(&self) {
        ServiceFacts::save(&self.service).await;
    }

    fn read<T>(&self, read: impl Fn(&ListRecord) -> T) -> T {
        self.service.with(|record| match record.lists.get(&self.name) {
            Some(list) => read(list),
            None => read(&ListRecord::default()),
        })
    }

    fn change(&self, change: impl Fn(&mut ListRecord)) {
        self.service.change(|record| change(record.lists.entry(self.name.clone()).or_default()));
    }
}

/// Services limit their pages to this many rows or more, much more often than to fewer.
const LARGE_LIMIT: i64 = 500;

/// Whether a service may have chosen this number as the size of its largest page.
fn is_usual_limit(rows: i64) -> bool {
    let step = if rows < 100 { 10 } else { 50 };
    rows % step == 0 || matches!(rows, 25 | 75) || rows >= 8 && rows.count_ones() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_limits() {
        for rows in [10, 20, 25, 32, 50, 64, 75, 100, 128, 150, 250, 256, 500, 1000, 1024, 10_000] {
            assert!(is_usual_limit(rows), "{rows}");
        }
        for rows in [1, 2, 3, 4, 7, 19, 26, 63, 110, 201, 1025] {
            assert!(!is_usual_limit(rows), "{rows}");
        }
    }

    #[test]
    fn what_one_operation_shows_says_nothing_of_another() {
        let service = Arc::new(ServiceFacts::in_memory());
        let members = ListFacts::of(service.clone(), "ReadMemberList".to_owned(), 1);
        let surveys = ListFacts::of(service, "ReadSurveyList".to_owned(), 1);
        members.prove(0, Evidence::Refusal);
        assert_eq!((members.proven(), members.first_page()), (Some(0), 0));
        assert_eq!((surveys.proven(), surveys.first_page()), (None, 1));
        assert_eq!((members.clone().filtered().proven(), members.named(1).first_page()), (None, 1));
    }
}
