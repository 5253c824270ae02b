//! What is counted, and what happens at the limit.

use super::{DayRecord, DayStart};
use crate::error::Result;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// What happens when the calls or bytes of a day are used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BudgetMode {
    /// Nothing is counted.
    Off,
    /// A warning in the log at 80 % and at 100 %; calls go on.
    #[default]
    Warn,
    /// The same warnings, and beyond the limit nothing is sent. Where the count cannot be kept in its place, it goes on in memory.
    Stop,
    /// The same, and where the count cannot be kept in its place, nothing is sent either.
    HardStop,
}

impl BudgetMode {
    /// Every mode.
    pub const ALL: [Self; 4] = [Self::Off, Self::Warn, Self::Stop, Self::HardStop];

    /// `off`, `warn`, `stop` or `hard_stop`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Warn => "warn",
            Self::Stop => "stop",
            Self::HardStop => "hard_stop",
        }
    }

    /// Whether calls beyond the limit are not sent.
    pub fn stops(self) -> bool {
        matches!(self, Self::Stop | Self::HardStop)
    }
}

impl fmt::Display for BudgetMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The settings of the budget.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BudgetSettings {
    /// What happens at the limit. Default: a warning.
    pub mode: BudgetMode,
    /// Calls of a day. Default: 500.
    pub calls: u32,
    /// Bytes of a day, of requests and answers, before compression. Default: 500,000,000.
    pub bytes: u64,
    /// When the day begins. Default: at midnight in UTC (assumed).
    pub day: DayStart,
    /// The folder that keeps the count. Default: memory, for this process alone.
    pub folder: Option<PathBuf>,
    /// Whether calls to this machine are counted. Default: not.
    pub loopback: bool,
    /// Another place for the count.
    pub store: Option<Arc<dyn BudgetStore>>,
}

/// Keeps the day's count somewhere else than in a file, such as in a database that several machines share.
///
/// It is asked before each call, on a thread that may wait; the time that it takes is added to the call's.
pub trait BudgetStore: Send + Sync + fmt::Debug {
    /// Changes the record under this key, in one transaction: `change` gets what is kept, a default record at first, and what
    /// it leaves is kept. Nobody else may change the record in between. `change` may be called again when a transaction fails; what
    /// the last call leaves counts.
    fn update(&self, key: &str, change: &mut dyn FnMut(&mut DayRecord)) -> Result<()>;
}
