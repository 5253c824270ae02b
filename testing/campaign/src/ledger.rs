//! The service's record: every connection, every request, every response.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The meaning of a response for a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Done.
    Success,
    /// Success, or undecodable.
    Ambiguous,
    /// Not done, definitely.
    Refusal,
    /// Unknown.
    Unknown,
}

impl Verdict {
    /// What a status other than 2xx says (RFC 9110, 15). 408, 5xx, an unrequested upgrade and undefined numbers leave it
    /// open whether the request was carried out; 303 says that it was, and where the result is.
    pub fn of(status: u16) -> Self {
        match status {
            408 | 303 | 500.. | ..200 => Self::Unknown,
            200..300 => Self::Success,
            _ => Self::Refusal,
        }
    }
}

/// A response as it was sent.
#[derive(Clone, Debug)]
pub struct SentAnswer {
    pub status: u16,
    pub means: Verdict,
    /// Whether the request was sent completely, and the connection was not reset afterwards.
    pub complete: bool,
    pub retry_after: Option<u64>,
    pub code: Option<String>,
    /// When its first byte was sent.
    pub at: Instant,
}

/// A request, complete or not, and its response.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub begun: Instant,
    /// The last part of the path: the id of the call.
    pub call: String,
    /// What `Content-Length` says; `None` when there is none.
    pub length: Option<u64>,
    /// Bytes of the body that were read.
    pub received: u64,
    /// The response, unless only a part of one was sent.
    pub said: Option<SentAnswer>,
    /// Whether some bytes were sent in response.
    pub answered: bool,
}

impl Exchange {
    /// The service read all bytes that the request announced.
    pub fn whole(&self) -> bool {
        self.length.is_some_and(|length| self.received >= length)
    }

    /// The service had the complete request, and did not clearly refuse it.
    pub fn doubtful(&self) -> bool {
        self.whole() && self.said.as_ref().is_none_or(|said| said.means != Verdict::Refusal)
    }

    pub fn means(&self) -> Option<Verdict> {
        self.said.as_ref().filter(|said| said.complete).map(|said| said.means)
    }
}

/// A connection.
#[allow(clippy::struct_excessive_bools)] // independent facts: any combination of them is possible
#[derive(Clone, Debug, Default)]
pub struct Connection {
    /// Requests whose head arrived.
    pub heads: usize,
    /// How often the client began something on it: requests, and attempts that ended before their head was complete.
    pub tries: usize,
    /// Whether nothing more happens on the connection unless the client acts.
    pub settled: bool,
    /// Whether the campaign itself made the connection, to detect that all earlier ones were accepted.
    pub own: bool,
    /// The client was offered a certificate that it must not accept.
    pub untrusted: bool,
    /// Whether a TLS alert closed the connection, which is a definite refusal.
    pub alert: bool,
    /// The connection (proxy, TLS) was closed by the service's side before a request could be sent.
    pub no_way: bool,
}

/// Everything that a service saw.
#[derive(Default)]
pub struct ServiceLedger {
    pages: Mutex<LedgerData>,
    turned: Condvar,
}

/// A copy of the ledger, or the ledger itself under its lock.
#[derive(Clone, Default)]
pub struct LedgerData {
    pub connections: Vec<Connection>,
    pub exchanges: Vec<Exchange>,
}

impl ServiceLedger {
    /// Changes something, and wakes those who wait.
    pub fn write<T>(&self, change: impl FnOnce(&mut LedgerData) -> T) -> T {
        let value = change(&mut self.lock());
        self.turned.notify_all();
        value
    }

    /// The current content.
    pub fn read(&self) -> LedgerData {
        self.lock().clone()
    }

    /// Waits until a condition holds; `false` on a timeout.
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
    /// The number of complete requests.
    pub fn whole(&self) -> usize {
        self.exchanges.iter().filter(|exchange| exchange.whole()).count()
    }
}
