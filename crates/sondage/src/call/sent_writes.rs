//! Writes that this process has sent and must never retry. They are recorded for a while, so that `reconcile` can find
//! out later whether they took effect.
//!
//! Of a request only the fields that identify its effect are recorded: no webhook address, no mail. Records stay in memory;
//! an error contains only the number of a record.

use crate::auth::clock::Clock;
use bytes::Bytes;
use chrono::TimeDelta;
use ring::digest::{Context, SHA256};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

/// The maximum number of records of writes with an unknown outcome, and of all others.
const MAX_WRITES: usize = 1024;
/// The maximum total size of the recorded fields, in bytes.
const MAX_BYTES: usize = 64 << 20;
/// The ids in a response that is larger are not recorded.
const LARGEST_ANSWER: usize = 64 << 10;

/// The fields of a request that is larger are dropped once a response has arrived.
const SMALL: usize = 4 << 10;

/// The resolution at which times are compared.
pub const SLACK: Duration = Duration::from_secs(2);

/// The state of a write.
#[derive(Clone)]
pub enum WriteEnd {
    /// In progress.
    UnderWay,
    /// The service carried it out, with this response.
    Answered(Bytes),
    /// Not carried out, and never will be.
    Refused,
    /// The outcome is unknown. The time, on the monotonic clock, since when nothing of it is in progress on the client's
    /// side.
    Unknown(Duration),
}

/// A write that was sent, or is about to be.
pub struct SentWrite {
    /// Its number.
    pub id: String,
    /// The API's name of the operation.
    pub operation: Cow<'static, str>,
    /// The address of the service.
    pub service: String,
    /// The tenant.
    pub tenant: String,
    /// The fields of the request that identify its effect.
    fields: &'static [&'static str],
    /// The whole request, until those fields are needed.
    body: Mutex<Bytes>,
    request: OnceLock<(Bytes, [u8; 32])>,
    /// When it began, by the computer's wall clock.
    pub wall: SystemTime,
    /// The time from its beginning to its end, as this process saw it.
    took: Mutex<Duration>,
    /// How far the service's clock was ahead at that time.
    pub ahead: Option<TimeDelta>,
    begun: Duration,
    /// The time between its end in another process and the moment when this process learned of it.
    quiet_elsewhere: Duration,
    clock: Arc<dyn Clock>,
    end: Mutex<WriteEnd>,
    found: OnceLock<WriteEnd>,
}

/// What an error must not show: neither the request nor the response.
impl fmt::Debug for SentWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SentWrite")
            .field("id", &self.id)
            .field("operation", &self.operation)
            .finish_non_exhaustive()
    }
}

