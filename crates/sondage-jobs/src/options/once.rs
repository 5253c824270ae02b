//! Options for a write that is remembered under a key.

use super::JournalPlace;
use sondage::arguments::FilePath;
use sondage_macros::options;
use std::time::Duration;

/// Options for writes that are sent once under a key, in every process.
#[options]
pub struct SendOnceOptions {
    /// The name of what is sent, chosen by the caller: for example `wave-3`, or an order number. Each key stands for one call.
    pub key: String,
    /// The folder in which a file for each key remembers what was sent. It is created if it does not exist, and all processes that
    /// share keys must share it. Default: `sondage/journals` in the user's state folder.
    pub folder: Option<FilePath>,
    /// Where the journal of this key is instead of a file in `folder`: the path of a file, or a store of the caller's, for example rows of
    /// a database. All processes that use the key must name the same.
    pub journal: Option<JournalPlace>,
    /// How long the service may still be processing an earlier call after the last sign of it. Default: three minutes. With a
    /// shorter time, a write that is still being processed may be sent a second time.
    pub quiet: Option<Duration>,
    /// The maximum time to wait while it is uncertain whether an earlier call took effect. Default: until it is certain. With 0,
    /// such a call fails immediately.
    pub wait: Option<Duration>,
    /// The name that the service records for objects created with this login, as in `created_by`. Default: the user name of a
    /// password, or the client id (assumed).
    pub created_by: Option<String>,
}
