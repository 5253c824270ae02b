//! Lists, page by page.

use crate::convert::IntoFfi;
use sondage::paging::{Pager, Rows};
use sondage::{Error, Result, internals::runtime};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A reader of the pages of a list. One page is read at a time.
pub struct Pages<R: Rows>(Mutex<State<R>>);

enum State<R: Rows> {
    /// Idle.
    Ready(Box<Pager<R>>),
    /// A page is being read, or its reading was cancelled.
    Reading,
    /// Everything has been read.
    Ended,
}

impl<R: Rows> Pages<R> {
    /// A reader.
    pub fn new(pager: Pager<R>) -> Self {
        Self(Mutex::new(State::Ready(Box::new(pager))))
    }

    /// The next page; nothing at the end.
    pub async fn next<T>(&self) -> Result<Option<T>>
    where
        R: IntoFfi<T>,
    {
        let Some(pager) = self.begin()? else { return Ok(None) };
        let read = runtime::spawn(turn(pager)).await?;
        Ok(self.end(read))
    }

    /// The next page, blocking.
    #[cfg(feature = "blocking")]
    pub fn next_blocking<T>(&self) -> Result<Option<T>>
    where
        R: IntoFfi<T>,
    {
        let Some(pager) = self.begin()? else { return Ok(None) };
        let read = runtime::block_on(turn(pager))?;
        Ok(self.end(read))
    }

    fn begin(&self) -> Result<Option<Box<Pager<R>>>> {
        let mut state = self.state();
        match std::mem::replace(&mut *state, State::Reading) {
            State::Ready(pager) => Ok(Some(pager)),
            State::Reading => Err(Error::invalid_argument(
                "a page of this list is being read, or the reading of one was cancelled or failed",
            )
            .with_hint("Read one page at a time; after a failure, read the list again from its beginning.")),
            State::Ended => {
                *state = State::Ended;
                Ok(None)
            }
        }
    }

    fn end<T>(&self, (pager, page): (Box<Pager<R>>, Option<R>)) -> Option<T>
    where
        R: IntoFfi<T>,
    {
        *self.state() = if page.is_some() { State::Ready(pager) } else { State::Ended };
        page.map(IntoFfi::into_ffi)
    }

    fn state(&self) -> MutexGuard<'_, State<R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn turn<R: Rows>(mut pager: Box<Pager<R>>) -> Result<(Box<Pager<R>>, Option<R>)> {
    let page = pager.next().await?;
    Ok((pager, page))
}
