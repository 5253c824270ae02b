//! The calls that have not ended yet, and what each of them waits for.

use super::CallPurpose;
use crate::per_process::{Owned, PerProcess};
use sondage_macros::report;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A call that has not ended yet.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PendingCall {
    /// The API's name of the operation.
    pub operation: String,
    /// The id of the call, as in the trace.
    pub call_id: String,
    /// What the call is for, if it is not for its own result: `"check of the end"` for one that shows that a list is whole.
    pub purpose: Option<String>,
    /// The number of the current attempt; 0 before the first one.
    pub attempt: u64,
    /// The most attempts that the call can make.
    pub attempts: u64,
    /// How long nothing has happened: since the last bytes of the response arrived, or the request was sent, or the call began.
    pub idle: Duration,
    /// How long the service may be silent before the attempt is given up. `None`: nothing was sent yet, or the call waits.
    pub limit: Option<Duration>,
    /// How much longer the call waits before its next attempt, or for the end of a pause that the service requested. `None`: it does
    /// not wait.
    pub wait: Option<Duration>,
    /// The same for a person who waits: `"ReadPanel: no data for 12 s (limit 200 s), attempt 1 of 3"`.
    pub text: String,
}

impl PendingCall {
    fn described(mut self) -> Self {
        self.text = Waiting(&self).to_string();
        self
    }
}

/// The same for a person who waits.
impl fmt::Display for PendingCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Writes the text of a call.
struct Waiting<'a>(&'a PendingCall);

impl fmt::Display for Waiting<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PendingCall { operation, attempt, attempts, idle, limit, wait, .. } = self.0;
        write!(f, "{operation}: ")?;
        match (wait, limit) {
            (Some(wait), _) if *attempt == 0 => {
                return write!(f, "the service asked for a pause: {} s left", seconds(*wait));
            }
            (Some(wait), _) => {
                return write!(f, "waits {} s before attempt {} of {attempts}", seconds(*wait), attempt + 1);
            }
            (None, Some(limit)) => {
                write!(f, "no data for {} s (limit {} s)", idle.as_secs(), limit.as_secs())?;
            }
            (None, None) => write!(f, "not sent yet for {} s", idle.as_secs())?,
        }
        if *attempt > 0 { write!(f, ", attempt {attempt} of {attempts}") } else { Ok(()) }
    }
}

/// Whole seconds that are left: never 0 while there are some.
fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// The calls of a client that have not ended yet.
#[derive(Default)]
pub(crate) struct PendingCalls(PerProcess<Calls>);

#[derive(Default)]
struct Calls {
    list: Mutex<BTreeMap<u64, Arc<CallActivity>>>,
    next: AtomicU64,
}

/// What a call is doing.
struct CallActivity {
    operation: Cow<'static, str>,
    id: String,
    purpose: CallPurpose,
    begun: Instant,
    attempts: u64,
    step: Mutex<ActivityStep>,
    /// When the last bytes arrived, in milliseconds since it began. 0: none of this attempt.
    heard: AtomicU64,
}

#[derive(Clone, Copy)]
struct ActivityStep {
    attempt: u64,
    since: Instant,
    limit: Option<Duration>,
    until: Option<Instant>,
}

/// A call among those in progress, until it is dropped.
pub(crate) struct ActiveCall {
    calls: Arc<Owned<Calls>>,
    number: u64,
    activity: Arc<CallActivity>,
}

/// Notes when the bytes of a response arrive.
#[derive(Clone)]
pub(crate) struct Arrivals(Arc<CallActivity>);

impl PendingCalls {
    /// A call begins.
    pub fn begin(
        &self,
        operation: Cow<'static, str>,
        id: String,
        purpose: CallPurpose,
        attempts: u32,
    ) -> ActiveCall {
        let begun = Instant::now();
        let activity = Arc::new(CallActivity {
            operation,
            id,
            purpose,
            begun,
            attempts: attempts.into(),
            step: Mutex::new(ActivityStep { attempt: 0, since: begun, limit: None, until: None }),
            heard: AtomicU64::new(0),
        });
        let calls = self.0.get(|_| Calls::default());
        let number = calls.next.fetch_add(1, Relaxed);
        calls.list.lock().unwrap_or_else(PoisonError::into_inner).insert(number, activity.clone());
        ActiveCall { calls, number, activity }
    }

    /// The calls, those first that began first.
    pub fn list(&self) -> Vec<PendingCall> {
        let calls = self.0.get(|_| Calls::default());
        let list: Vec<_> =
            calls.list.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        list.iter().map(|activity| activity.report()).collect()
    }
}

impl ActiveCall {
    /// A request is sent, whose response may be silent for `limit`.
    pub fn sends(&self, attempt: u64, limit: Duration) {
        self.set(ActivityStep { attempt, since: Instant::now(), limit: Some(limit), until: None });
    }

    /// The call waits before its next attempt, or for the end of a pause.
    pub fn waits(&self, attempt: u64, wait: Duration) {
        let now = Instant::now();
        self.set(ActivityStep { attempt, since: now, limit: None, until: now.checked_add(wait) });
    }

    /// Notes the bytes of a response.
    pub fn arrivals(&self) -> Arrivals {
        Arrivals(self.activity.clone())
    }

    fn set(&self, step: ActivityStep) {
        *self.activity.step.lock().unwrap_or_else(PoisonError::into_inner) = step;
        self.activity.heard.store(0, Relaxed);
    }
}

impl Drop for ActiveCall {
    fn drop(&mut self) {
        self.calls.list.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.number);
    }
}

impl Arrivals {
    /// Bytes have arrived.
    pub fn note(&self) {
        let since = self.0.begun.elapsed().as_millis();
        self.0.heard.store(u64::try_from(since).unwrap_or(u64::MAX).max(1), Relaxed);
    }
}

impl CallActivity {
    fn report(&self) -> PendingCall {
        let ActivityStep { attempt, since, limit, until } =
            *self.step.lock().unwrap_or_else(PoisonError::into_inner);
        let heard = self.heard.load(Relaxed);
        let last = if heard == 0 { since } else { self.begun + Duration::from_millis(heard) };
        PendingCall {
            operation: self.operation.clone().into_owned(),
            call_id: self.id.clone(),
            purpose: self.purpose.as_str().map(str::to_owned),
            attempt,
            attempts: self.attempts,
            idle: last.elapsed(),
            limit,
            wait: until.map(|until| until.saturating_duration_since(Instant::now())),
            text: String::new(),
        }
        .described()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_says_what_it_waits_for() {
        let calls = PendingCalls::default();
        let call = calls.begin("ReadPanel".into(), "1".to_owned(), CallPurpose::Result, 3);
        let line = || calls.list().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(line(), ["ReadPanel: not sent yet for 0 s"]);
        call.waits(0, Duration::from_secs(30));
        assert_eq!(line(), ["ReadPanel: the service asked for a pause: 30 s left"]);
        call.sends(1, Duration::from_secs(200));
        assert_eq!(line(), ["ReadPanel: no data for 0 s (limit 200 s), attempt 1 of 3"]);
        call.waits(1, Duration::from_millis(1500));
        assert_eq!(line(), ["ReadPanel: waits 2 s before attempt 2 of 3"]);
        call.sends(2, Duration::from_secs(200));
        std::thread::sleep(Duration::from_millis(20));
        call.arrivals().note();
        assert!(calls.list()[0].idle < Duration::from_millis(20));
        drop(call);
        assert!(line().is_empty());
    }
}
