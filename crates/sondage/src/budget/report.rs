//! What is used of a day.

use super::BudgetMode;
use super::cost::Size;
use crate::model::Timestamp;
use sondage_macros::report;
use std::fmt;
use std::path::PathBuf;

/// What is used of the day's calls and bytes, and what is left.
#[report]
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BudgetReport {
    /// The tenant.
    pub tenant: String,
    /// What happens at the limit: the setting `budget`.
    pub mode: BudgetMode,
    /// Whether calls of this client are counted. They are not where the setting is `off`, nor on this machine's own addresses
    /// without the setting `budget_loopback`.
    pub counted: bool,
    /// Calls that have left.
    pub calls: u64,
    /// Calls that are left.
    pub calls_left: u64,
    /// Calls that a day has: the setting `budget_calls`.
    pub calls_limit: u64,
    /// Bytes of what was sent and received, before compression.
    pub bytes: u64,
    /// Bytes that are left.
    pub bytes_left: u64,
    /// Bytes that a day has: the setting `budget_bytes`.
    pub bytes_limit: u64,
    /// Bytes of the bodies that were sent.
    pub sent: u64,
    /// Bytes of the answers, before compression.
    pub received: u64,
    /// When the day began.
    pub begins: Timestamp,
    /// When the day ends.
    pub ends: Timestamp,
    /// From when it is counted: when the first call left. `None`: none has.
    pub since: Option<Timestamp>,
    /// The file that all processes count in. `None`: the count is kept in memory, for this process alone, or in a store of yours.
    pub file: Option<PathBuf>,
    /// Why that place cannot be used. Until it can, this process counts in memory.
    pub trouble: Option<String>,
    /// Until when the service has asked all calls of the tenant to wait.
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
