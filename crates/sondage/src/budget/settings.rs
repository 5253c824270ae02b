//! What is counted, and what happens at the limit.

use super::{DayRecord, DayStart};
use crate::error::Result;
use sondage_macros::words;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// What happens when the calls or bytes of a day are used up.
#[words]
#[derive(Default)]
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
    /// Whether calls beyond the limit are not sent.
    pub fn stops(self) -> bool {
        matches!(self, Self::Stop | Self::HardStop)
    }
}

/// Which bytes of a call count towards the bytes of a day.
#[words]
#[derive(Default)]
#[non_exhaustive]
pub enum CountedBytes {
    /// Those of responses.
    // API 15.1, published
    #[default]
    Received,
    /// Those of requests and responses.
    Both,
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
