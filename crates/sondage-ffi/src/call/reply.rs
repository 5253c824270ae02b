//! What comes out of a method.

use crate::handle::Handle;
use crate::language::{ArgResult, Language};
use crate::methods::kinds;
use serde::Serialize;
use sondage::Result;

/// A value or a handle for the caller.
pub enum Output<L: Language> {
    /// A value.
    Value(L::HostValue),
    /// An object with methods of its own.
    Handle(Box<Handle<L>>),
}

/// Something to wait for. Dropping it stops it. (A write that was sent goes on, as the core sees to.)
pub type Work<L> = kinds::Call<Output<L>>;

/// What a method gives.
pub enum Reply<L: Language> {
    /// It is there already.
    Ready(Output<L>),
    /// It is to be done on this thread, which may let go of the interpreter meanwhile.
    Blocking(kinds::Blocking<Output<L>>),
    /// It takes calls to the service.
    Async(Work<L>),
}

/// What a method gives, or why it did not take its argument.
pub type CallResult<L> = ArgResult<Reply<L>, L>;

/// The classes of results that a row can name.
impl<L: Language> Output<L> {
    /// A value.
    pub(crate) fn value<T: Serialize + Send + 'static>(value: T) -> Self {
        Self::Value(L::host_value(value))
    }

    /// A value that some languages read as JSON.
    pub(crate) fn json<T: Serialize + Send + 'static>(value: T) -> Self {
        Self::Value(L::json(value))
    }

    /// A handle.
    pub(crate) fn handle(handle: impl Into<Handle<L>>) -> Self {
        Self::Handle(Box::new(handle.into()))
    }

    /// What only the running program can say: a value or a handle.
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
