//! Options of an examination.

use super::FilePath;
use sondage_macros::options;

/// What an examination looks at in addition.
#[options]
pub struct DoctorOptions {
    /// The state file of a webhook that `ensure_web_hook` registered: whether the service still has the registration, and when
    /// it expires.
    pub state: Option<FilePath>,
}
