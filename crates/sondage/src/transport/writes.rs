//! Writes that are under way, and what happens to them when their caller goes away.
//!
//! A write that was sent is never torn down half-way: whether it happened could not be told any more. One that was not
//! sent yet is simply not sent.

use crate::error::{Error, Result};
use crate::runtime::Task;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

const WAITING: u8 = 0;
const SENT: u8 = 1;
const CALLED_OFF: u8 = 2;

/// Whether a call has left the house. The caller and the call agree through it who was first.
#[derive(Clone, Debug, Default)]
pub struct Departure(Arc<AtomicU8>);

impl Departure {
    /// The call wants to send. `false`: it was called off before.
    pub fn send(&self) -> bool {
        self.0.compare_exchange(WAITING, SENT, Ordering::SeqCst, Ordering::SeqCst).is_ok()
            || self.0.load(Ordering::SeqCst) == SENT
    }

    /// It is proven that nothing arrived: the call may be called off again.
    pub fn came_back(&self) {
        let _ = self.0.compare_exchange(SENT, WAITING, Ordering::SeqCst, Ordering::SeqCst);
    }

    /// The caller goes away. `true`: nothing was sent, and nothing will be.
    pub fn call_off(&self) -> bool {
        self.0.compare_exchange(WAITING, CALLED_OFF, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}

/// A write that is under way.
#[derive(Clone, Debug)]
pub struct PendingWrite {
    /// The API's name of the operation.
    pub operation: String,
    /// For how long it has been under way.
    pub age: Duration,
}

/// Writes by the order in which they left.
#[derive(Default)]
struct UnderWay {
    last: u64,
    writes: BTreeMap<u64, (String, Instant)>,
}

/// The writes of one client.
#[derive(Default)]
pub struct Writes {
    under_way: Mutex<UnderWay>,
    done: tokio::sync::Notify,
}

impl Writes {
    /// Notes a write until the guard is dropped.
    pub fn note(self: &Arc<Self>, operation: &str) -> Noted {
        let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.last += 1;
        let number = under_way.last;
        under_way.writes.insert(number, (operation.to_owned(), Instant::now()));
        Noted { writes: self.clone(), number }
    }

    /// What is under way, oldest first.
    pub fn list(&self) -> Vec<PendingWrite> {
        let under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |(operation, since): &(String, Instant)| PendingWrite {
            operation: operation.clone(),
            age: since.elapsed(),
        };
        under_way.writes.values().map(of).collect()
    }

    /// Waits until nothing is under way.
    pub async fn settle(&self) {
        loop {
            let done = self.done.notified();
            tokio::pin!(done);
            done.as_mut().enable();
            if self.list().is_empty() {
                return;
            }
            done.await;
        }
    }
}

/// Keeps a write on the list.
pub struct Noted {
    writes: Arc<Writes>,
    number: u64,
}

impl Drop for Noted {
    fn drop(&mut self) {
        let mut under_way = self.writes.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        under_way.writes.remove(&self.number);
        drop(under_way);
        self.writes.done.notify_waiters();
    }
}

/// A caller's hold on a write. Dropping it calls the write off if it has not left, and lets it finish if it has.
pub struct Hold<T> {
    task: Option<Task<T>>,
    departure: Departure,
}

impl<T> Hold<T> {
    /// Holds the task of a write.
    pub fn new(task: Task<T>, departure: Departure) -> Self {
        Self { task: Some(task), departure }
    }

    /// Lets go. `true`: nothing was sent, and nothing will be.
    pub fn let_go(&mut self) -> bool {
        let Some(task) = self.task.take() else { return false };
        let called_off = self.departure.call_off();
        if called_off {
            drop(task);
        } else {
            task.detach();
        }
        called_off
    }
}

impl<T> Future for Hold<T> {
    type Output = Result<T>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Result<T>> {
        match &mut self.task {
            Some(task) => {
                let result = std::task::ready!(Pin::new(task).poll(cx));
                self.task = None;
                Poll::Ready(result)
            }
            None => Poll::Ready(Err(Error::internal("a finished write was asked again"))),
        }
    }
}

impl<T> Drop for Hold<T> {
    fn drop(&mut self) {
        self.let_go();
    }
}
