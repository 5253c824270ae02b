//! What a client has found out of the number of a list's first page.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

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

    pub(crate) fn prove(&self, number: i64) {
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
