//! The state of a call, shared by the call and its caller, so that an error made by either is accurate.

use super::retry::ExchangeOutcome;
use crate::error::Delivery;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Nothing with an effect was sent: the call may be cancelled.
const UNSENT: u8 = 0;
/// A request has been sent, or an earlier one may have taken effect.
const SENT: u8 = 1;
/// The caller has given up, and nothing will be sent.
const CANCELLED: u8 = 2;

/// A summary of a call's attempts.
#[derive(Clone, Copy, Debug)]
pub struct History {
    /// The number of attempts to send.
    pub attempts: u32,
    /// The strongest evidence of any attempt: a response is stronger than a request that may have arrived.
    pub delivery: Delivery,
    /// Some attempt may have taken effect without the service saying so.
    pub doubt: bool,
    /// Whether an attempt before the current one may have taken effect.
    pub doubt_earlier: bool,
    /// The HTTP status of the last response.
    pub status: Option<u16>,
    /// How long the last response asked to wait.
    pub retry_after: Option<Duration>,
}

impl Default for History {
    fn default() -> Self {
        Self {
            attempts: 0,
            delivery: Delivery::No,
            doubt: false,
            doubt_earlier: false,
            status: None,
            retry_after: None,
        }
    }
}

#[derive(Default)]
struct CallProgress {
    state: AtomicU8,
    history: Mutex<History>,
}

/// The state of one call.
#[derive(Clone, Default)]
pub struct CallState(Arc<CallProgress>);

impl CallState {
    /// Starts another attempt. Returns whether an earlier one may have taken effect.
    pub fn begin(&self) -> bool {
        self.history(|history| {
            history.doubt_earlier = history.doubt;
            history.doubt
        })
    }

    /// Asks for permission to send. `false`: the call was cancelled before.
    pub fn send(&self) -> bool {
        let sent = self.0.state.compare_exchange(UNSENT, SENT, SeqCst, SeqCst).is_ok() || self.is_sent();
        if sent {
            self.history(|history| history.attempts += 1);
        }
        sent
    }

    /// A request has been sent and was not definitely refused.
    pub fn is_sent(&self) -> bool {
        self.0.state.load(SeqCst) == SENT
    }

    /// Records how an attempt ended. If all attempts were definitely refused, the call may be cancelled
    /// again.
    pub fn note(&self, outcome: &ExchangeOutcome) {
        let doubt = self.history(|history| {
            history.delivery = history.delivery.or_more(outcome.delivery());
            history.doubt |= outcome.leaves_doubt();
            (history.status, history.retry_after) = (outcome.status(), outcome.retry_after());
            history.doubt
        });
        if !doubt {
            let _ = self.0.state.compare_exchange(SENT, UNSENT, SeqCst, SeqCst);
        }
    }

    /// The caller gives up. `true`: nothing with an effect was sent, and nothing will be.
    pub fn cancel(&self) -> bool {
        self.0.state.compare_exchange(UNSENT, CANCELLED, SeqCst, SeqCst).is_ok()
    }

    /// The summary so far.
    pub fn so_far(&self) -> History {
        self.history(|history| *history)
    }

    fn history<T>(&self, look: impl FnOnce(&mut History) -> T) -> T {
        look(&mut self.0.history.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
