//! Blocking lists.

use super::{Members, Pager, Pages};
use crate::error::{Error, Result};
use crate::model::{Identified, Member};
use crate::operation::Paged;
use crate::runtime;

impl<O: Paged> Pages<O> {
    /// The rows, as a blocking iterator.
    pub fn iter(self) -> Iter<O::Item> {
        Iter::new(self.pager())
    }
}

impl Members {
    /// The members, as a blocking iterator.
    pub fn iter(self) -> Iter<Member> {
        Iter::new(self.pager())
    }
}

impl IntoIterator for Members {
    type Item = Result<Member>;
    type IntoIter = Iter<Member>;

    /// Each page blocks the thread until it has arrived.
    fn into_iter(self) -> Iter<Member> {
        self.iter()
    }
}

impl<O: Paged> IntoIterator for Pages<O> {
    type Item = Result<O::Item>;
    type IntoIter = Iter<O::Item>;

    /// Each page blocks the thread until it has arrived.
    fn into_iter(self) -> Iter<O::Item> {
        self.iter()
    }
}

/// The rows of a list, as a blocking iterator. It ends after an error.
pub struct Iter<T: Identified + serde::Serialize + Send + 'static> {
    pager: Option<Pager<Vec<T>>>,
    page: std::vec::IntoIter<T>,
    error: Option<Error>,
}

impl<T: Identified + serde::Serialize + Send + 'static> Iter<T> {
    pub(super) fn new(pager: Result<Pager<Vec<T>>>) -> Self {
        let (pager, error) = pager.map_or_else(|error| (None, Some(error)), |pager| (Some(pager), None));
        Self { pager, page: Vec::new().into_iter(), error }
    }
}

impl<T: Identified + serde::Serialize + Send + 'static> Iterator for Iter<T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        if let Some(row) = self.page.next() {
            return Some(Ok(row));
        }
        if let Some(error) = self.error.take() {
            return Some(Err(error));
        }
        let mut pager = self.pager.take()?;
        let turned = runtime::block_on(async move {
            let page = pager.next().await?;
            Ok((pager, page))
        });
        match turned {
            Ok((pager, Some(page))) => {
                (self.pager, self.page) = (Some(pager), page.into_iter());
                self.page.next().map(Ok)
            }
            Ok((_, None)) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
