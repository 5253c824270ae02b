//! The pager that callers use: its pages are of one type.

use super::bookmark::Bookmark;
use super::pager::{ListReader, Page, Progress};
use super::rows::{AnyRows, Rows};
use super::settings::PagerSettings;
use super::shape::ListShape;
use crate::error::Result;
use crate::model::Paging;
use futures_util::stream::{self, Stream};
use std::future::Future;
use std::marker::PhantomData;

/// Reads a list page by page, each row once, until it is proven that nothing is missing (see the [module](super)).
///
/// After a network error it can be called again, and continues at the same row.
pub struct Pager<R: Rows> {
    list: ListReader,
    rows: PhantomData<fn() -> R>,
}

impl<R: Rows> Pager<R> {
    /// A reader of the list that fetches pages with `read`.
    pub fn new<F>(settings: PagerSettings, mut read: impl FnMut(Paging) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<Page<R>>> + Send + 'static,
    {
        let read = move |paging| {
            let page = read(paging);
            Box::pin(async move {
                let Page { rows, count, bytes } = page.await?;
                Ok(Page { rows: AnyRows::of(rows), count, bytes })
            }) as _
        };
        Self { list: ListReader::new(settings, Box::new(read)), rows: PhantomData }
    }

    /// Prefetches: the next page is fetched while the caller works on the current one, at the cost of one more page in memory
    /// and no additional call. Dropping the pager, or a pending [`next`](Self::next), cancels the call in progress.
    pub fn fetch_ahead(&mut self) {
        self.list.fetch_ahead();
    }

    /// For callers who store the pages and can read them again: `read` returns the page with this number, counted from 0, as
    /// it was returned or passed to [`Pager::already_seen`]. It is called when a row may be a duplicate; then ids that are
    /// ascending text need not all be kept in memory. Call it before the first page.
    pub fn verify_with(&mut self, mut read: impl FnMut(u64) -> Result<R> + Send + 'static) {
        self.list.verify_with(Box::new(move |page| read(page).map(AnyRows::of)));
    }

    /// How far the list has been read. A prefetched page counts when it is returned.
    pub fn progress(&self) -> Progress {
        self.list.progress()
    }

    /// The number of calls for a list of this many rows with pages of this size, if nothing moves meanwhile. It includes
    /// the calls that look beyond both ends, which are needed if the service's count proves nothing.
    pub fn calls_for(&self, rows: i64, page_size: i64) -> i64 {
        self.list.calls_for(rows, page_size)
    }

    #[doc(hidden)] // for sondage-jobs
    pub fn shape(&self) -> ListShape {
        self.list.shape()
    }

    /// The next rows; `None` when the list is complete. A list that cannot be proven complete ends with the error
    /// `Incomplete`, after all rows that could be read.
    pub async fn next(&mut self) -> Result<Option<R>> {
        self.list.next().await?.map(AnyRows::into_rows).transpose()
    }

    /// The position, from which another process can continue. The caller must keep the rows returned so far.
    pub fn bookmark(&self) -> Bookmark {
        self.list.bookmark()
    }

    /// Continues from a bookmark. Every page that was returned before it must be passed to [`Pager::already_seen`].
    pub fn resume(&mut self, from: Bookmark) {
        self.list.resume(from);
    }

    /// Passes a page that was returned before the bookmark. Pages must be passed in their original order.
    pub fn already_seen(&mut self, rows: &R) -> Result<()> {
        self.list.already_seen(rows)
    }

    /// The pages as a stream, which ends at the first error.
    pub fn into_stream(self) -> impl Stream<Item = Result<R>> + Send {
        stream::try_unfold(self, |mut pager| async move { Ok(pager.next().await?.map(|rows| (rows, pager))) })
    }
}
