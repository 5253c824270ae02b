//! What happened, as the service saw it: every connection, every request, every answer.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What an answer tells a client that reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Means {
    /// It is done.
    Success,
    /// A client may read it as a success, or not at all.
    Maybe,
    /// It was not done, and will not be.
    Refusal,
    /// Nobody can tell.
    Doubt,
}

impl Means {
    /// What a status says that is not in the two hundreds (RFC 9110, 15). 408, 5xx, an upgrade that nobody asked for and
    /// numbers that are no status tell nothing; 303 says that something was done, and where to look.
    pub fn of(status: u16) -> Self {
        match status {
            408 | 303 | 500.. | ..200 => Self::Doubt,
            200..300 => Self::Success,
            _ => Self::Refusal,
        }
    }
}

/// An answer, as it was sent.
#[derive(Clone, Debug)]
pub struct SentAnswer {
    pub status: u16,
    pub means: Means,
    /// All of it was sent, and the connection was not reset behind it.
    pub complete: bool,
    pub retry_after: Option<u64>,
    pub code: Option<String>,
    /// When its first byte left.
    pub at: Instant,
}

/// A request, whole or not, and what was answered.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub begun: Instant,
    /// The last part of the path: the id of the call.
    pub call: String,
    /// What `Content-Length` says; `None` when there is none.
    pub length: Option<u64>,
    /// Bytes of the body that were read.
    pub received: u64,
    /// The answer, unless it was no more than a part of one.
    pub said: Option<SentAnswer>,
    /// Some bytes were answered.
    pub answered: bool,
}

impl Exchange {
    /// All bytes that the request promises were read by the service.
    pub fn whole(&self) -> bool {
        self.length.is_some_and(|length| self.received >= length)
    }

    /// The service had all of it, and did not say clearly that it was not done.
    pub fn doubtful(&self) -> bool {
        self.whole() && self.said.as_ref().is_none_or(|said| said.means != Means::Refusal)
    }

    pub fn means(&self) -> Option<Means> {
        self.said.as_ref().filter(|said| said.complete).map(|said| said.means)
    }
}

/// A connection.
#[allow(clippy::struct_excessive_bools)] // they are facts, and any of them may be true
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// Requests whose head came.
    pub heads: usize,
    /// How often the client began something on it: requests, and what ended before it was one.
    pub tries: usize,
    /// Nothing more happens on it unless the client moves.
    pub settled: bool,
    /// It was made by the campaign itself, to know that all earlier ones were taken.
    pub own: bool,
    /// It was offered a certificate that must not be accepted.
    pub untrusted: bool,
    /// It was ended by an alert of TLS, which refuses for good.
    pub alert: bool,
    /// The way to the service (proxy, TLS) was ended by the service's side before a request could travel.
    pub no_way: bool,
}

/// Everything that a service saw.
#[derive(Default)]
pub struct ServiceLedger {
    pages: Mutex<LedgerData>,
    turned: Condvar,
}

/// A copy of what stands in the ledger, or the ledger itself under its lock.
#[derive(Clone, Default)]
pub struct LedgerData {
    pub connections: Vec<Connection>,
    pub exchanges: Vec<Exchange>,
}

impl ServiceLedger {
    /// Changes something, and tells those who wait.
    pub fn write<T>(&self, change: impl FnOnce(&mut LedgerData) -> T) -> T {
        let value = change(&mut self.lock());
        self.turned.notify_all();
        value
    }

    /// What stands in it now.
    pub fn read(&self) -> LedgerData {
        self.lock().clone()
    }

    /// Waits until a condition holds; `false` when it did not in time.
    pub fn wait(&self, most: Duration, holds: impl Fn(&LedgerData) -> bool) -> bool {
        let (_pages, result) = self
            .turned
            .wait_timeout_while(self.lock(), most, |pages| !holds(pages))
            .unwrap_or_else(PoisonError::into_inner);
        !result.timed_out()
    }

    fn lock(&self) -> MutexGuard<'_, LedgerData> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LedgerData {
    /// How many requests came whole.
    pub fn whole(&self) -> usize {
        self.exchanges.iter().filter(|exchange| exchange.whole()).count()
    }
}
