//! The estimated cost of a method, for the languages.

use serde::Serialize;

/// Calls, bytes and minutes.
#[derive(Serialize)]
pub struct Cost {
    calls: u64,
    bytes: u64,
    minutes: f64,
}

impl From<sondage::budget::Cost> for Cost {
    fn from(cost: sondage::budget::Cost) -> Self {
        Self { calls: cost.calls, bytes: cost.bytes, minutes: cost.minutes }
    }
}
