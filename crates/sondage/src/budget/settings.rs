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
    /// A warning is logged at 80 % and at 100 %; calls continue.
    #[default]
    Warn,
    /// The same warnings, and nothing is sent beyond the limit. If the count cannot be stored, it continues in memory.
    Stop,
    /// The same, and if the count cannot be stored, nothing is sent either.
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

/// Which bytes of a call count towards the bytes of a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CountedBytes {
    /// Those of responses.
    // API 15.1, published
    #[default]
    Received,
    /// Those of requests and responses.
    Both,
}

impl CountedBytes {
    /// Every value.
    pub const ALL: [Self; 2] = [Self::Received, Self::Both];

    /// `received` or `both`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Both => "both",
        }
    }
}

/// The settings of the budget.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BudgetSettings {
    /// What happens at the limit. Default: a warning.
    pub mode: BudgetMode,
    /// Calls per day. Default: 500.
    pub calls: u32,
    /// Bytes per day, before compression. Default: 500,000,000.
    pub bytes: u64,
    /// Which bytes count. Default: those of responses.
    pub counted_bytes: CountedBytes,
    /// When the day begins. Default: at midnight in UTC (assumed).
    pub day: DayStart,
    /// The folder in which the count is stored. Default: in memory, for this process alone.
    pub folder: Option<PathBuf>,
    /// Whether calls to this machine are counted. Default: no.
    pub loopback: bool,
    /// A store for the count, instead of a file.
    pub store: Option<Arc<dyn BudgetStore>>,
}

/// Stores the daily count in another place than a file, for example in a database that several machines share.
///
/// It is called before each call to the service, on a thread that may block; its duration adds to that of the call.
pub trait BudgetStore: Send + Sync + fmt::Debug {
    /// Changes the record of this key in one transaction. `change` gets the stored record, or a default record if there is none;
    /// its result is stored. Nobody else may change the record in between. If a transaction fails, `change` may be called again;
    /// only the last call counts.
    fn update(&self, key: &str, change: &mut dyn FnMut(&mut DayRecord)) -> Result<()>;
}
