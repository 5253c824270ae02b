//! Errors: what went wrong, what it changed, and what to do next.

mod facts;
mod foreign;
mod kind;
mod parts;
mod readings;
mod redact;
mod text;
mod wording;

#[doc(hidden)]
pub use facts::ErrorFacts;
pub use foreign::{Redacted, Untrusted};
pub use kind::ErrorKind;
pub use parts::Text;
#[doc(hidden)]
pub use parts::{Put, TextArgument};
pub use redact::Redactor;
#[doc(hidden)]
pub use sondage_macros::{parts_of, words};
pub use wording::{Wording, camel};

use std::sync::Arc;
use std::{fmt, io, time::Duration};

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// The underlying error of the operating system or of TLS, behind an [`Error`].
pub type ErrorSource = Arc<dyn std::error::Error + Send + Sync>;

/// A copy of an operating system error without text that others may have put into it.
pub(crate) fn io_source(error: &io::Error) -> ErrorSource {
    if let Some(callers) = error.get_ref().and_then(|inner| inner.downcast_ref::<CallersError>()) {
        return callers.0.clone();
    }
    Arc::new(error.raw_os_error().map_or_else(|| error.kind().into(), io::Error::from_raw_os_error))
}

/// An error from code that the caller gave to the library, for example a journal in a database. Inside an [`io::Error`] it
/// becomes the source of the library's error.
#[derive(Clone, Debug)]
pub struct CallersError(ErrorSource);

impl CallersError {
    /// The source of an error.
    pub fn of(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self(Arc::new(error))
    }
}

impl fmt::Display for CallersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for CallersError {}

/// Whether the service received a request.
#[words]
pub enum Delivery {
    /// Proven: the service never received the whole request, so nothing was changed.
    No,
    /// The service responded.
    Answered,
    /// The request may have arrived; no readable response came back.
    Unknown,
}

impl Delivery {
    /// The stronger evidence of two attempts: a response is stronger than a request that may have arrived.
    #[must_use]
    pub(crate) fn or_more(self, other: Self) -> Self {
        match (self, other) {
            (Self::Answered, _) | (_, Self::Answered) => Self::Answered,
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::No, Self::No) => Self::No,
        }
    }
}

/// The only error type of the library. [`Error::kind`] says what to do about it; its text says what happened, whether
/// anything was changed, and what to do next.
#[derive(Clone)]
pub struct Error(Box<ErrorParts>);

#[derive(Clone)]
struct ErrorParts {
    kind: ErrorKind,
    /// What happened, as the beginning of a sentence without a full stop.
    what: Text,
    /// What to do next, as a sentence.
    hint: Option<Text>,
    context: ErrorContext,
    operation: Option<String>,
    attempts: u32,
    status: Option<u16>,
    error_code: Option<Redacted>,
    error_message: Option<Redacted>,
    request_id: Option<Redacted>,
    delivery: Delivery,
    safe_to_retry: bool,
    retry_after: Option<Duration>,
    reconcile: Option<Text>,
    write_id: Option<String>,
    too_large: bool,
    timed_out: bool,
    audience: Option<usize>,
    source: Option<ErrorSource>,
}

/// Where an error is read.
#[derive(Clone, Copy, PartialEq)]
enum ErrorContext {
    /// After a call, which it explains alone.
    Call,
    /// In the report of the job that it stopped, which says what was changed.
    Report,
}

/// The sentences of an error, with names spelled as in the caller's language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorTexts {
    /// What happened, whether anything was changed, what to do next.
    pub message: String,
    /// What to do next.
    pub hint: String,
    /// For an unknown outcome: how to find out what happened.
    pub reconcile: Option<String>,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $Kind:ident $method:ident;)*) => {
        impl Error {
            $($(#[$doc])*
            pub fn $method(what: impl Into<Text>) -> Self {
                Self::new(ErrorKind::$Kind, what)
            })*
        }
    };
}
crate::error_kinds!(kinds);

