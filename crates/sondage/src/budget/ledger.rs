//! Counts the calls of a client, and decides whether the next one may be sent.

use super::CountedBytes;
use super::book::{Book, Charge, Moment};
use super::record::{DAY, DayRecord};
use super::{BudgetMode, BudgetReport, BudgetSettings};
use crate::error::{Delivery, Error, Result, Text};
use crate::model::Timestamp;
use crate::{runtime, text};
use chrono::DateTime;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use url::Url;

/// The time of day.
pub(crate) type WallClock = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The count of a client's calls.
pub(crate) struct Ledger {
    settings: BudgetSettings,
    tenant: String,
    counted: bool,
    book: Arc<Book>,
    clock: WallClock,
}

/// The decision about a call, from the record.
enum Admission {
    Go,
    /// The service has asked all calls to wait for this long.
    Paused(Duration),
    /// The calls (or the bytes) are used up, and the day ends after this time.
    Spent(SpentResource, Duration),
}

#[derive(Clone, Copy)]
enum SpentResource {
    Calls,
    Bytes,
}

/// A threshold that was reached: 80 or 100 percent of the calls or bytes.
#[derive(Clone, Copy)]
struct Crossed {
    percent: u64,
    what: SpentResource,
    used: u64,
    limit: u64,
}

impl Ledger {
    /// The ledger of a tenant at a service. `local`: the service is on this machine.
    pub fn new(settings: &BudgetSettings, base: &Url, tenant: &str, local: bool, clock: WallClock) -> Self {
        let counted = settings.mode != BudgetMode::Off && (settings.loopback || !local);
        let key = account(base, tenant);
        let book = match &settings.store {
            Some(store) => Book::in_store(store.clone(), key),
            None => Book::of(settings.folder.as_deref(), &key),
        };
        Self { settings: settings.clone(), tenant: tenant.to_owned(), counted, book, clock }
    }

    /// Counts a request with this many bytes, which is about to be sent. `Some`: it must not be sent before this time has passed,
    /// and was not counted. An error: it must not be sent.
    pub async fn depart(self: &Arc<Self>, sent: usize) -> Result<Option<Duration>> {
        if !self.counted {
            return Ok(None);
        }
        if !self.book.waits() {
            return self.admit(sent);
        }
        let this = self.clone();
        let admitted = runtime::handle().spawn_blocking(move || this.admit(sent));
        admitted.await.unwrap_or_else(|_| Err(Error::internal("the count of the budget ended unexpectedly")))
    }

    fn admit(&self, sent: usize) -> Result<Option<Duration>> {
        let charge = Charge { calls: 1, sent: signed(sent), received: 0 };
        let at = self.now();
        let (mut admission, mut crossed) = (Admission::Go, [None; 2]);
        let mut decide = |record: &mut DayRecord| {
            admission = self.judge(record, at.now, sent as u64);
            if let Admission::Go = admission {
                if record.calls == 0 {
                    record.since = at.now;
                }
                record.add(charge);
                crossed = self.cross(record);
            }
        };
        let outcome = self.book.change(at, &mut decide);
        if outcome.is_err() && self.settings.mode != BudgetMode::HardStop {
            self.book.in_memory(at, &mut decide);
        }
        if let Err(trouble) = outcome {
            if self.settings.mode == BudgetMode::HardStop {
                return Err(uncounted(&trouble));
            }
            if let Admission::Go = admission {
                self.book.owe(charge);
            }
            self.say(&trouble);
        }
        self.warn(crossed);
        match admission {
            Admission::Go => Ok(None),
            Admission::Paused(wait) => Ok(Some(wait)),
            Admission::Spent(what, wait) => Err(self.spent(what, at.now, wait)),
        }
    }

    fn judge(&self, record: &DayRecord, now: u64, sent: u64) -> Admission {
        if record.paused_until > now {
            return Admission::Paused(Duration::from_millis(record.paused_until - now));
        }
        let remaining = Duration::from_millis((record.begins + DAY).saturating_sub(now));
        let BudgetSettings { mode, calls, bytes, counted_bytes, .. } = self.settings;
        let used = record.bytes(counted_bytes);
        let sent = if counted_bytes == CountedBytes::Both { sent } else { 0 };
        match mode.stops() {
            true if record.calls >= calls.into() => Admission::Spent(SpentResource::Calls, remaining),
            true if used.saturating_add(sent) > bytes || used == bytes => {
                Admission::Spent(SpentResource::Bytes, remaining)
            }
            _ => Admission::Go,
        }
    }

