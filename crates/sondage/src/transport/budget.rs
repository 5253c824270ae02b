//! Keeps repeats a small part of all calls, so that a client in trouble does not add to the service's.

use std::sync::Mutex;

/// Repeats are paid for by calls: each call puts a share into the purse, each repeat takes one out.
pub struct Budget {
    share: f64,
    purse: Mutex<f64>,
}

/// What is in the purse at the start, and the most it ever holds.
const FULL: f64 = 10.0;

impl Budget {
    /// `share` 0.1 keeps repeats under 10 % of calls.
    pub fn new(share: f64) -> Self {
        Self { share, purse: Mutex::new(FULL) }
    }

    /// A call is made.
    pub fn call(&self) {
        let mut purse = self.purse();
        *purse = (*purse + self.share).min(FULL);
    }

    /// Whether a repeat can be afforded; if so it is paid.
    pub fn repeat(&self) -> bool {
        let mut purse = self.purse();
        let affordable = *purse >= 1.0;
        if affordable {
            *purse -= 1.0;
        }
        affordable
    }

    fn purse(&self) -> std::sync::MutexGuard<'_, f64> {
        self.purse.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