impl SentWrite {
    /// Records a write that is about to begin.
    pub fn new(
        operation: Cow<'static, str>,
        account: (String, String),
        body: Bytes,
        fields: &'static [&'static str],
        clock: Arc<dyn Clock>,
        ahead: Option<TimeDelta>,
    ) -> Self {
        Self {
            id: next_id(),
            operation,
            service: account.0,
            tenant: account.1,
            fields,
            body: Mutex::new(body),
            request: OnceLock::new(),
            wall: clock.wall(),
            took: Mutex::default(),
            ahead,
            begun: clock.monotonic(),
            quiet_elsewhere: Duration::ZERO,
            clock,
            end: Mutex::new(WriteEnd::UnderWay),
            found: OnceLock::new(),
        }
    }

    /// This state under another number.
    #[must_use]
    pub fn known_as(mut self, id: String) -> Self {
        self.id = id;
        self
    }

    /// Records a write that another process has sent: it began at that time and ended, `took` later, with an unknown
    /// outcome.
    #[must_use]
    pub fn sent_before(mut self, wall: SystemTime, took: Duration, ahead: Option<TimeDelta>) -> Self {
        let since = self.clock.wall().duration_since(wall).unwrap_or_default();
        (self.wall, self.ahead, self.took) = (wall, ahead, Mutex::new(took));
        self.quiet_elsewhere = since.saturating_sub(took);
        self.end = Mutex::new(WriteEnd::Unknown(self.begun));
        self
    }

    /// The fields of its request that identify its effect, as JSON. Empty if there are none, or if the outcome is known.
    pub fn evidence(&self) -> &Bytes {
        &self.request().0
    }

    /// A hash of the whole body, which is the same for the same request.
    pub fn digest(&self) -> &[u8; 32] {
        &self.request().1
    }

    /// From here on, nothing else of the request is kept.
    fn request(&self) -> &(Bytes, [u8; 32]) {
        self.request.get_or_init(|| {
            let body = std::mem::take(&mut *self.body.lock().unwrap_or_else(PoisonError::into_inner));
            (kept(&body, self.fields), digest(&body))
        })
    }

    /// The state of the write.
    pub fn end(&self) -> WriteEnd {
        self.locked().clone()
    }

    /// Records how it ended.
    pub fn ended(&self, end: WriteEnd) {
        *self.took.lock().unwrap_or_else(PoisonError::into_inner) = self.now().saturating_sub(self.begun);
        if matches!(end, WriteEnd::Answered(_) | WriteEnd::Refused) {
            let mut body = self.body.lock().unwrap_or_else(PoisonError::into_inner);
            let small = body.len() <= SMALL;
            if !small {
                body.clear();
            }
            drop(body);
            // Lets a request be recognised if nothing in the response identifies what it created.
            if small {
                self.request();
            }
        }
        *self.locked() = match end {
            WriteEnd::Answered(answer) if answer.len() > LARGEST_ANSWER => WriteEnd::Answered(Bytes::new()),
            end => end,
        };
    }

    /// Records that it has ended now, without a response.
    pub fn ended_unknown(&self) {
        self.ended(WriteEnd::Unknown(self.now()));
    }

    /// Records what was found out about it, for the reconciliation of other writes.
    pub fn found(&self, end: WriteEnd) {
        let _ = self.found.set(end);
    }

    /// How it ended, or what was found out about it.
    pub fn outcome(&self) -> WriteEnd {
        self.found.get().cloned().unwrap_or_else(|| self.end())
    }

    /// Whether its outcome is known, and how many bytes are recorded of it.
    fn size(&self) -> (bool, usize) {
        let (known, answer) = match &*self.locked() {
            WriteEnd::Answered(answer) => (true, answer.len()),
            end => (matches!(end, WriteEnd::Refused), 0),
        };
        (known, answer + self.evidence().len())
    }

    /// The response of the service.
    pub fn answer(&self) -> Option<Bytes> {
        match &*self.locked() {
            WriteEnd::Answered(answer) => Some(answer.clone()),
            _ => None,
        }
    }

    /// The time since its end on the client's side; zero while it is in progress, and if its outcome is known.
    pub fn quiet_for(&self) -> Duration {
        match &*self.locked() {
            WriteEnd::Unknown(since) => self.now().saturating_sub(*since) + self.quiet_elsewhere,
            _ => Duration::ZERO,
        }
    }

    /// The time from its beginning to its end, as this process saw it, or until now.
    pub fn took(&self) -> Duration {
        match &*self.locked() {
            WriteEnd::UnderWay => self.now().saturating_sub(self.begun),
            _ => *self.took.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    fn now(&self) -> Duration {
        self.clock.monotonic()
    }

    fn locked(&self) -> MutexGuard<'_, WriteEnd> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The writes of this process. All clients share them, because the client that sent a write may be closed by the time it
/// is reconciled.
#[derive(Default)]
struct WriteMemory {
    writes: VecDeque<Arc<SentWrite>>,
    /// When the last of the dropped writes ended, by service, tenant and operation.
    evicted: HashMap<(String, String, Cow<'static, str>), SystemTime>,
    /// When the last of the writes ended that are no longer in `evicted` either.
    evicted_before: Option<SystemTime>,
}

static MEMORY: OnceLock<Mutex<WriteMemory>> = OnceLock::new();

fn memory() -> MutexGuard<'static, WriteMemory> {
    MEMORY.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records a write. The oldest ones are dropped: separately among writes with a known outcome and among the others.
pub fn record(write: &Arc<SentWrite>) {
    write.request();
    let mut memory = memory();
    memory.writes.push_back(Arc::clone(write));
    while let Some(at) = memory.over_limit() {
        if let Some(write) = memory.writes.remove(at) {
            memory.evict(&write);
        }
    }
}

/// The write with this number.
pub fn find(id: &str) -> Option<Arc<SentWrite>> {
    memory().writes.iter().find(|write| write.id == id).cloned()
}

/// Operations that create the same kind of object as another one: reconciliation considers the objects of both.
fn makes_alike(one: &str, other: &str) -> bool {
    const BOTH: &str = "CreateAndInviteMembers";
    let half = |name: &str| matches!(name, "CreateMembers" | "InviteMembers");
    one == other || (one == BOTH && half(other)) || (half(one) && other == BOTH)
}

/// Other writes of this process in the same account that create the same kind of object and may have taken effect at the same
/// time. `quiet`: how long the service may still process a write after the last sign of it.
pub fn others(of: &SentWrite, quiet: Duration) -> Vec<Arc<SentWrite>> {
    let end = |write: &SentWrite| write.wall.checked_add(write.took() + quiet + SLACK);
    let meets = |one: &SentWrite, other: &SentWrite| end(one).is_none_or(|end| end >= other.wall);
    let like = |write: &&Arc<SentWrite>| {
        write.id != of.id
            && meets(write, of)
            && meets(of, write)
            && makes_alike(&write.operation, &of.operation)
            && (&write.service, &write.tenant) == (&of.service, &of.tenant)
    };
    memory().writes.iter().filter(like).cloned().collect()
}

impl WriteMemory {
    fn evict(&mut self, write: &SentWrite) {
        if self.evicted.len() > MAX_WRITES {
            self.evicted_before = self.evicted_before.max(self.evicted.drain().map(|(_, end)| end).max());
        }
        let key = (write.service.clone(), write.tenant.clone(), write.operation.clone());
        let end = write.wall + write.took();
        let kept = self.evicted.entry(key).or_insert(end);
        *kept = end.max(*kept);
    }

    /// The oldest write of the kind of which there are too many, or too large ones. The last one is kept, however large it is.
    fn over_limit(&self) -> Option<usize> {
        let (mut count, mut bytes, mut first) = ([0; 2], [0; 2], [None; 2]);
        for (at, write) in self.writes.iter().enumerate() {
            let (known, size) = write.size();
            let kind = usize::from(known);
            count[kind] += 1;
            bytes[kind] += size;
            first[kind].get_or_insert(at);
        }
        let kinds = [1, 0].into_iter();
        let mut full =
            kinds.filter(|kind| count[*kind] > MAX_WRITES || (bytes[*kind] > MAX_BYTES && count[*kind] > 1));
        full.next().and_then(|kind| first[kind])
    }
}

/// Whether a dropped write of the same kind in the same account may have taken effect at the same time.
pub fn was_evicted(of: &SentWrite, quiet: Duration) -> bool {
    let memory = memory();
    let alike = memory.evicted.iter().filter(|((service, tenant, operation), _)| {
        (service, tenant) == (&of.service, &of.tenant) && makes_alike(operation, &of.operation)
    });
    let mut ends = alike.map(|(_, end)| *end).chain(memory.evicted_before);
    ends.any(|end| end.checked_add(quiet + SLACK).is_none_or(|end| end >= of.wall))
}

/// Different from the numbers of any other process.
pub fn next_id() -> String {
    static PROCESS: OnceLock<u32> = OnceLock::new();
    static LAST: AtomicU64 = AtomicU64::new(0);
    let process = PROCESS.get_or_init(|| getrandom::u32().unwrap_or_default());
    format!("{:x}-{process:08x}-{}", std::process::id(), LAST.fetch_add(1, Ordering::Relaxed) + 1)
}

fn digest(body: &[u8]) -> [u8; 32] {
    let mut context = Context::new(&SHA256);
    context.update(body);
    let mut digest = [0; 32];
    digest.copy_from_slice(context.finish().as_ref());
    digest
}

/// These fields of a body, as JSON.
fn kept(body: &[u8], fields: &[&str]) -> Bytes {
    if fields.is_empty() {
        return Bytes::new();
    }
    let body: HashMap<Cow<'_, str>, &serde_json::value::RawValue> =
        serde_json::from_slice(body).unwrap_or_default();
    let kept: HashMap<&str, _> = fields.iter().filter_map(|name| Some((*name, body.get(*name)?))).collect();
    serde_json::to_vec(&kept).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::clock::SystemClock;

    fn write(body: &'static [u8]) -> Arc<SentWrite> {
        let account = ("https://api.example".to_owned(), "demo".to_owned());
        let clock = Arc::new(SystemClock::default());
        Arc::new(SentWrite::new("CreateWebHook".into(), account, body.into(), &["eventType"], clock, None))
    }

    /// Privacy: of a request, only the fields that identify its effect are recorded.
    #[test]
    fn only_what_an_effect_is_found_by_is_kept() {
        let write = write(
            br#"{"eventType":"Approved","webHookUrl":"https://a.example/secret","securityToken":"t0ken"}"#,
        );
        assert_eq!(&write.evidence()[..], br#"{"eventType":"Approved"}"#);
        assert!(write.body.lock().expect("a lock").is_empty(), "the rest is gone");
        let shown = format!("{write:?}");
        assert!(shown.contains("CreateWebHook") && !shown.contains("Approved"), "{shown}");
    }

    #[test]
    fn what_is_not_known_is_kept_longest() {
        let doubt = write(b"{}");
        doubt.ended_unknown();
        record(&doubt);
        for _ in 0..2 * MAX_WRITES {
            let done = write(b"{}");
            done.ended(WriteEnd::Answered(Bytes::new()));
            record(&done);
        }
        assert!(find(&doubt.id).is_some());
        // An hour covers all writes of this test, however slow the machine is.
        assert_eq!(others(&doubt, Duration::from_secs(3600)).len(), MAX_WRITES);
        assert_ne!(write(b"{}").id, write(b"{}").id);
    }
}
