//! The facts of a tenant at a service: the same for all clients of the process, and for all processes that share the folder.

use super::file::FactsFile;
use super::list::ListFacts;
use super::record::{Evidence, Record};
use super::report::FactsReport;
use super::settings::{FactsMode, FactsSettings};
use crate::budget::WallClock;
use crate::runtime;
use arc_swap::{ArcSwap, ArcSwapOption};
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

type All = HashMap<(Option<PathBuf>, String), Arc<Shared>>;

/// The facts of this process, shared by its clients. A map that is replaced, not locked, because a fork may happen at any
/// moment.
static SHARED: ArcSwapOption<All> = ArcSwapOption::const_empty();

/// Facts, and the file in which they are kept.
#[derive(Default)]
struct Shared {
    record: ArcSwap<Record>,
    file: Option<FactsFile>,
    /// The file does not have all of them yet.
    unsaved: AtomicBool,
}

impl Shared {
    fn of(folder: Option<&Path>, account: &str) -> Arc<Self> {
        let key = (folder.map(Path::to_owned), account.to_owned());
        loop {
            let all = SHARED.load();
            if let Some(shared) = all.as_ref().and_then(|all| all.get(&key)) {
                return shared.clone();
            }
            let file = folder.map(|folder| FactsFile::new(folder, account));
            let shared = Arc::new(Self { file, ..Self::default() });
            let mut more = all.as_deref().cloned().unwrap_or_default();
            more.insert(key.clone(), shared.clone());
            let before = SHARED.compare_and_swap(&*all, Some(Arc::new(more)));
            if before.as_ref().map(Arc::as_ptr) == all.as_ref().map(Arc::as_ptr) {
                return shared;
            }
        }
    }

    /// Adds what the file has, if another process has changed it.
    fn refresh(&self) {
        let Some(record) = self.file.as_ref().and_then(FactsFile::read_if_changed) else { return };
        self.change(&|mine| mine.join(&record));
    }

    /// Returns whether anything is new.
    fn change(&self, change: &dyn Fn(&mut Record)) -> bool {
        let is_news = Cell::new(false);
        self.record.rcu(|before| {
            let mut record = Record::clone(before);
            change(&mut record);
            is_news.set(record != **before);
            record
        });
        is_news.get()
    }

    fn save(&self) {
        let Some(file) = &self.file else { return };
        if self.unsaved.swap(false, Ordering::SeqCst) {
            match file.join(&self.record.load()) {
                Ok(Some(record)) => {
                    self.change(&|mine| mine.join(&record));
                }
                // Another process writes: these facts go with the next ones.
                Ok(None) => self.unsaved.store(true, Ordering::SeqCst),
                Err(error) => file.is_in_trouble(&error),
            }
        }
    }
}

/// The facts of a tenant at a service, as a client uses them.
pub(crate) struct ServiceFacts {
    shared: Arc<Shared>,
    mode: FactsMode,
    sample: u32,
    clock: WallClock,
}

impl ServiceFacts {
    /// Those of an account, or those that this client alone learns.
    pub fn of(settings: &FactsSettings, account: &str, clock: WallClock) -> Self {
        let shared = match settings.mode {
            FactsMode::On if !settings.own => Shared::of(settings.folder.as_deref(), account),
            _ => Arc::default(),
        };
        Self { shared, mode: settings.mode, sample: settings.sample, clock }
    }

    /// Facts of no account.
    pub fn in_memory() -> Self {
        Self { shared: Arc::default(), mode: FactsMode::On, sample: 0, clock: Arc::new(SystemTime::now) }
    }

    /// The same, and they are not used.
    pub fn unused() -> Self {
        Self { mode: FactsMode::Off, ..Self::in_memory() }
    }

    /// Those about the lists of an operation.
    pub fn list(self: &Arc<Self>, operation: &str, first_page: i64) -> ListFacts {
        self.refresh();
        ListFacts::of(self.clone(), operation.to_owned(), first_page)
    }

    /// The path of an operation that answers, of several.
    pub fn path(&self, operation: &str) -> Option<String> {
        self.with(|record| record.paths.get(operation).and_then(|path| path.value.clone()))
    }

    /// A path has answered.
    pub fn prove_path(&self, operation: &str, path: &str) {
        if self.path(operation).as_deref() == Some(path) {
            return;
        }
        let now = self.now();
        self.change(|record| {
            let fact = record.paths.entry(operation.to_owned()).or_default();
            fact.show(path.to_owned(), Evidence::Answer, now);
        });
    }

    /// The workspace of a survey.
    pub fn workspace(&self, survey: i64) -> Option<i64> {
        let now = self.now();
        let fact = self.with(|record| record.workspaces.get(&survey).and_then(|fact| fact.proven(now)));
        fact.filter(|_| self.is_in_use())
    }

    /// A list has shown the workspace of a survey.
    pub fn prove_workspace(&self, survey: i64, workspace: i64) {
        let now = self.now();
        self.change(|record| {
            record.workspaces.entry(survey).or_default().show(workspace, Evidence::Answer, now);
        });
    }

    /// What is known, and where it is kept.
    pub fn report(&self) -> FactsReport {
        self.refresh();
        let file = self.shared.file.as_ref();
        self.with(|record| FactsReport::of(self.mode, file, record))
    }

    pub(super) fn is_in_use(&self) -> bool {
        self.mode == FactsMode::On
    }

    /// Whether the counts of lists are right, as far as this service has shown: of some list, and of none that they are not.
    pub(super) fn counts_are_right(&self) -> bool {
        let now = self.now();
        self.with(|record| {
            let mut shown = record.lists.values().filter_map(|list| list.counts_list.proven(now)).peekable();
            shown.peek().is_some() && shown.all(|is_right| is_right)
        })
    }

    pub(super) fn draws_sample(&self) -> bool {
        self.sample > 0 && getrandom::u32().is_ok_and(|number| number.is_multiple_of(self.sample))
    }

    pub(super) fn now(&self) -> u64 {
        let since = (self.clock)().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    pub(super) fn refresh(&self) {
        self.shared.refresh();
    }

    pub(super) fn with<T>(&self, read: impl FnOnce(&Record) -> T) -> T {
        read(&self.shared.record.load())
    }

    pub(super) fn change(&self, change: impl Fn(&mut Record)) {
        if self.shared.change(&change) {
            self.shared.unsaved.store(true, Ordering::SeqCst);
        }
    }

    /// Stores what was learned since the last time.
    pub async fn save(this: &Arc<Self>) {
        if this.shared.file.is_some() && this.shared.unsaved.load(Ordering::SeqCst) {
            let shared = this.shared.clone();
            let saved = runtime::handle().spawn_blocking(move || shared.save());
            let _ = saved.await;
        }
    }
}

impl fmt::Debug for ServiceFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceFacts").field("mode", &self.mode).finish_non_exhaustive()
    }
}
