//! The queue of pending deliveries.

use super::fault::{DeliveryAction, DeliveryFault};
use super::log::{Attempt, AttemptDetails};
use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};

/// An event for one subscriber.
#[derive(Clone, Debug)]
pub(crate) struct QueuedDelivery {
    pub(crate) event: u64,
    pub(crate) tenant: String,
    pub(crate) web_hook_id: String,
    pub(crate) event_type: String,
    pub(crate) body: Bytes,
    /// Attempts made so far.
    pub(crate) attempts: u32,
    pub(crate) due: DateTime<Utc>,
    /// Never sent, only logged.
    pub(crate) silent: bool,
}

#[derive(Debug, Default)]
pub(super) struct Queue {
    pub(super) waiting: Vec<QueuedDelivery>,
    /// Events that a fault holds back until after the next one.
    held: Vec<QueuedDelivery>,
    pub(super) under_way: usize,
    pub(super) log: Vec<Attempt>,
    /// One for each attempt.
    pub(super) details: Vec<AttemptDetails>,
    /// How many attempts were cleared, so that a number is never used again.
    pub(super) cleared: usize,
    pub(super) faults: Vec<DeliveryFault>,
    events: u64,
}

impl Queue {
    /// Adds an event, applying the faults.
    pub(super) fn add(&mut self, mut job: QueuedDelivery) {
        self.events += 1;
        job.event = self.events;
        let hit =
            self.faults.iter_mut().find_map(|fault| fault.hits(&job.event_type).then_some(fault.action));
        match hit {
            Some(DeliveryAction::Reorder) => self.held.push(job),
            Some(DeliveryAction::Duplicate { copies }) => {
                self.waiting.extend((0..=copies).map(|_| job.clone()));
            }
            Some(DeliveryAction::Delay { seconds }) => {
                job.due += TimeDelta::seconds(seconds.into());
                self.waiting.push(job);
            }
            Some(DeliveryAction::Silence) => {
                job.silent = true;
                self.waiting.push(job);
            }
            None => self.waiting.push(job),
        }
    }

    /// Removes the due events from the queue.
    pub(super) fn due(&mut self, now: DateTime<Utc>, most: usize) -> Vec<QueuedDelivery> {
        let mut due = Vec::new();
        let mut at = 0;
        while at < self.waiting.len() && due.len() < most {
            if self.waiting[at].due <= now { due.push(self.waiting.remove(at)) } else { at += 1 }
        }
        self.under_way += due.len();
        due
    }

    /// An attempt has ended. Events that were held back may follow now.
    pub(super) fn done(&mut self, again: Option<QueuedDelivery>) {
        self.under_way -= 1;
        self.waiting.extend(again);
        self.release();
    }

    pub(super) fn drop_waiting(&mut self) {
        self.waiting.clear();
        self.held.clear();
    }

    pub(super) fn release(&mut self) {
        self.waiting.append(&mut self.held);
    }

    pub(super) fn is_idle(&self, now: DateTime<Utc>) -> bool {
        self.under_way == 0 && !self.waiting.iter().any(|job| job.due <= now)
    }

    pub(super) fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    pub(super) fn pending(&self) -> usize {
        self.waiting.len() + self.held.len() + self.under_way
    }
}
