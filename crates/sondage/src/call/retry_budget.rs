//! Limits retries to a small share of all calls, so that a client in trouble does not add to the service's
//! load.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// A token bucket: each call adds a fraction of a token, each retry takes a whole one. An atomic and not a lock,
/// because a fork may happen at any moment.
pub struct RetryBudget {
    share: f64,
    /// The tokens in the bucket, as the bits of a float.
    bucket: AtomicU64,
}

/// The initial content of the bucket, and its maximum.
const FULL: f64 = 10.0;

impl RetryBudget {
    /// `share` 0.1 keeps retries under 10 % of calls.
    pub fn new(share: f64) -> Self {
        Self { share, bucket: AtomicU64::new(FULL.to_bits()) }
    }

    /// Adds a call's share.
    pub fn call(&self) {
        self.change(|tokens| Some((tokens + self.share).min(FULL)));
    }

    /// Takes a token for a retry. `false`: there is none, and the call is not retried.
    pub fn repeat(&self) -> bool {
        self.change(|tokens| (tokens >= 1.0).then_some(tokens - 1.0))
    }

    fn change(&self, change: impl Fn(f64) -> Option<f64>) -> bool {
        let change = |bits| change(f64::from_bits(bits)).map(f64::to_bits);
        self.bucket.fetch_update(SeqCst, SeqCst, change).is_ok()
    }
}
