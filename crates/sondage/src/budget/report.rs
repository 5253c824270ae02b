//! A report of the daily budget.

use super::BudgetMode;
use super::cost::Size;
use crate::model::Timestamp;
use sondage_macros::report;
use std::fmt;
use std::path::PathBuf;

/// The day's calls and bytes, used and left.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BudgetReport {
    /// The tenant.
    pub tenant: String,
    /// What happens at the limit: the setting `budget`.
    pub mode: BudgetMode,
    /// Whether calls of this client are counted: not if the setting is `"off"`, nor on this machine's own addresses without the
    /// setting `budget_loopback`.
    pub counted: bool,
    /// Calls that were sent.
    pub calls: u64,
    /// Calls that are left.
    pub calls_left: u64,
    /// The limit of calls per day: the setting `budget_calls`.
    pub calls_limit: u64,
    /// Bytes of requests and responses, before compression.
    pub bytes: u64,
    /// Bytes that are left.
    pub bytes_left: u64,
    /// The limit of bytes per day: the setting `budget_bytes`.
    pub bytes_limit: u64,
    /// Bytes of the bodies of requests.
    pub sent: u64,
    /// Bytes of responses, before compression.
    pub received: u64,
    /// When the day began.
    pub begins: Timestamp,
    /// When the day ends.
    pub ends: Timestamp,
    /// When the first counted call was sent. `None`: there was none.
    pub since: Option<Timestamp>,
    /// The file in which all processes count. `None`: the count is kept in memory, for this process alone, or in the
    /// application's store.
    pub file: Option<PathBuf>,
    /// Why the file or store cannot be used. Until it can, this process counts in memory.
    pub trouble: Option<String>,
    /// When the pause ends that the service has requested for all calls of the tenant.
    pub paused_until: Option<Timestamp>,
}

impl fmt::Display for BudgetReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tenant, calls, calls_left, calls_limit, bytes, bytes_limit, ends, .. } = self;
        writeln!(f, "{tenant}: {calls} of {calls_limit} calls are used, {calls_left} are left until {ends}")?;
        write!(f, "  {} of {} are used", Size(*bytes), Size(*bytes_limit))?;
        write!(f, "\n  at the limit: {}", self.mode)?;
        match (&self.since, &self.file) {
            _ if !self.counted => f.write_str("\n  calls of this client are not counted")?,
            (Some(since), Some(file)) => write!(f, "\n  counted since {since} in {}", file.display())?,
            (Some(since), None) => write!(f, "\n  counted since {since}")?,
            (None, Some(file)) => write!(f, "\n  counted in {}", file.display())?,
            (None, None) => {}
        }
        if let Some(until) = &self.paused_until {
            write!(f, "\n  the service has asked all calls to wait until {until}")?;
        }
        self.trouble.as_ref().map_or(Ok(()), |trouble| write!(f, "\n  {trouble}"))
    }
}
