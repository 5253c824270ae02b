//! The state of a call. It is shared by the call and its caller, so that an error made by either is accurate.

use super::retry::ExchangeOutcome;
use crate::error::Delivery;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Nothing that counts is at the service: the call may be cancelled.
const UNSENT: u8 = 0;
/// A request has left, or an earlier one may have had its effect.
const SENT: u8 = 1;
/// The caller has gone away, and nothing will be sent.
const CANCELLED: u8 = 2;

/// The attempts of a call, in sum.
#[derive(Clone, Copy, Debug)]
pub struct History {
    /// Requests that were sent, or tried to be.
    pub attempts: u32,
    /// The strongest evidence of any attempt: an answer is stronger than a request that may have arrived.
    pub delivery: Delivery,
    /// Some attempt may have had its effect, although the service did not say so.
    pub doubt: bool,
    /// The same, without the attempt that is being made.
    pub doubt_earlier: bool,
    /// The HTTP status of the last answer.
    pub status: Option<u16>,
    /// How long the last answer asked to wait.
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
    /// Another attempt begins. `true`: an earlier one may have had its effect.
    pub fn begin(&self) -> bool {
        self.history(|history| {
            history.doubt_earlier = history.doubt;
            history.doubt
        })
    }

    /// The call wants to send a request. `false`: it was cancelled before.
    pub fn send(&self) -> bool {
        let sent = self.0.state.compare_exchange(UNSENT, SENT, SeqCst, SeqCst).is_ok() || self.is_sent();
        if sent {
            self.history(|history| history.attempts += 1);
        }
        sent
    }

    /// A request has left and was not answered with a definite no.
    pub fn is_sent(&self) -> bool {
        self.0.state.load(SeqCst) == SENT
    }

    /// Notes how an attempt ended. After a definite no, and nothing but that, the call may be cancelled again.
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

    /// The caller goes away. `true`: nothing that counts was sent, and nothing will be.
    pub fn cancel(&self) -> bool {
        self.0.state.compare_exchange(UNSENT, CANCELLED, SeqCst, SeqCst).is_ok()
    }

    /// What has happened so far.
    pub fn so_far(&self) -> History {
        self.history(|history| *history)
    }

    fn history<T>(&self, look: impl FnOnce(&mut History) -> T) -> T {
        look(&mut self.0.history.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
