//! Keeps repeats a small part of all calls, so that a client in trouble does not add to the service's.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

/// Repeats are paid for by calls: each call puts a share of a token into the bucket, each repeat takes a whole one out.
/// An atomic and not a lock: a fork may come at any moment.
pub struct Budget {
    share: f64,
    /// What is in the bucket, as the bits of a number.
    bucket: AtomicU64,
}

/// What is in the bucket at the start, and the most it ever holds.
const FULL: f64 = 10.0;

impl Budget {
    /// `share` 0.1 keeps repeats under 10 % of calls.
    pub fn new(share: f64) -> Self {
        Self { share, bucket: AtomicU64::new(FULL.to_bits()) }
    }

    /// A call is made.
    pub fn call(&self) {
        self.change(|tokens| Some((tokens + self.share).min(FULL)));
    }

    /// Whether a repeat can be afforded; if so it is paid.
    pub fn repeat(&self) -> bool {
        self.change(|tokens| (tokens >= 1.0).then_some(tokens - 1.0))
    }

    fn change(&self, change: impl Fn(f64) -> Option<f64>) -> bool {
        let change = |bits| change(f64::from_bits(bits)).map(f64::to_bits);
        self.bucket.fetch_update(SeqCst, SeqCst, change).is_ok()
    }
}
