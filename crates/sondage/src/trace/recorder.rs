//! Keeps the latest entries, and calls an observer.

use super::{PendingCalls, Trace, TraceEntry, TraceKind};
use crate::error::Error;
use crate::per_process::PerProcess;
use crate::runtime;
use log::Level;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The target of the log.
const LOG: &str = "sondage::call";

/// Called with each entry, on the thread that did the work: it must not block.
pub type TraceObserver = Arc<dyn Fn(&TraceEntry) + Send + Sync>;

/// The trace of a client and its clones.
#[derive(Clone)]
pub struct Tracer(Arc<TracerState>);

struct TracerState {
    capacity: usize,
    observer: Option<TraceObserver>,
    entries: PerProcess<KeptEntries>,
    servers: TracedServers,
    in_progress: PendingCalls,
}

/// The hosts that a client sends requests to.
#[derive(Clone, Debug, Default)]
pub(crate) struct TracedServers {
    /// That of the API.
    pub api: String,
    /// That of the authentication server.
    pub auth: String,
}

#[derive(Default)]
struct KeptEntries {
    list: Mutex<(VecDeque<TraceEntry>, u64)>,
    arrived: Notify,
}

impl KeptEntries {
    /// The entries from this number on.
    fn since(&self, after: u64) -> Trace {
        let (entries, next) = &*self.list.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = next - entries.len() as u64;
        let skipped = usize::try_from(after.saturating_sub(oldest)).unwrap_or(usize::MAX);
        Trace {
            entries: entries.iter().skip(skipped).cloned().collect(),
            next: *next,
            missed: oldest.saturating_sub(after),
        }
    }
}

impl Tracer {
    /// Keeps up to `capacity` entries.
    pub(crate) fn new(capacity: usize, observer: Option<TraceObserver>, servers: TracedServers) -> Self {
        let (entries, in_progress) = (PerProcess::default(), PendingCalls::default());
        Self(Arc::new(TracerState { capacity, observer, entries, servers, in_progress }))
    }

    /// The calls that have not ended yet.
    pub(crate) fn pending_calls(&self) -> &PendingCalls {
        &self.0.in_progress
    }

    /// The host of the API.
    pub(super) fn server(&self) -> &str {
        &self.0.servers.api
    }

    /// Whether entries are kept.
    pub(crate) fn keeps(&self) -> bool {
        self.0.capacity > 0
    }

    /// Whether entries are kept or observed.
    pub(crate) fn is_on(&self) -> bool {
        self.keeps() || self.0.observer.is_some() || log::log_enabled!(target: LOG, Level::Debug)
    }

    /// Records an entry.
    pub(crate) fn record(&self, mut entry: TraceEntry) {
        let level = if entry.kind == TraceKind::Wait { Level::Info } else { Level::Debug };
        log::log!(target: LOG, level, "{entry}");
        let observed = if self.keeps() {
            let entries = self.0.entries.get(|_| KeptEntries::default());
            let mut list = entries.list.lock().unwrap_or_else(PoisonError::into_inner);
            entry.number = list.1;
            list.1 += 1;
            if list.0.len() == self.0.capacity {
                list.0.pop_front();
            }
            let observed = self.0.observer.is_some().then(|| entry.clone());
            list.0.push_back(entry);
            drop(list);
            entries.arrived.notify_waiters();
            observed
        } else {
            Some(entry)
        };
        if let (Some(observer), Some(entry)) = (&self.0.observer, observed) {
            // A panic of the observer must not affect the call.
            let _ = catch_unwind(AssertUnwindSafe(|| observer(&entry)));
        }
    }

    /// All calls of the tenant are held back from now on. It belongs to no call, so it is a line of the log only.
    pub(crate) fn pause(wait: Duration) {
        log::info!(target: LOG, "the tenant's calls pause for {} s after a 429", wait.as_secs_f64().ceil());
    }

    /// A page of a list was read.
    pub(crate) fn page(&self, operation: &str, rows: u64, begun: Instant) {
        if self.is_on() {
            let entry = TraceEntry::new(TraceKind::Page, operation);
            self.record(TraceEntry { rows: Some(rows), milliseconds: since(begun), ..entry });
        }
    }

    /// A token was requested.
    pub(crate) fn token(&self, error: Option<String>, begun: Instant) {
        if self.is_on() {
            let entry = TraceEntry::new(TraceKind::Token, "");
            let server = Some(self.0.servers.auth.clone());
            self.record(TraceEntry { error, server, milliseconds: since(begun), ..entry });
        }
    }

    /// A job has finished some rows.
    #[doc(hidden)] // for sondage-jobs
    pub fn step(&self, job: &str, rows: usize, error: Option<&Error>, begun: Instant) {
        if self.is_on() {
            let entry = TraceEntry::new(TraceKind::Step, job);
            let error = error.map(|error| error.kind().as_str().to_owned());
            self.record(TraceEntry { rows: Some(rows as u64), error, milliseconds: since(begun), ..entry });
        }
    }

    /// The entries from this number on. If there are none, waits for the first.
    pub(crate) async fn read(&self, after: u64, wait: Duration) -> Trace {
        let entries = self.0.entries.get(|_| KeptEntries::default());
        let end = runtime::after(wait);
        loop {
            let arrived = entries.arrived.notified();
            tokio::pin!(arrived);
            arrived.as_mut().enable();
            let trace = entries.since(after);
            let is_due = runtime::timeout_at(end, arrived);
            if !trace.entries.is_empty() || is_due.await.is_none() {
                return trace;
            }
        }
    }
}

/// Milliseconds since an instant.
pub(super) fn since(begun: Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1000.0
}

impl fmt::Debug for Tracer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tracer").field("capacity", &self.0.capacity).finish_non_exhaustive()
    }
}
