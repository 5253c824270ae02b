//! How far a download is, for who looks at it now and then.

use crate::given::Call;
use crate::language::Language;
use crate::outcome::{Done, Outcome};
use crate::thing::Verbs;
use serde::Serialize;
use sondage::paging;
use std::sync::{Arc, Mutex, PoisonError};

/// Sees how far a download is.
#[derive(Clone, Default)]
pub struct Watch(Arc<Mutex<Option<paging::Progress>>>);

/// How far it is, as a value.
#[derive(Serialize)]
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
        let noted = Arc::clone(&self.0);
        move |progress| *noted.lock().unwrap_or_else(PoisonError::into_inner) = Some(*progress)
    }
}

impl<L: Language> Verbs<L> for Watch {
    fn call(&self, call: Call<'_, L>) -> Done<L> {
        match call.verb {
            // Nothing before the first call.
            "now" => {
                let now = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
                Outcome::value(now.map(Progress::from))
            }
            _ => Err(call.unknown()),
        }
    }
}