    /// A request that was counted was not sent.
    pub fn give_back(&self, sent: usize) {
        self.add(Charge { calls: -1, sent: -signed(sent), received: 0 });
    }

    /// Counts this many bytes of a response.
    pub fn arrived(&self, bytes: u64) {
        if bytes > 0 {
            self.add(Charge { received: bytes.try_into().unwrap_or(i64::MAX), ..Charge::default() });
        }
    }

    fn add(&self, charge: Charge) {
        if !self.counted {
            return;
        }
        if self.book.waits() {
            // The charges are written with the next call.
            self.book.owe(charge);
            return;
        }
        let at = self.now();
        let mut crossed = [None; 2];
        let mut add = |record: &mut DayRecord| {
            record.add(charge);
            crossed = self.cross(record);
        };
        if let Err(trouble) = self.book.change(at, &mut add) {
            self.book.in_memory(at, &mut add);
            self.book.owe(charge);
            self.say(&trouble);
        }
        self.warn(crossed);
    }

    /// The service has asked all calls of the tenant to wait: stores that for other processes.
    pub fn pause(self: &Arc<Self>, wait: Duration) {
        let at = self.now();
        let until = at.now.saturating_add(u64::try_from(wait.as_nanos().div_ceil(1_000_000)).unwrap_or(DAY));
        let mut extend = move |record: &mut DayRecord| record.paused_until = record.paused_until.max(until);
        if !self.counted {
            // For the report: calls that are not counted have no file, but their pause is the same.
            self.book.in_memory(at, &mut extend);
            return;
        }
        let this = self.clone();
        let mut tell = move || {
            let outcome = this.book.change(at, &mut extend);
            // The gate of this process holds its own calls back in any case.
            if let Err(trouble) = outcome {
                this.say(&trouble);
            }
        };
        if self.book.waits() { drop(runtime::handle().spawn_blocking(tell)) } else { tell() }
    }

    /// What is used, and what is left.
    pub fn report(&self) -> BudgetReport {
        let at = self.now();
        let mut day_record = DayRecord::default();
        let mut read = |record: &mut DayRecord| day_record = *record;
        let is_stored = self.counted && self.book.change(at, &mut read).is_ok();
        if !is_stored {
            self.book.in_memory(at, &mut read);
        }
        let BudgetSettings { mode, calls, bytes, counted_bytes, .. } = self.settings;
        let (calls, used) = (u64::from(calls), day_record.bytes(counted_bytes));
        BudgetReport {
            tenant: self.tenant.clone(),
            mode,
            counted: self.counted,
            calls: day_record.calls,
            calls_left: calls.saturating_sub(day_record.calls),
            calls_limit: calls,
            bytes: used,
            bytes_left: bytes.saturating_sub(used),
            bytes_limit: bytes,
            sent: day_record.sent,
            received: day_record.received,
            begins: time(day_record.begins),
            ends: time(day_record.begins + DAY),
            since: (day_record.since > 0).then(|| time(day_record.since)),
            file: self.book.file().filter(|_| self.counted).map(PathBuf::from),
            trouble: self.book.trouble().map(|trouble| trouble.to_string()),
            paused_until: (day_record.paused_until > at.now).then(|| time(day_record.paused_until)),
        }
    }

    fn now(&self) -> Moment {
        let now = (self.clock)().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let now = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        Moment { now, begins: self.settings.day.of(now) }
    }

