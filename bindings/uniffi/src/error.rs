//! Errors, as exceptions of Kotlin and errors of Swift.

use crate::convert::IntoFfi as _;
use crate::methods::Delivery;
use crate::provider::Thrown;
use sondage::error::Wording;
use std::{error::Error as _, fmt, time::Duration};

/// The data of an error.
#[derive(Clone, Debug, uniffi::Record)]
pub struct ErrorDetails {
    /// What happened, whether anything was changed, and what to do next, in sentences for people.
    pub message: String,
    /// What to do next.
    pub hint: String,
    /// The API's name of the operation.
    #[uniffi(default = None)]
    pub operation: Option<String>,
    /// The number of attempts. 0 if the request was never sent.
    pub attempts: i32,
    /// The HTTP status of the last response.
    #[uniffi(default = None)]
    pub status: Option<i32>,
    /// The service's error code.
    #[uniffi(default = None)]
    pub error_code: Option<String>,
    /// The service's error message.
    #[uniffi(default = None)]
    pub error_message: Option<String>,
    /// The request id, by which the service may find the request in its logs.
    #[uniffi(default = None)]
    pub request_id: Option<String>,
    /// Whether the request reached the service.
    pub delivery: Delivery,
    /// Whether it is safe to make the same call again, without a second effect.
    pub safe_to_retry: bool,
    /// Whether a time limit ended the call or its last attempt: the deadline, or a timeout of the settings.
    #[uniffi(default = false)]
    pub timed_out: bool,
    /// How long the service asked to wait.
    #[uniffi(default = None)]
    pub retry_after: Option<Duration>,
    /// For an unknown outcome: how to find out what happened.
    #[uniffi(default = None)]
    pub reconcile: Option<String>,
    /// For an unknown outcome of an operation that is never retried: the id by which `reconcile` of a client finds the write,
    /// in this process.
    #[uniffi(default = None)]
    pub write_id: Option<String>,
    /// The number of the exception of a token provider, by which its language finds it.
    #[uniffi(default = None)]
    pub thrown: Option<i64>,
}

macro_rules! define {
    ($($(#[doc = $doc:literal])* $Kind:ident $method:ident;)*) => {
        /// The kinds of error, one for each thing that a caller can do next.
        #[derive(Clone, Debug, uniffi::Error)]
        pub enum SondageError { $($(#[doc = $doc])* $Kind(ErrorDetails),)* }

        impl From<sondage::Error> for SondageError {
            fn from(error: sondage::Error) -> Self {
                match error.kind() {
                    $(sondage::ErrorKind::$Kind => Self::$Kind(ErrorDetails::of(&error)),)*
                    // All kinds are listed above: they come from the list that defines them.
                    _ => Self::Internal(ErrorDetails::of(&error)),
                }
            }
        }

        impl SondageError {
            /// The data of the error.
            pub fn details(&self) -> &ErrorDetails {
                match self { $(Self::$Kind(details) => details,)* }
            }
        }
    };
}
sondage::error_kinds!(define);

/// Names as Kotlin and Swift spell them. Tests are joined by a word in Kotlin and by an operator in Swift.
const WORDING: Wording = Wording {
    camel: true,
    idioms: &[("|", "or` or `||"), ("condition::question", "question"), ("condition::column", "column")],
    explains: false,
};

impl ErrorDetails {
    fn of(error: &sondage::Error) -> Self {
        let text = |text: Option<&str>| text.map(str::to_owned);
        let texts = error.told(&WORDING);
        Self {
            message: texts.message,
            hint: texts.hint,
            operation: text(error.operation()),
            attempts: i32::try_from(error.attempts()).unwrap_or(i32::MAX),
            status: error.status().map(i32::from),
            error_code: text(error.error_code()),
            error_message: text(error.error_message()),
            request_id: text(error.request_id()),
            delivery: error.delivery().into_ffi(),
            safe_to_retry: error.safe_to_retry(),
            timed_out: error.timed_out(),
            retry_after: error.retry_after(),
            reconcile: texts.reconcile,
            write_id: text(error.write_id()),
            thrown: error.source().and_then(|source| source.downcast_ref::<Thrown>()).map(|thrown| thrown.0),
        }
    }
}

impl fmt::Display for SondageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.details().message)
    }
}

impl std::error::Error for SondageError {}
