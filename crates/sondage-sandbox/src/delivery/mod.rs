//! The sending side of webhooks: the sandbox notifies subscribers with real HTTP requests.
//!
//! The service has published neither the format of a callback nor its method and retries; the assumptions are in
//! [`Profile`](crate::Profile). Nothing is sent to other machines unless
//! [`Builder::call_anywhere`](crate::Builder::call_anywhere) allows it.

mod answer;
mod cause;
mod entity;
mod fault;
mod fill;
mod log;
mod queue;
mod respond;
mod send;
mod worker;

pub use answer::GivenRows;
pub use cause::Cause;
pub use fault::{DeliveryAction, DeliveryFault};
pub use fill::Fill;
pub use log::{Attempt, Outcome};
pub(crate) use respond::NextStep;
pub(crate) use worker::{DeliveryQueue, run};

pub(crate) use entity::{bounce, member, opt_out, survey};

use crate::state::ServerState;
use chrono::{DateTime, Utc};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Deliveries to subscribers, made and pending.
#[derive(Clone)]
pub struct Deliveries(pub(crate) Arc<ServerState>);

impl Deliveries {
    /// Every attempt, in order.
    pub fn log(&self) -> Vec<Attempt> {
        self.0.desk.log()
    }

    /// Events that have been neither delivered nor given up, including those that wait for their next attempt.
    pub fn pending(&self) -> usize {
        self.0.desk.pending()
    }

    /// When the next attempt is due, by the sandbox's clock.
    pub fn next_due(&self) -> Option<DateTime<Utc>> {
        self.0.desk.next_due()
    }

    /// Applies this fault to future events.
    pub fn fault(&self, fault: DeliveryFault) {
        self.0.desk.put(fault);
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        self.0.desk.clear_faults();
    }

    /// Clears the log.
    pub fn clear(&self) {
        self.0.desk.clear();
    }

    /// Waits until every attempt that is due now has been made. `false` if that took longer than `timeout`.
    ///
    /// For attempts that are due later, move the clock with [`Clock::advance`](crate::Clock::advance); see
    /// [`drain`](Self::drain).
    pub fn settle(&self, timeout: Duration) -> bool {
        let end = Instant::now() + timeout;
        while self.0.desk.is_busy(self.0.clock.now()) {
            if Instant::now() > end {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// Moves the clock until every event was delivered or given up. `false` if that took longer than `timeout`.
    pub fn drain(&self, timeout: Duration) -> bool {
        let end = Instant::now() + timeout;
        loop {
            if !self.settle(end.saturating_duration_since(Instant::now())) {
                return false;
            }
            let Some(due) = self.next_due() else { return true };
            let wait = due - self.0.clock.now();
            self.0.clock.kept_by(&self.0).advance(wait.to_std().unwrap_or_default());
        }
    }
}

impl std::fmt::Debug for Deliveries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Deliveries").field("pending", &self.pending()).finish_non_exhaustive()
    }
}
