//! Writes in progress, and what happens to them when their caller gives up.
//!
//! A write that was sent is never aborted: its outcome could no longer be determined. A write that was not sent yet is
//! simply not sent.

use super::state::CallState;
use crate::error::{Error, Result};
use crate::per_process::{Owned, PerProcess};
use crate::runtime::Task;
use sondage_macros::report;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

/// A write in progress.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PendingWrite {
    /// The API's name of the operation.
    pub operation: String,
    /// How long it has been in progress.
    pub age: Duration,
}

struct Write {
    operation: String,
    since: Instant,
    state: CallState,
}

/// Writes in the order in which they were started.
#[derive(Default)]
struct UnderWay {
    last: u64,
    writes: BTreeMap<u64, Write>,
}

/// The writes of one client. A forked child starts with none: the writes of its parent continue in the
/// parent.
#[derive(Default)]
pub struct Writes(PerProcess<WritesState>);

#[derive(Default)]
struct WritesState {
    under_way: Mutex<UnderWay>,
    done: tokio::sync::Notify,
}

impl Writes {
    /// Registers a write until the guard is dropped.
    pub fn note(&self, operation: &str, state: CallState) -> InFlightGuard {
        let writes = self.state();
        let mut under_way = writes.under_way();
        under_way.last += 1;
        let number = under_way.last;
        let write = Write { operation: operation.to_owned(), since: Instant::now(), state };
        under_way.writes.insert(number, write);
        drop(under_way);
        InFlightGuard { writes, number }
    }

    /// Writes that have been sent and have no response yet, oldest first.
    pub fn sent(&self) -> Vec<PendingWrite> {
        self.list(|write| write.state.is_sent())
    }

    /// All writes in progress, including those that wait to be sent, oldest first.
    pub fn under_way(&self) -> Vec<PendingWrite> {
        self.list(|_| true)
    }

    fn list(&self, wanted: impl Fn(&Write) -> bool) -> Vec<PendingWrite> {
        let of =
            |write: &Write| PendingWrite { operation: write.operation.clone(), age: write.since.elapsed() };
        self.state().under_way().writes.values().filter(|write| wanted(write)).map(of).collect()
    }

    /// Waits until no write is in progress.
    pub async fn settle(&self) {
        let state = self.state();
        loop {
            let done = state.done.notified();
            tokio::pin!(done);
            done.as_mut().enable();
            if state.under_way().writes.is_empty() {
                return;
            }
            done.await;
        }
    }

    fn state(&self) -> Arc<Owned<WritesState>> {
        self.0.get(|_| WritesState::default())
    }
}

impl WritesState {
    fn under_way(&self) -> std::sync::MutexGuard<'_, UnderWay> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps a write registered.
pub struct InFlightGuard {
    writes: Arc<Owned<WritesState>>,
    number: u64,
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.writes.under_way().writes.remove(&self.number);
        self.writes.done.notify_waiters();
    }
}

/// A caller's handle on a write. Dropping it cancels the write if nothing of it was sent, and lets it finish
/// otherwise.
pub struct WriteHandle<T> {
    task: Option<Task<T>>,
    state: CallState,
}

impl<T> WriteHandle<T> {
    /// Takes over the task of a write.
    pub fn new(task: Task<T>, state: CallState) -> Self {
        Self { task: Some(task), state }
    }

    /// Releases the write. `true`: nothing with an effect was sent, and nothing will be.
    pub fn release(&mut self) -> bool {
        let Some(task) = self.task.take() else { return false };
        let cancelled = self.state.cancel();
        if cancelled {
            drop(task);
        } else {
            task.detach();
        }
        cancelled
    }
}

impl<T> Future for WriteHandle<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        match &mut self.task {
            Some(task) => {
                let result = std::task::ready!(Pin::new(task).poll(cx));
                self.task = None;
                Poll::Ready(result)
            }
            None => Poll::Ready(Err(Error::internal("a finished write was polled again"))),
        }
    }
}

impl<T> Drop for WriteHandle<T> {
    fn drop(&mut self) {
        self.release();
    }
}
