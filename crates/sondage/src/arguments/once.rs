//! Options for a write that is remembered under a key.

use super::FilePath;
use sondage_macros::options;

/// Options for writes that are sent once under a key, in every process.
#[options]
pub struct SendOnceOptions {
    /// The name of what is sent, chosen by the caller: for example `wave-3`, or an order number. Each key stands for one call.
    pub key: String,
    /// The folder in which a file for each key remembers what was sent. It is created if it does not exist, and all processes that
    /// share keys must share it. Default: `sondage/journals` in the user's state folder.
    pub folder: Option<FilePath>,
    /// How long after the last that was heard of an earlier call the service may still be at work. Default: three minutes. With
    /// less, a write that is still under way there may be sent a second time.
    pub quiet: Option<f64>,
    /// The maximum time to wait until it is certain that an earlier call did not happen. Default: as long as it takes. With 0, a
    /// call whose predecessor cannot be decided yet fails at once.
    pub wait: Option<f64>,
    /// The name under which the service keeps what this login makes, as its `createdBy` shows it. Default: the user name of a
    /// password, or the client id (assumed).
    pub created_by: Option<String>,
}
