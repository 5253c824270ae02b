//! How a list is read.

use crate::facts::ListFacts;
use crate::model::OrderDirection;
use crate::trace::Tracer;
use std::time::{Duration, Instant};

/// How a list is sorted. Pages are reliable only in an order in which rows keep their positions.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Order {
    /// By the rows' id, ascending, if the name of the id is known. That the service can sort by it is assumed: if it
    /// refuses the first page, the page is requested once more without an order.
    ById(Option<String>),
    /// By a field that the caller chooses.
    By(String, OrderDirection),
    /// In the service's default order.
    Unspecified,
}

/// How a list is read, page by page.
#[derive(Clone, Debug)]
pub struct PagerSettings {
    /// The API's name of the operation, for errors.
    pub operation: &'static str,
    /// Rows per page. The number of calls is limited, so large pages are better; a page that times out is halved.
    pub page_size: i64,
    /// What is known about the lists of this operation: the number of their first page, and whether their count is right.
    pub facts: ListFacts,
    /// Whether the list is proven whole by requests of its own, whatever is known.
    pub thorough: bool,
    /// Whether an empty first page is believed at once if the facts allow it: only for a caller who reads the same rows later if it
    /// was a failure.
    pub believes_empty_page: bool,
    /// The order.
    pub order: Order,
    /// Whether a `totalCount` that is larger than the number of rows read, or that falls, puts the list in doubt. Switch
    /// it off for a service whose count is known to be wrong: then no list of one page ends by its count.
    pub verify_total: bool,
    /// How long a page may take in total: the call, its retries, and the smaller pages that replace it. `None`: no limit
    /// apart from the calls' own.
    pub deadline: Option<Duration>,
    /// The progress callback, called for each page.
    pub tracer: Option<Tracer>,
}

impl PagerSettings {
    /// Pages of this size, counted from 1 (assumed).
    pub fn new(operation: &'static str, page_size: i64) -> Self {
        Self {
            operation,
            page_size,
            facts: ListFacts::assumed(1),
            thorough: false,
            believes_empty_page: false,
            order: Order::Unspecified,
            verify_total: true,
            deadline: None,
            tracer: None,
        }
    }

    /// Whether a list of one page is proven by a request of its own, whatever is known.
    pub(super) fn demands_probe(&self) -> bool {
        self.thorough || !self.verify_total
    }

    /// Called after the rows of a page were read.
    pub(super) fn read(&self, rows: i64, begun: Instant) {
        if let Some(tracer) = &self.tracer {
            tracer.page(self.operation, rows.unsigned_abs(), begun);
        }
    }
}