impl Error {
    /// An error of the given kind. `what` is the beginning of a sentence: "the panel 5 does not exist".
    pub fn new(kind: ErrorKind, what: impl Into<Text>) -> Self {
        let delivery = match kind {
            ErrorKind::Api | ErrorKind::PermissionDenied | ErrorKind::RateLimited => Delivery::Answered,
            ErrorKind::OutcomeUnknown => Delivery::Unknown,
            _ => Delivery::No,
        };
        Self(Box::new(ErrorParts {
            kind,
            what: what.into(),
            hint: None,
            context: ErrorContext::Call,
            operation: None,
            attempts: 0,
            status: None,
            error_code: None,
            error_message: None,
            request_id: None,
            delivery,
            safe_to_retry: false,
            retry_after: None,
            reconcile: None,
            write_id: None,
            too_large: false,
            timed_out: false,
            audience: None,
            source: None,
        }))
    }

    /// The kind, which says what to do next.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What happened, without the advice.
    pub fn what(&self) -> &str {
        self.0.what.as_str()
    }

    /// What to do next.
    pub fn hint(&self) -> &str {
        self.0.hint.as_ref().map_or_else(|| self.unasked(&Wording::RUST), Text::as_str)
    }

    /// The advice when none was set.
    fn unasked(&self, wording: &Wording) -> &'static str {
        if self.0.kind == ErrorKind::OutcomeUnknown && self.0.safe_to_retry {
            "Call again: however often this operation happens, its effect is the same."
        } else {
            self.0.kind.advice(wording.explains)
        }
    }

    /// If the error tells what is known about the people who would get a message: how many of them match.
    #[doc(hidden)] // for sondage-mcp
    pub fn audience(&self) -> Option<usize> {
        self.0.audience
    }

    /// Marks an error that tells what is known about this many people.
    #[doc(hidden)] // for sondage-jobs
    #[must_use]
    pub fn about_people(mut self, people: usize) -> Self {
        self.0.audience = Some(people);
        self
    }

    /// What happened, with its parts.
    pub(crate) fn happened(&self) -> &Text {
        &self.0.what
    }

    /// The advice, with its parts.
    pub(crate) fn advice(&self, wording: &Wording) -> Text {
        self.0.hint.clone().unwrap_or_else(|| self.unasked(wording).into())
    }

    /// What happened and what to do next, with names spelled as in the given language.
    pub fn told(&self, wording: &Wording) -> ErrorTexts {
        let hint = self.advice(wording);
        ErrorTexts {
            message: text::of(self, wording),
            hint: hint.worded(wording).into_owned(),
            reconcile: self.0.reconcile.as_ref().map(|text| text.worded(wording).into_owned()),
        }
    }

    /// The API's name of the operation, for example `CreateMembers`.
    pub fn operation(&self) -> Option<&str> {
        self.0.operation.as_deref()
    }

    /// The number of attempts. 0 if the request was never sent.
    pub fn attempts(&self) -> u32 {
        self.0.attempts
    }

    /// The HTTP status of the last response.
    pub fn status(&self) -> Option<u16> {
        self.0.status
    }

    /// The service's `errorCode`.
    pub fn error_code(&self) -> Option<&str> {
        self.0.error_code.as_ref().map(Redacted::as_str)
    }

    /// The service's `errorMessage`.
    pub fn error_message(&self) -> Option<&str> {
        self.0.error_message.as_ref().map(Redacted::as_str)
    }

    /// The request id, by which the service may find the request in its logs.
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_ref().map(Redacted::as_str)
    }

    /// Whether the request reached the service.
    pub fn delivery(&self) -> Delivery {
        self.0.delivery
    }

    /// Whether it is safe to make the same call again, without a second effect.
    pub fn safe_to_retry(&self) -> bool {
        self.0.safe_to_retry
    }

    /// Whether it is certain that the call changed nothing. If it is not, the call may have taken effect, in whole or in
    /// part.
    pub fn changed_nothing(&self) -> bool {
        use ErrorKind::{Incomplete, Internal, OutcomeUnknown, UnexpectedResponse};
        self.0.delivery == Delivery::No
            || !matches!(self.0.kind, OutcomeUnknown | UnexpectedResponse | Incomplete | Internal)
    }

    /// How long the service asked to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Whether a time limit ended the call or its last attempt: the deadline, or a timeout of the settings.
    pub fn timed_out(&self) -> bool {
        self.0.timed_out
    }

    /// Whether the response exceeded a size limit: a smaller page may not.
    pub(crate) fn is_too_large(&self) -> bool {
        self.0.too_large
    }

    /// For an unknown outcome: how to find out what happened.
    pub fn reconcile(&self) -> Option<&str> {
        self.0.reconcile.as_ref().map(Text::as_str)
    }

    /// For an unknown outcome of an operation that is never retried: the id by which `reconcile` of a client finds the write.
    /// It reveals nothing of the request, and is valid in this process only.
    pub fn write_id(&self) -> Option<&str> {
        self.0.write_id.as_deref()
    }
}

