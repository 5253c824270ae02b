//! Detects the number of a list's first page (0 or 1) and remembers it.

use arc_swap::ArcSwap;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// The number of the first page. Clones share it, so that it is detected once.
#[derive(Clone, Debug)]
pub struct FirstPage {
    assumed: i64,
    proven: Arc<AtomicI64>,
}

const UNKNOWN: i64 = i64::MIN;

impl FirstPage {
    /// An assumed number.
    pub fn assumed(number: i64) -> Self {
        Self { assumed: number, proven: Arc::new(AtomicI64::new(UNKNOWN)) }
    }

    /// The number to start with.
    pub fn number(&self) -> i64 {
        self.proven().unwrap_or(self.assumed)
    }

    /// The number, if responses of the service have confirmed it.
    pub fn proven(&self) -> Option<i64> {
        Some(self.proven.load(Ordering::Relaxed)).filter(|number| *number != UNKNOWN)
    }

    pub(crate) fn prove(&self, number: i64) {
        self.proven.store(number, Ordering::Relaxed);
    }
}

/// The first page numbers known to a client, per operation: it is not published that all lists number their pages in the
/// same way.
#[derive(Debug)]
pub(crate) struct FirstPages {
    assumed: i64,
    /// A map that is replaced, not locked, because a fork may happen at any moment.
    found: ArcSwap<HashMap<&'static str, FirstPage>>,
}

impl FirstPages {
    /// Starts with one assumed number for all operations.
    pub fn assumed(number: i64) -> Self {
        Self { assumed: number, found: ArcSwap::default() }
    }

    /// The state of one operation.
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
        // If two threads insert at once, the first one wins.
        self.found.load().get(operation).cloned().unwrap_or(mine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With one number for all lists, a list that counts differently would lose a page.
    #[test]
    fn what_is_found_out_of_one_operation_says_nothing_of_another() {
        let pages = FirstPages::assumed(1);
        pages.of("ReadMemberList").prove(0);
        assert_eq!(pages.of("ReadMemberList").proven(), Some(0));
        assert_eq!((pages.of("ReadSurveyList").proven(), pages.of("ReadSurveyList").number()), (None, 1));
    }
}
