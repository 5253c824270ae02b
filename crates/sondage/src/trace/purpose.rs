//! What a call is for.

use std::future::Future;

/// The end of the id of a call that checks the end of a list.
pub const CHECK_SUFFIX: &str = "-check";

/// The purpose of such a call.
pub const CHECK_OF_END: &str = "check of the end";

/// What a call is for: most are for their result, some show only that a list is whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallPurpose {
    /// Its own result.
    #[default]
    Result,
    /// To show that nothing follows or precedes the rows of a list. A refusal is an answer, too.
    CheckOfEnd,
}

tokio::task_local! {
    /// The purpose of the calls that a task makes.
    static CURRENT: CallPurpose;
}

impl CallPurpose {
    /// That of the calls which the current task makes.
    pub fn current() -> Self {
        CURRENT.try_with(|purpose| *purpose).unwrap_or_default()
    }

    /// Makes the calls of `work` with this purpose.
    pub async fn scope<T>(self, work: impl Future<Output = T>) -> T {
        CURRENT.scope(self, work).await
    }

    /// In a trace. `None`: its own result.
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Result => None,
            Self::CheckOfEnd => Some(CHECK_OF_END),
        }
    }

    /// The end of the call's id, by which the service's log shows the purpose.
    pub fn suffix(self) -> &'static str {
        match self {
            Self::Result => "",
            Self::CheckOfEnd => CHECK_SUFFIX,
        }
    }
}
