//! What a client has found out of the number of a list's first page.

use arc_swap::ArcSwap;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

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
    /// A map that is replaced, not locked: a fork may come at any moment.
    found: ArcSwap<HashMap<&'static str, FirstPage>>,
}

impl FirstPages {
    /// A number that is not certain, for all operations.
    pub fn assumed(number: i64) -> Self {
        Self { assumed: number, found: ArcSwap::default() }
    }

    /// What is known of an operation's.
    pub fn of(&self, operation: &'static str) -> FirstPage {
        if let Some(known) = self.found.load().get(operation) {
            return known.clone();
        }
        let mine = FirstPage::assumed(self.assumed);
        let add = |found: &Arc<HashMap<_, _>>| {
            let mut found = HashMap::clone(found);
            found.entry(operation).or_insert_with(|| mine.clone());
            found
        };
        self.found.rcu(add);
        // Whoever was first.
        self.found.load().get(operation).cloned().unwrap_or(mine)
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
