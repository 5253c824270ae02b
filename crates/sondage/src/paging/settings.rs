//! How a list is read.

use crate::model::OrderDirection;
use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// How a list is ordered. Only an order in which rows keep their places makes pages reliable.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Order {
    /// By the rows' id, ascending, where its name is known. That the service can order by it is assumed: when it refuses
    /// the first page, the page is asked for once more without an order.
    ById(Option<String>),
    /// By a field of the caller's choice.
    By(String, OrderDirection),
    /// As the service likes.
    Unspecified,
}

/// How a list is read, page by page.
#[derive(Clone, Debug)]
pub struct PagerSettings {
    /// The API's name of the operation, for errors.
    pub operation: &'static str,
    /// Rows on a page. Calls are scarce, so large pages are better; a page that takes too long is halved.
    pub page_size: i64,
    /// The number of the first page: what is assumed, and what this client has found out.
    pub first_page: FirstPage,
    /// The order.
    pub order: Order,
    /// Whether a `totalCount` that is larger than what came, or that falls, puts the list in doubt. Switch it off for a
    /// service whose count is known to be wrong; it is never used to end a list.
    pub check_count: bool,
    /// How long a page may take with everything: the call, its repeats, and the smaller pages that are tried in its place.
    /// `None`: as long as the calls take.
    pub deadline: Option<Duration>,
}

impl PagerSettings {
    /// Pages of a size, counted from 1 (assumed).
    pub fn new(operation: &'static str, page_size: i64) -> Self {
        Self {
            operation,
            page_size,
            first_page: FirstPage::assumed(1),
            order: Order::Unspecified,
            check_count: true,
            deadline: None,
        }
    }
}

/// The number of the first page. Clones share what has been found out, so that it is found out once.
#[derive(Clone, Debug)]
pub struct FirstPage {
    assumed: i64,
    proven: Arc<AtomicI64>,
}

const UNKNOWN: i64 = i64::MIN;

impl FirstPage {
    /// A number that is not certain.
    pub fn assumed(number: i64) -> Self {
        Self { assumed: number, proven: Arc::new(AtomicI64::new(UNKNOWN)) }
    }

    /// The number to start with.
    pub fn number(&self) -> i64 {
        self.proven().unwrap_or(self.assumed)
    }

    /// The number, if answers of the service have shown it.
    pub fn proven(&self) -> Option<i64> {
        Some(self.proven.load(Ordering::Relaxed)).filter(|number| *number != UNKNOWN)
    }

    pub(super) fn prove(&self, number: i64) {
        self.proven.store(number, Ordering::Relaxed);
    }
}

/// What a client has found out of the first pages, for each operation apart: nobody has published that all lists are counted
/// in the same way.
#[derive(Debug)]
pub(crate) struct FirstPages {
    assumed: i64,
    found: Mutex<HashMap<&'static str, FirstPage>>,
}

impl FirstPages {
    /// A number that is not certain, for all operations.
    pub fn assumed(number: i64) -> Self {
        Self { assumed: number, found: Mutex::default() }
    }

    /// What is known of an operation's.
    pub fn of(&self, operation: &'static str) -> FirstPage {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.entry(operation).or_insert_with(|| FirstPage::assumed(self.assumed)).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists that are counted in different ways lost a page when one of them spoke for all.
    #[test]
    fn what_is_found_out_of_one_operation_says_nothing_of_another() {
        let pages = FirstPages::assumed(1);
        pages.of("ReadMemberList").prove(0);
        assert_eq!(pages.of("ReadMemberList").proven(), Some(0));
        assert_eq!((pages.of("ReadSurveyList").proven(), pages.of("ReadSurveyList").number()), (None, 1));
    }
}
