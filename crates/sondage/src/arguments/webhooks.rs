//! Options of subscriptions.

use super::FilePath;
use sondage_macros::options;

/// Options of a subscription that is made once.
#[options]
pub struct EnsureWebHookOptions {
    /// The address at which the receiver is reached: https, or http on this machine for trying things out. What is secret of
    /// the webhook is added to it.
    pub address: String,
    /// The event to subscribe to.
    pub event_type: String,
    /// The survey to watch, by its number, or `*` for all. Left out: all.
    pub entity_identifier: Option<String>,
    /// GUID of the registration, where the caller keeps it.
    pub web_hook_id: Option<String>,
    /// The file in which the id is kept, with a digest of the address and the secret. It is made when it is not there, belongs
    /// to one event and entity, and is used by one run at a time.
    pub state: Option<FilePath>,
    /// Days before the end of a token or a signed address in which it is made anew; at most half of the days for which it is good.
    #[wire(default = 30)]
    pub renew_days: usize,
}