    /// Marks the due warnings in the record, so that each is logged once a day, by whichever process reaches the
    /// threshold first.
    fn cross(&self, record: &mut DayRecord) -> [Option<Crossed>; 2] {
        let BudgetSettings { calls, bytes, counted_bytes, .. } = self.settings;
        let of_calls = (SpentResource::Calls, record.calls, u64::from(calls), 0);
        let of_bytes = (SpentResource::Bytes, record.bytes(counted_bytes), bytes, 2);
        [of_calls, of_bytes].map(|(what, used, limit, shift)| {
            let (percent, bits) = match used {
                _ if used >= limit => (100, 0b11),
                _ if used.saturating_mul(5) >= limit.saturating_mul(4) => (80, 0b01),
                _ => return None,
            };
            let due = bits << shift & !record.warned;
            record.warned |= due;
            (due != 0).then_some(Crossed { percent, what, used, limit })
        })
    }

    fn warn(&self, crossed: [Option<Crossed>; 2]) {
        for Crossed { percent, what, used, limit } in crossed.into_iter().flatten() {
            let (tenant, begins) = (&self.tenant, self.now().begins);
            let (ends, what) = (time(begins + DAY), what.name());
            let next = match (percent, self.settings.mode.stops()) {
                (100, true) => "nothing more is sent until then",
                (100, false) => "calls go on",
                _ => "a warning follows at 100 %",
            };
            log::warn!(
                "{percent} % of the {what} of the day are used by {tenant}: {used} of {limit}. The day ends at {ends}; {next}."
            );
        }
    }

    fn say(&self, trouble: &Text) {
        if self.book.is_news() {
            log::warn!("{trouble}; until it can be used, this process counts its calls in memory");
        }
    }

    /// An error if a job takes more calls than are left, and calls beyond the limit are not sent.
    pub fn ensure_left(&self, calls: u64) -> Result<()> {
        let BudgetReport { counted, mode, calls_left, calls_limit, .. } = self.report();
        if !counted || !mode.stops() || calls_left >= calls {
            return Ok(());
        }
        let Moment { now, begins } = self.now();
        let what = text!(
            "not begun, because it takes {calls} calls, and {calls_left} of the {calls_limit} calls of the day are left"
        );
        Err(spent(what, "budget_calls", now, Duration::from_millis((begins + DAY).saturating_sub(now))))
    }

    fn spent(&self, what: SpentResource, now: u64, left: Duration) -> Error {
        let (limit, setting) = match what {
            SpentResource::Calls => (u64::from(self.settings.calls), "budget_calls"),
            SpentResource::Bytes => (self.settings.bytes, "budget_bytes"),
        };
        let what = Text::from(what.name());
        spent(text!("not sent, because the {limit} {what} of the day are used up"), setting, now, left)
    }
}

/// The error about a budget that does not suffice. `left`: until the day ends.
fn spent(what: Text, setting: &'static str, now: u64, left: Duration) -> Error {
    let ends = time(now.saturating_add(u64::try_from(left.as_millis()).unwrap_or(DAY)));
    Error::budget_spent(what)
        .with_hint(text!(
            "The day ends at {ends}: call again then. If your contract allows more, raise `{}`.",
            Text::from(setting)
        ))
        .with_delivery(Delivery::No)
        .with_retry_after(left)
        .with_safe_to_retry(true)
}

impl SpentResource {
    fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Bytes => "bytes",
        }
    }
}

/// With `hard_stop`, a call that cannot be counted is not sent.
fn uncounted(trouble: &Text) -> Error {
    Error::configuration(text!("not sent, because its calls cannot be counted: {trouble}"))
        .with_hint("Correct that, or set `budget` to `stop`: the count then continues in memory.")
        .with_safe_to_retry(true)
}

/// Identifies the count of a tenant at a service, in a form that is valid as a file name.
pub(crate) fn account(base: &Url, tenant: &str) -> String {
    let host = base.host_str().unwrap_or_default();
    let port = base.port().map(|port| format!("_{port}")).unwrap_or_default();
    format!("{tenant}@{}{port}", host.replace(['[', ']', ':'], "_"))
}

fn signed(bytes: usize) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}

/// A time in the range that every language supports.
fn time(millis: u64) -> Timestamp {
    let time = i64::try_from(millis).ok().and_then(DateTime::from_timestamp_millis);
    time.and_then(Timestamp::of).unwrap_or(Timestamp(DateTime::UNIX_EPOCH))
}
