//! Sends due events, and retries failed ones.

use super::fault::DeliveryFault;
use super::log::{Attempt, AttemptDetails, Outcome};
use super::queue::{Queue, QueuedDelivery};
use super::send::{Sender, Target};
use crate::profile::Profile;
use crate::state::ServerState;
use chrono::{DateTime, TimeDelta, Utc};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};

/// The number of concurrent requests.
const AT_ONCE: usize = 32;
/// How often the clock is polled while an event waits for its time: a test may move it at any moment.
const TICK: Duration = Duration::from_millis(10);
/// An event that was held back is sent after this time if no other event follows.
const HELD: Duration = Duration::from_millis(100);

/// The sender's end of the queue.
#[derive(Default)]
pub(crate) struct DeliveryQueue {
    queue: Mutex<Queue>,
    wake: Notify,
}

impl DeliveryQueue {
    pub(crate) fn add(&self, jobs: Vec<QueuedDelivery>) {
        let mut queue = self.queue();
        for job in jobs {
            queue.add(job);
        }
        drop(queue);
        self.wake.notify_one();
    }

    pub(crate) fn log(&self) -> Vec<Attempt> {
        self.queue().log.clone()
    }

    /// All attempts with their numbers.
    pub(crate) fn attempts(&self) -> Vec<(usize, Attempt)> {
        let queue = self.queue();
        let numbered = queue.log.iter().enumerate();
        numbered.map(|(at, attempt)| (queue.cleared + at, attempt.clone())).collect()
    }

    /// One attempt with what it sent and got.
    pub(crate) fn attempt(&self, number: usize) -> Option<(Attempt, AttemptDetails)> {
        let queue = self.queue();
        let at = number.checked_sub(queue.cleared)?;
        Some((queue.log.get(at)?.clone(), queue.details.get(at)?.clone()))
    }

    /// Sends the event of an attempt again, at once.
    pub(crate) fn send_again(&self, details: &AttemptDetails, now: DateTime<Utc>) {
        let job = QueuedDelivery { attempts: 0, due: now, silent: false, ..details.job.clone() };
        self.queue().waiting.push(job);
        self.wake.notify_one();
    }

    pub(crate) fn pending(&self) -> usize {
        self.queue().pending()
    }

    pub(crate) fn next_due(&self) -> Option<DateTime<Utc>> {
        self.queue().waiting.iter().map(|job| job.due).min()
    }

    pub(crate) fn is_busy(&self, now: DateTime<Utc>) -> bool {
        let queue = self.queue();
        !queue.is_idle(now) || queue.is_holding()
    }

    /// Drops the events that wait for an attempt.
    pub(crate) fn drop_waiting(&self) {
        self.queue().drop_waiting();
    }

    pub(super) fn put(&self, fault: DeliveryFault) {
        self.queue().faults.push(fault);
    }

    pub(super) fn clear_faults(&self) {
        self.queue().faults.clear();
    }

    pub(super) fn clear(&self) {
        let mut queue = self.queue();
        queue.cleared += queue.log.len();
        queue.log.clear();
        queue.details.clear();
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works until the sandbox stops.
pub(crate) async fn run(shared: Arc<ServerState>) {
    let sender = Arc::new(Sender::default());
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        let desk = &shared.desk;
        let (due, waiting, holding) = {
            let mut queue = desk.queue();
            let due = queue.due(shared.clock.now(), permits.available_permits());
            (due, queue.pending() > 0, queue.is_holding())
        };
        if due.is_empty() {
            let next = desk.wake.notified();
            if holding {
                // The next delivery releases it; after this time it is sent anyway.
                if tokio::time::timeout(HELD, next).await.is_err() {
                    desk.queue().release();
                }
            } else if waiting {
                let _ = tokio::time::timeout(TICK, next).await;
            } else {
                next.await;
            }
            continue;
        }
        for job in due {
            // Never more permits than the semaphore has.
            let Ok(place) = Arc::clone(&permits).acquire_owned().await else { return };
            let (shared, sender) = (Arc::clone(&shared), Arc::clone(&sender));
            tokio::spawn(async move {
                let again = attempt(&shared, &sender, job).await;
                shared.desk.queue().done(again);
                drop(place);
                shared.desk.wake.notify_one();
            });
        }
    }
}

/// One attempt. The job is returned if there is to be another.
async fn attempt(shared: &ServerState, sender: &Sender, mut job: QueuedDelivery) -> Option<QueuedDelivery> {
    let profile = shared.profile();
    job.attempts += 1;
    let target = Target::find(shared, &job);
    let to = target.as_ref().map(Target::host).unwrap_or_default();
    let (mut answer, mut reason) = (None, None);
    let (outcome, status) = match target {
        None => (Outcome::Gone, None),
        Some(_) if job.silent => (Outcome::Silent, None),
        Some(target) if !target.is_allowed(shared) => (Outcome::NotSent, None),
        Some(target) => {
            let timeout = Duration::from_millis(profile.web_hook_timeout_ms);
            match sender.send(target, &profile.web_hook_method, job.body.clone(), timeout).await {
                Ok((status, text)) => {
                    answer = Some(text);
                    let is_taken = (200..300).contains(&status);
                    (if is_taken { Outcome::Delivered } else { Outcome::Refused }, Some(status))
                }
                Err(why) => {
                    reason = Some(why);
                    (Outcome::Failed, None)
                }
            }
        }
    };
    let now = shared.clock.now();
    let failed = matches!(outcome, Outcome::Refused | Outcome::Failed);
    let next =
        (failed && job.attempts < profile.web_hook_attempts).then(|| now + backoff(&profile, job.attempts));
    let mut queue = shared.desk.queue();
    queue.details.push(AttemptDetails { job: job.clone(), answer, reason });
    queue.log.push(Attempt {
        at: now,
        event: job.event,
        web_hook_id: job.web_hook_id.clone(),
        tenant: job.tenant.clone(),
        event_type: job.event_type.clone(),
        to,
        attempt: job.attempts,
        outcome,
        status,
        next,
    });
    drop(queue);
    next.map(|due| QueuedDelivery { due, ..job })
}

/// The delay after a number of attempts: it quadruples each time.
fn backoff(profile: &Profile, attempts: u32) -> TimeDelta {
    let factor = 4_i64.saturating_pow(attempts.saturating_sub(1));
    TimeDelta::try_seconds(i64::from(profile.web_hook_backoff_seconds).saturating_mul(factor))
        .unwrap_or(TimeDelta::days(1))
}
