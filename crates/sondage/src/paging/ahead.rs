//! Prefetching: the next page is fetched while the caller works on the current one.

use super::pager::Page;
use super::rows::AnyRows;
use super::settings::Order;
use crate::error::Result;
use crate::model::{OrderDirection, Paging};
use crate::runtime::{self, Task};
use crate::trace::CallPurpose;
use futures_util::future::BoxFuture;

pub(super) type ReadPage = Box<dyn FnMut(Paging) -> BoxFuture<'static, Result<Page<AnyRows>>> + Send>;

/// Fetches pages, one ahead of the caller. There is never more than one call at a time, so it only uses the time in which
/// the caller works on a page; reading to the end costs no additional call.
pub(super) struct Fetch {
    read: ReadPage,
    ahead: bool,
    /// Dropping it cancels the call and its retries.
    coming: Option<(Paging, Task<Page<AnyRows>>)>,
}

impl Fetch {
    pub fn new(read: ReadPage) -> Self {
        Self { read, ahead: false, coming: None }
    }

    pub fn ahead(&mut self) {
        self.ahead = true;
    }

    /// Starts to fetch a page before it is requested.
    pub fn expect(&mut self, paging: Paging, purpose: CallPurpose) {
        if self.ahead {
            let call = purpose.scope((self.read)(paging.clone()));
            self.coming = Some((paging, runtime::spawn(call)));
        }
    }

    /// Returns the page. Dropping this future cancels the call, including one that was prefetched.
    pub async fn page(&mut self, paging: Paging, purpose: CallPurpose) -> Result<Page<AnyRows>> {
        match self.coming.take() {
            Some((coming, page)) if coming == paging => page.await,
            _ => purpose.scope((self.read)(paging)).await,
        }
    }
}

/// The paging fields of a call.
pub(super) fn paging(number: i64, size: i64, order: Option<&(String, OrderDirection)>) -> Paging {
    let paging = Paging::new(size, number);
    match order {
        Some((field, direction)) => paging.order_field(field.as_str()).order_direction(direction.clone()),
        None => paging,
    }
}

/// The sort field and direction, if any.
pub(super) fn order_of(order: &Order) -> Option<(String, OrderDirection)> {
    match order {
        Order::ById(field) => field.clone().map(|field| (field, OrderDirection::Ascending)),
        Order::By(field, direction) => Some((field.clone(), direction.clone())),
        Order::Unspecified => None,
    }
}
