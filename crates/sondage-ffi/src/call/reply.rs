//! The reply of a method.

use crate::handle::Handle;
use crate::language::{ArgResult, Language};
use crate::methods::kinds;
use serde::{Serialize, Serializer};
use sondage::Result;
use sondage::reports::{ReportStyle, ReportValue};
use std::marker::PhantomData;

/// A value or a handle for the caller.
pub enum Output<L: Language> {
    /// A value.
    Value(L::HostValue),
    /// An object with methods of its own.
    Handle(Box<Handle<L>>),
}

/// A pending result. Dropping it cancels the work. (A write that was sent continues: the core sees to that.)
pub type Work<L> = kinds::Call<Output<L>>;

/// The reply of a method.
pub enum Reply<L: Language> {
    /// The result is available already.
    Ready(Output<L>),
    /// Work for the current thread, which may release the interpreter lock meanwhile.
    Blocking(kinds::Blocking<Output<L>>),
    /// Work that makes calls to the service.
    Async(Work<L>),
}

/// The reply of a method, or why its argument was not accepted.
pub type CallResult<L> = ArgResult<Reply<L>, L>;

/// The result classes that a row can name.
impl<L: Language> Output<L> {
    /// A value.
    pub(crate) fn value<T: Serialize + Send + 'static>(value: T) -> Self {
        Self::Value(L::host_value(value))
    }

    /// A value that some languages read as JSON.
    pub(crate) fn json<T: Serialize + Send + 'static>(value: T) -> Self {
        Self::Value(L::json(value))
    }

    /// A result of the core, in the style of the language.
    pub(crate) fn report<T: ReportValue + Send + 'static>(report: T) -> Self {
        Self::Value(L::host_value(LanguageReport::<L, T>(report, PhantomData)))
    }

    /// A handle.
    pub(crate) fn handle(handle: impl Into<Handle<L>>) -> Self {
        Self::Handle(Box::new(handle.into()))
    }

    /// A result that only exists at run time: a value or a handle.
    #[allow(clippy::self_named_constructors)] // named after the word of the table
    pub(crate) fn output(output: Self) -> Self {
        output
    }
}

/// Work that ends in a value.
pub(crate) fn valued<L: Language, T: Serialize + Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Work<L> {
    Box::pin(async move { Ok(Output::value(work.await?)) })
}

/// A result that is written in the words and units of a language.
struct LanguageReport<L, T>(T, PhantomData<fn(L)>);

impl<L: Language, T: ReportValue> Serialize for LanguageReport<L, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let duration = |duration| L::TIME.count(duration);
        self.0.serialize_styled(&ReportStyle { wording: L::WORDING, duration, secrets: true }, serializer)
    }
}
