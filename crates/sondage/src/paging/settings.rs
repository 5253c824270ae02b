//! How a list is read.

use crate::call::first_page::FirstPage;
use crate::model::OrderDirection;
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
    pub verify_total: bool,
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
            verify_total: true,
            deadline: None,
        }
    }
}
