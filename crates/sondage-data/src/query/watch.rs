//! Progress callbacks of a download.

use std::sync::Arc;

use sondage::paging::Progress;

type ProgressFn = dyn Fn(&Progress) + Send + Sync;

/// An optional callback, called after each page.
#[derive(Clone, Default)]
pub(crate) struct PageObserver(Option<Arc<ProgressFn>>);

impl PageObserver {
    pub(crate) fn new(watch: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        PageObserver(Some(Arc::new(watch)))
    }

    pub(crate) fn tell(&self, progress: &Progress) {
        if let Some(watch) = &self.0 {
            watch(progress);
        }
    }
}
