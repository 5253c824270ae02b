//! Where a job keeps its journal.

use crate::{FileJournal, JournalStore};
use serde::{Deserialize, Deserializer};
use sondage::arguments::FilePath;
use sondage::error::{Error, Result};
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The prefix of the text that stands for a store which a language binding has [offered](offer). No path contains this byte.
const OFFERED: &str = "\0journal/";
/// The maximum number of offered stores that no job has taken, for example because the call was refused. Older ones are
/// dropped.
const KEPT: usize = 64;

type Store = Box<dyn JournalStore>;

/// Opens the journal with a name.
pub(crate) type MakeStore = dyn Fn(&str) -> Store + Send + Sync;

/// Where a job keeps its journal: the path of a file, or a [`JournalStore`] that the caller provides.
#[derive(Clone)]
pub struct JournalPlace(KeptIn);

#[derive(Clone)]
enum KeptIn {
    File(FilePath),
    /// The first job that is made with these options takes the store.
    Store(String, Arc<Mutex<Option<Store>>>),
}

impl JournalPlace {
    /// A store that the caller provides, for example a database table.
    pub fn store(store: impl JournalStore) -> Self {
        Self::of(Box::new(store))
    }

    fn of(store: Store) -> Self {
        Self(KeptIn::Store(store.name(), Arc::new(Mutex::new(Some(store)))))
    }

    /// Stores for calls that open the same journal, one after another.
    pub(crate) fn lend(self) -> Result<Arc<MakeStore>> {
        if let KeptIn::File(path) = &self.0
            && !path.0.as_os_str().is_empty()
        {
            let path = path.0.clone();
            return Ok(Arc::new(move |_| Box::new(FileJournal::new(path.clone()))));
        }
        let store = self.open()?;
        let name = store.name();
        let shared = Arc::new(SharedStore { is_lent: AtomicBool::new(false), store: Mutex::new(store) });
        Ok(Arc::new(move |_| {
            Box::new(LentStore { name: name.clone(), shared: Arc::clone(&shared), is_open: false })
        }))
    }

    /// The store for a job.
    pub(crate) fn open(self) -> Result<Store> {
        match self.0 {
            KeptIn::File(path) if path.0.as_os_str().is_empty() => {
                Err(Error::invalid_argument("`journal` is empty").with_hint("Nothing was sent. Name a file."))
            }
            KeptIn::File(path) => Ok(Box::new(FileJournal::new(path.0))),
            KeptIn::Store(name, store) => taken(&store).ok_or_else(|| {
                let what = sondage::text!("the journal {name} was given to another job");
                Error::invalid_argument(what).with_hint("Nothing was sent. Make a store for each job.")
            }),
        }
    }
}

/// A store that is lent to one call after another.
struct LentStore {
    name: String,
    shared: Arc<SharedStore>,
    is_open: bool,
}

struct SharedStore {
    is_lent: AtomicBool,
    store: Mutex<Store>,
}

impl SharedStore {
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JournalStore for LentStore {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn open(&mut self, line: &mut dyn FnMut(&str)) -> io::Result<()> {
        if self.shared.is_lent.swap(true, Ordering::AcqRel) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        let opened = self.shared.store().open(line);
        self.is_open = opened.is_ok();
        if !self.is_open {
            self.shared.is_lent.store(false, Ordering::Release);
        }
        opened
    }

    fn append(&mut self, lines: &[String]) -> io::Result<()> {
        self.shared.store().append(lines)
    }

    fn forget_last(&mut self) -> io::Result<()> {
        self.shared.store().forget_last()
    }

    fn clear(&mut self) -> io::Result<()> {
        self.shared.store().clear()
    }

    fn close(&mut self) {
        if std::mem::take(&mut self.is_open) {
            self.shared.store().close();
            self.shared.is_lent.store(false, Ordering::Release);
        }
    }
}

impl Drop for LentStore {
    fn drop(&mut self) {
        self.close();
    }
}

fn taken(store: &Mutex<Option<Store>>) -> Option<Store> {
    store.lock().unwrap_or_else(PoisonError::into_inner).take()
}

impl<P: Into<PathBuf>> From<P> for JournalPlace {
    fn from(path: P) -> Self {
        Self(KeptIn::File(path.into().into()))
    }
}

/// Stores are equal if they are the same.
impl PartialEq for JournalPlace {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (KeptIn::File(one), KeptIn::File(other)) => one == other,
            (KeptIn::Store(_, one), KeptIn::Store(_, other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl fmt::Debug for JournalPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            KeptIn::File(path) => path.fmt(f),
            KeptIn::Store(name, _) => f.debug_tuple("Store").field(name).finish(),
        }
    }
}

impl<'de> Deserialize<'de> for JournalPlace {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let path = FilePath::deserialize(deserializer)?;
        let number = path.0.to_str().and_then(|text| text.strip_prefix(OFFERED));
        let Some(number) = number else { return Ok(Self(KeptIn::File(path))) };
        let store = number.parse().ok().and_then(|number| offers().stores.remove(&number));
        store.map(Self::of).ok_or_else(|| serde::de::Error::custom("the journal was given to another job"))
    }
}

/// Stores offered by language bindings, by number: the options of a binding can only be text and numbers.
#[derive(Default)]
struct Offers {
    next: u64,
    stores: BTreeMap<u64, Store>,
}

fn offers() -> MutexGuard<'static, Offers> {
    static OFFERS: Mutex<Offers> = Mutex::new(Offers { next: 0, stores: BTreeMap::new() });
    OFFERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Offers a store to the next call whose option `journal` is the returned text.
#[doc(hidden)] // for sondage-ffi
pub fn offer(store: impl JournalStore) -> String {
    let mut offers = offers();
    offers.next += 1;
    let number = offers.next;
    offers.stores.insert(number, Box::new(store));
    if offers.stores.len() > KEPT {
        offers.stores.pop_first();
    }
    format!("{OFFERED}{number}")
}
