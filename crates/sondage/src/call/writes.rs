//! Writes in progress, and what happens to them when their caller gives up.
//!
//! A write that was sent is never aborted: its outcome could no longer be determined. A write that was not sent yet is
//! simply not sent.

use super::any_reader::AnyValue;
use super::state::CallState;
use crate::Response;
use crate::error::{Error, Result};
use crate::model::Json;
use crate::per_process::{Owned, PerProcess};
use crate::runtime::Task;
use sondage_macros::report;
use std::collections::{BTreeMap, VecDeque};
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

/// The outcomes of writes whose callers gave up, by an abort, a cancelled task or a deadline, after the write had been sent. The
/// last 100 of a client are kept, in the order in which they ended. A write that is not among them, and that is not pending, was
/// not sent, or was refused.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WriteOutcomes {
    /// The outcomes.
    pub writes: Vec<WriteOutcome>,
}

/// The outcome of a write whose caller gave up: a response, or an error.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct WriteOutcome {
    /// The API's name of the operation.
    pub operation: String,
    /// The number of the write: writes of a client are counted from 1, in the order in which they were started.
    pub number: u64,
    /// The service's response, as JSON: the write succeeded.
    pub response: Option<Json>,
    /// Why there is no response. Its kind and `delivery` say whether the write may have taken effect.
    pub error: Option<Error>,
}

/// How many outcomes are kept of writes whose callers gave up.
const KEPT: usize = 100;

struct Write {
    operation: String,
    since: Instant,
    state: CallState,
    /// Whether the caller gave up after the write was sent.
    abandoned: bool,
}

/// Writes in the order in which they were started.
#[derive(Default)]
struct UnderWay {
    last: u64,
    writes: BTreeMap<u64, Write>,
    /// Outcomes whose callers have not taken them yet.
    unclaimed: BTreeMap<u64, WriteOutcome>,
    /// Outcomes whose callers gave up.
    abandoned: VecDeque<WriteOutcome>,
}

impl UnderWay {
    /// Unless one of them is in progress.
    fn outcomes(&self) -> Option<WriteOutcomes> {
        let over = !self.writes.values().any(|write| write.abandoned);
        over.then(|| WriteOutcomes { writes: self.abandoned.iter().cloned().collect() })
    }

    fn ended(&mut self, outcome: WriteOutcome) {
        if self.abandoned.len() == KEPT {
            self.abandoned.pop_front();
        }
        self.abandoned.push_back(outcome);
    }
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
        let write = Write { operation: operation.to_owned(), since: Instant::now(), state, abandoned: false };
        under_way.writes.insert(number, write);
        drop(under_way);
        InFlightGuard { writes, number, outcome: None }
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
            let ended = state.done.notified();
            tokio::pin!(ended);
            ended.as_mut().enable();
            if state.under_way().writes.is_empty() {
                return;
            }
            ended.await;
        }
    }

    /// The outcomes of the writes whose callers gave up, once none of them is in progress.
    pub async fn outcomes(&self) -> WriteOutcomes {
        let state = self.state();
        loop {
            let ended = state.done.notified();
            tokio::pin!(ended);
            ended.as_mut().enable();
            if let Some(outcomes) = state.under_way().outcomes() {
                return outcomes;
            }
            ended.await;
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
    outcome: Option<Result<Json>>,
}

impl InFlightGuard {
    /// What its caller can still learn after giving up.
    pub fn caller(&self) -> CallerGuard {
        CallerGuard { writes: Arc::clone(&self.writes), number: self.number }
    }

    /// Records how the write ended.
    pub fn ended(&mut self, result: &Result<Response<AnyValue>>) {
        self.outcome = Some(match result {
            Ok(answer) => {
                let text = String::from_utf8_lossy(&answer.value.kept).into_owned();
                // A body that is not JSON is returned as a JSON string.
                let json = Json::parse(text.as_str()).or_else(|_| Json::of(&text));
                json.map_err(|_| Error::internal("a text cannot be written as JSON"))
            }
            Err(error) => Err(error.clone()),
        });
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut under_way = self.writes.under_way();
        let write = under_way.writes.remove(&self.number);
        if let (Some(write), Some(outcome)) = (write, self.outcome.take()) {
            let (response, error) = match outcome {
                Ok(response) => (Some(response), None),
                Err(error) => (None, Some(error)),
            };
            let outcome = WriteOutcome { operation: write.operation, number: self.number, response, error };
            if write.abandoned {
                under_way.ended(outcome);
            } else {
                under_way.unclaimed.insert(self.number, outcome);
            }
        }
        drop(under_way);
        self.writes.done.notify_waiters();
    }
}

/// The caller of a write: it takes the outcome, or gives up.
pub struct CallerGuard {
    writes: Arc<Owned<WritesState>>,
    number: u64,
}

impl CallerGuard {
    /// The write goes on without its caller. It may have ended a moment ago.
    fn give_up(&self) {
        let mut under_way = self.writes.under_way();
        if let Some(write) = under_way.writes.get_mut(&self.number) {
            write.abandoned = true;
        } else if let Some(outcome) = under_way.unclaimed.remove(&self.number) {
            under_way.ended(outcome);
        }
    }

    /// The caller has the outcome.
    fn take(&self) {
        self.writes.under_way().unclaimed.remove(&self.number);
    }
}

/// A caller's handle on a write. Dropping it cancels the write if nothing of it was sent, and lets it finish
/// otherwise.
pub struct WriteHandle<T> {
    task: Option<Task<T>>,
    state: CallState,
    caller: CallerGuard,
}

impl<T> WriteHandle<T> {
    /// Takes over the task of a write.
    pub fn new(task: Task<T>, state: CallState, caller: CallerGuard) -> Self {
        Self { task: Some(task), state, caller }
    }

    /// Releases the write. `true`: nothing with an effect was sent, and nothing will be.
    pub fn release(&mut self) -> bool {
        let Some(task) = self.task.take() else { return false };
        let cancelled = self.state.cancel();
        self.caller.give_up();
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
                self.caller.take();
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
