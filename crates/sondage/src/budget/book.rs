//! Where the count is kept: in memory, in a file or in a store. If the file or the store cannot be used, it is kept in
//! memory meanwhile.

use super::BudgetStore;
use super::file::{FileTrouble, RecordFile};
use super::record::DayRecord;
use crate::error::Text;
use crate::text;
use arc_swap::{ArcSwap, ArcSwapOption};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::SeqCst};

type Books = HashMap<(Option<PathBuf>, String), Arc<Book>>;

/// The counts of this process, shared by its clients: a program may have a client for each call. A map that is replaced, not
/// locked, because a fork may happen at any moment.
static BOOKS: ArcSwapOption<Books> = ArcSwapOption::const_empty();

/// The count of a tenant at a service.
pub(super) struct Book {
    place: Place,
    /// The record, if it is kept in memory; otherwise the last one that was read, which is continued while the file or
    /// store cannot be used.
    memory: ArcSwap<DayRecord>,
    /// Changes that the file or store does not contain yet.
    owed: Owed,
    /// Why the file or store cannot be used.
    trouble: ArcSwapOption<Text>,
    /// Whether that was logged.
    told: AtomicBool,
}

enum Place {
    Memory,
    File(RecordFile),
    Store(Arc<dyn BudgetStore>, String),
}

/// The current time and the beginning of the day, in milliseconds since 1970.
#[derive(Clone, Copy)]
pub(super) struct Moment {
    pub now: u64,
    pub begins: u64,
}

/// Changes to be added to a record.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Charge {
    pub calls: i64,
    pub sent: i64,
    pub received: i64,
}

#[derive(Default)]
struct Owed {
    calls: AtomicI64,
    sent: AtomicI64,
    received: AtomicI64,
}

impl Owed {
    fn add(&self, charge: Charge) {
        self.calls.fetch_add(charge.calls, SeqCst);
        self.sent.fetch_add(charge.sent, SeqCst);
        self.received.fetch_add(charge.received, SeqCst);
    }

    fn take(&self) -> Charge {
        let take = |number: &AtomicI64| number.swap(0, SeqCst);
        Charge { calls: take(&self.calls), sent: take(&self.sent), received: take(&self.received) }
    }
}

impl DayRecord {
    pub(super) fn add(&mut self, charge: Charge) {
        self.calls = self.calls.saturating_add_signed(charge.calls);
        self.sent = self.sent.saturating_add_signed(charge.sent);
        self.received = self.received.saturating_add_signed(charge.received);
    }
}

impl Book {
    /// The count of a tenant: the same for all clients of the process that keep it in the same place.
    pub fn of(folder: Option<&Path>, key: &str) -> Arc<Self> {
        let name = (folder.map(Path::to_owned), key.to_owned());
        loop {
            let books = BOOKS.load();
            if let Some(book) = books.as_ref().and_then(|books| books.get(&name)) {
                return book.clone();
            }
            let storage = match folder {
                Some(folder) => Place::File(RecordFile::new(folder.join(format!("{key}.budget")))),
                None => Place::Memory,
            };
            let book = Arc::new(Self::new(storage));
            let mut all: Books = books.as_deref().cloned().unwrap_or_default();
            all.insert(name.clone(), book.clone());
            let before = BOOKS.compare_and_swap(&*books, Some(Arc::new(all)));
            if before.as_ref().map(Arc::as_ptr) == books.as_ref().map(Arc::as_ptr) {
                return book;
            }
        }
    }

    /// A count in a store.
    pub fn in_store(store: Arc<dyn BudgetStore>, key: String) -> Arc<Self> {
        Arc::new(Self::new(Place::Store(store, key)))
    }

    fn new(place: Place) -> Self {
        Self {
            place,
            memory: ArcSwap::default(),
            owed: Owed::default(),
            trouble: ArcSwapOption::empty(),
            told: AtomicBool::new(false),
        }
    }

    /// Whether a change may take long.
    pub fn waits(&self) -> bool {
        matches!(self.place, Place::Store(..))
    }

    /// The file, if there is one.
    pub fn file(&self) -> Option<&Path> {
        match &self.place {
            Place::File(file) => Some(&file.path),
            _ => None,
        }
    }

    /// Why the file or store cannot be used.
    pub fn trouble(&self) -> Option<Text> {
        self.trouble.load().as_deref().cloned()
    }

    /// Changes the record of this day where it is kept. `change` may be called several times; only the last call counts. The
    /// error says why the file or store cannot be used; then nothing was changed.
    pub fn change(&self, at: Moment, change: &mut dyn FnMut(&mut DayRecord)) -> Result<(), Text> {
        let owed = match &self.place {
            Place::Memory => {
                self.in_memory(at, change);
                return Ok(());
            }
            _ => self.owed.take(),
        };
        let mut copy = DayRecord::default();
        let mut with_owed = |record: &mut DayRecord| {
            record.roll(at.now, at.begins);
            record.add(owed);
            change(record);
            copy = *record;
        };
        let outcome = match &self.place {
            Place::Memory => Ok(()),
            Place::File(file) => file.update(&mut with_owed).map_err(|trouble| said(&trouble, &file.path)),
            Place::Store(store, key) => store
                .update(key, &mut with_owed)
                .map_err(|error| text!("the store of the budget failed: {}", error.happened())),
        };
        match outcome {
            Ok(()) => {
                self.memory.store(Arc::new(copy));
                if self.trouble.load().is_some() {
                    self.trouble.store(None);
                    self.told.store(false, SeqCst);
                }
                Ok(())
            }
            Err(trouble) => {
                self.owed.add(owed);
                self.trouble.store(Some(Arc::new(trouble.clone())));
                Err(trouble)
            }
        }
    }

    /// Changes the copy in this process.
    pub fn in_memory(&self, at: Moment, change: &mut dyn FnMut(&mut DayRecord)) {
        self.memory.rcu(|record| {
            let mut record = **record;
            record.roll(at.now, at.begins);
            change(&mut record);
            record
        });
    }

    /// The changes that are written when the file or store can be used again, or, for a store, with the next change.
    pub fn owe(&self, charge: Charge) {
        self.owed.add(charge);
    }

    /// `true` on the first call since the file or store could be used.
    pub fn is_news(&self) -> bool {
        !self.told.swap(true, SeqCst)
    }
}

fn said(trouble: &FileTrouble, path: &Path) -> Text {
    let path = path.display();
    match trouble {
        FileTrouble::Busy => text!("another process does not release its lock on the budget file {path}"),
        FileTrouble::Newer => text!("a later version of this library has written the budget file {path}"),
        FileTrouble::Damaged => {
            text!("the budget file {path} is damaged or not a budget file; it was not changed: move it away")
        }
        FileTrouble::Io(error) => text!("the budget file {path} cannot be used ({error})"),
    }
}