impl Error {
    /// Changes the error to say that the call may have taken effect nevertheless. `earlier`: in an attempt before the
    /// last one.
    #[must_use]
    pub(crate) fn in_doubt(mut self, earlier: bool) -> Self {
        if earlier && self.0.kind != ErrorKind::OutcomeUnknown {
            let what = std::mem::take(&mut self.0.what);
            self.0.what =
                crate::text!("an earlier attempt may have had its effect, and the last one failed: {what}");
        }
        self.0.kind = ErrorKind::OutcomeUnknown;
        self
    }

    /// Attaches the underlying operating system error.
    #[must_use]
    pub fn caused_by(self, error: &io::Error) -> Self {
        self.with_source(io_source(error))
    }

    /// The underlying error, to pass on.
    pub(crate) fn shared_source(&self) -> Option<ErrorSource> {
        self.0.source.clone()
    }

    /// Sets the name of the operation.
    #[must_use]
    pub fn in_operation(mut self, name: impl Into<String>) -> Self {
        self.0.operation = Some(name.into());
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Text>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The error that stopped a job, for its report: it does not claim that nothing was changed, because earlier calls of the job
    /// may have changed something.
    #[must_use]
    #[doc(hidden)] // for sondage-jobs
    pub fn in_report(mut self) -> Self {
        self.0.context = ErrorContext::Report;
        self
    }

    /// The same error with a redactor's secrets removed everywhere. Every error of a call passes through here, so that a code
    /// path that forgot to redact the server's text does not leak it.
    #[must_use]
    pub(crate) fn without(mut self, redactor: &Redactor) -> Self {
        let inner = &mut self.0;
        inner.what = inner.what.without(redactor);
        for text in [&mut inner.hint, &mut inner.reconcile].into_iter().flatten() {
            *text = text.without(redactor);
        }
        let texts = [&mut inner.error_code, &mut inner.error_message, &mut inner.request_id];
        for word in texts.into_iter().flatten() {
            *word = word.without(redactor);
        }
        self
    }
}

macro_rules! with {
    ($($(#[$doc:meta])* $name:ident: $field:ident = $type:ty;)*) => {
        impl Error {
            $($(#[$doc])*
            #[must_use]
            pub fn $name(mut self, value: impl Into<$type>) -> Self {
                self.0.$field = value.into();
                self
            })*
        }
    };
}
with! {
    /// Sets the number of attempts.
    with_attempts: attempts = u32;
    /// Sets the HTTP status.
    with_status: status = Option<u16>;
    /// Sets the service's `errorCode`.
    with_error_code: error_code = Option<Redacted>;
    /// Sets the service's `errorMessage`.
    with_error_message: error_message = Option<Redacted>;
    /// Sets the request id.
    with_request_id: request_id = Option<Redacted>;
    /// Sets whether the service received the request.
    with_delivery: delivery = Delivery;
    /// Sets whether a retry is safe.
    with_safe_to_retry: safe_to_retry = bool;
    /// Sets how long the service asked to wait.
    with_retry_after: retry_after = Option<Duration>;
    /// Sets whether the response exceeded a size limit.
    with_too_large: too_large = bool;
    /// Sets whether a time limit ended the call.
    with_timed_out: timed_out = bool;
    /// Attaches the underlying error. Its text is displayed, so it must not contain text from a server.
    with_source: source = Option<ErrorSource>;
    /// Sets how to find out what happened.
    with_reconcile: reconcile = Option<Text>;
    /// Sets the id by which the write can be reconciled.
    with_write_id: write_id = Option<String>;
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::of(self, &Wording::RUST))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {self}", self.0.kind)
    }
}

/// The source is an [`io::Error`], an error of `rustls` or the source of a token provider's error, if there is one. It contains
/// no address and no secret, unless the provider's does.
impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
