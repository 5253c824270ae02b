//! How far a download is, for who looks at it now and then.

use crate::archive;
use crate::given::Call;
use crate::language::Language;
use crate::outcome::{Done, Outcome};
use crate::thing::Verbs;
use serde::Serialize;
use sondage::paging;
use std::sync::{Arc, Mutex, PoisonError};

/// Sees how far a download is.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<Option<Now>>>);

/// What it has seen last.
#[derive(Clone, Copy, Serialize)]
#[serde(untagged)]
pub enum Now {
    /// Of rows.
    Rows(Progress),
    /// Of documents.
    Documents(archive::Progress),
}

impl From<archive::Progress> for Now {
    fn from(at: archive::Progress) -> Self {
        Self::Documents(at)
    }
}

/// How far it is, as a value.
#[derive(Clone, Copy, Serialize)]
pub struct Progress {
    rows: i64,
    calls: u64,
    bytes: u64,
    /// The service's own count.
    total: Option<i64>,
}

impl From<paging::Progress> for Progress {
    fn from(at: paging::Progress) -> Self {
        Self { rows: at.rows, calls: at.calls, bytes: at.bytes, total: at.count }
    }
}

impl Watch {
    /// What is to be called whenever something has changed.
    pub fn note(&self) -> impl Fn(&paging::Progress) + Send + Sync + 'static {
        let watch = self.clone();
        move |progress| watch.set(Now::Rows(Progress::from(*progress)))
    }

    /// Sees something else.
    pub fn see(&self, now: impl Into<Now>) {
        self.set(now.into());
    }

    fn set(&self, now: Now) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }
}

impl<L: Language> Verbs<L> for Watch {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            // Nothing before the first call.
            "now" => Outcome::value(*self.0.lock().unwrap_or_else(PoisonError::into_inner)),
            _ => Err(call.unknown()),
        }
    }
}
