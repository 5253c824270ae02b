//! Options of webhook registrations.

use super::FilePath;
use crate::model::{EventType, Timestamp};
use sondage_macros::options;

/// Options for ensuring a webhook registration.
#[options]
pub struct EnsureWebHookOptions {
    /// The address of the receiver: https, or http on this machine for testing. The webhook's secret part is added to it.
    pub address: String,
    /// The event to subscribe to.
    pub event_type: EventType,
    /// The survey to watch, by its id, or `*` for all. Default: all surveys.
    #[wire(selects)]
    pub entity_identifier: Option<String>,
    /// GUID of the registration, if the caller stores it.
    pub web_hook_id: Option<String>,
    /// The state file, which stores the id and a digest of the address and the secret. It is created if it does not exist,
    /// belongs to one event and entity, and is used by one run at a time.
    pub state: Option<FilePath>,
    /// Renews a token or a signed address when it expires within this many days; at most half of its validity.
    #[wire(default = 30)]
    pub renew_days: usize,
}

/// Options for finding missed events.
#[options]
pub struct MissedOptions {
    /// The survey.
    pub survey_id: i64,
    /// Interviews that changed at or after this time.
    pub since: Timestamp,
    /// Questions and columns to read in addition to `Id`, `State` and `UpdatedAt`.
    pub columns: Option<Vec<String>>,
}
