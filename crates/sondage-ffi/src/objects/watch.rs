//! Progress of work, for callers who poll it.

use crate::call::args::Attachment;
use crate::handle::Handle;
use crate::language::{ArgResult, Language};
use crate::methods::bridge;
use serde::Serialize;
use sondage::paging;
use sondage_jobs::ArchiveProgress;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, PoisonError};

/// Holds the latest progress.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<Option<Progress>>>);

/// The latest progress.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub enum Progress {
    /// The progress of a download.
    Rows(RowProgress),
    /// The progress of an archive.
    Documents(ArchiveProgress),
}

/// The progress of a download.
#[derive(Clone, Copy, Serialize)]
pub struct RowProgress {
    /// The number of rows received.
    rows: i64,
    /// The number of calls made. The service allows about 500 a day.
    calls: u64,
    /// Bytes of the responses, after decompression.
    bytes: u64,
    /// The service's count of rows, which may be wrong.
    total: Option<i64>,
}

impl From<paging::Progress> for RowProgress {
    fn from(at: paging::Progress) -> Self {
        Self { rows: at.rows, calls: at.calls, bytes: at.bytes, total: at.count }
    }
}

impl From<paging::Progress> for Progress {
    fn from(at: paging::Progress) -> Self {
        Self::Rows(at.into())
    }
}

impl From<ArchiveProgress> for Progress {
    fn from(at: ArchiveProgress) -> Self {
        Self::Documents(at)
    }
}

impl<L: Language> bridge::watch::Methods<L> for Watch {
    fn now(&self) -> ArgResult<Option<Progress>, L> {
        Ok(*self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The watch that was passed to a method with progress, if there was one.
pub struct Observer<P>(Option<Watch>, PhantomData<fn(P)>);

impl<P: Copy + Into<Progress>> Observer<P> {
    /// Progress is only recorded if a watch was passed.
    pub(crate) fn of<L: Language>(with: &Attachment<'_, L>) -> Self {
        let watch = match with {
            Attachment::Handle(Handle::Watch(watch)) => Some(watch.clone()),
            _ => None,
        };
        Self(watch, PhantomData)
    }

    /// The callback for changes of the progress.
    pub(crate) fn note(self) -> Option<sondage::job::Observer<P>> {
        let watch = self.0?.0;
        Some(Arc::new(move |now: &P| {
            *watch.lock().unwrap_or_else(PoisonError::into_inner) = Some((*now).into());
        }))
    }
}
