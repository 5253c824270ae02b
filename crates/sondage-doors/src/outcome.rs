//! What comes out of a verb.

use crate::language::{Language, Taken};
use crate::thing::Thing;
use serde::Serialize;
use sondage::Result;
use std::pin::Pin;

/// A value or a thing for the caller.
pub enum Gift<L: Language> {
    /// A value.
    Value(L::Ready),
    /// A thing with verbs of its own.
    Thing(Box<Thing<L>>),
}

/// Something to wait for. Dropping it stops it. (A write that was sent goes on, as the core sees to.)
pub type Work<L> = Pin<Box<dyn Future<Output = Result<Gift<L>>> + Send>>;

/// What a verb gives.
pub enum Outcome<L: Language> {
    /// It is there already.
    Now(Gift<L>),
    /// It is to be done on this thread, which may let go of the interpreter meanwhile.
    Here(Box<dyn FnOnce() -> Result<Gift<L>> + Send>),
    /// It takes calls to the service.
    Later(Work<L>),
}

/// What a verb gives, or why it did not take its arguments.
pub type Done<L> = Taken<Outcome<L>, L>;

impl<L: Language> Gift<L> {
    pub(crate) fn value<T: Serialize + Send + 'static>(value: T) -> Self {
        Self::Value(L::ready(value))
    }

    pub(crate) fn thing(thing: impl Into<Thing<L>>) -> Self {
        Self::Thing(Box::new(thing.into()))
    }

    pub(crate) fn told<T: Serialize + Send + 'static>(value: T) -> Self {
        Self::Value(L::told(value))
    }
}

#[allow(clippy::unnecessary_wraps)] // each is what a verb ends with
impl<L: Language> Outcome<L> {
    /// A value.
    pub(crate) fn value<T: Serialize + Send + 'static>(value: T) -> Done<L> {
        Ok(Self::Now(Gift::value(value)))
    }

    /// What somebody else has told.
    pub(crate) fn told<T: Serialize + Send + 'static>(value: T) -> Done<L> {
        Ok(Self::Now(Gift::told(value)))
    }

    /// A thing.
    pub(crate) fn thing(thing: impl Into<Thing<L>>) -> Done<L> {
        Ok(Self::Now(Gift::thing(thing)))
    }

    /// What takes a moment of this thread.
    pub(crate) fn here(work: impl FnOnce() -> Result<Gift<L>> + Send + 'static) -> Done<L> {
        Ok(Self::Here(Box::new(work)))
    }

    /// Work that ends in a value.
    pub(crate) fn later<T: Serialize + Send + 'static>(
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Done<L> {
        Ok(Self::Later(valued(work)))
    }

    /// Work that ends in what somebody else has told.
    pub(crate) fn told_later<T: Serialize + Send + 'static>(
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Done<L> {
        Ok(Self::Later(Box::pin(async move { Ok(Gift::told(work.await?)) })))
    }

    /// Work that ends in a thing.
    pub(crate) fn thing_later<T: Into<Thing<L>>>(
        work: impl Future<Output = Result<T>> + Send + 'static,
    ) -> Done<L> {
        Ok(Self::Later(Box::pin(async move { Ok(Gift::thing(work.await?)) })))
    }
}

/// Work that ends in a value.
pub(crate) fn valued<L: Language, T: Serialize + Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Work<L> {
    Box::pin(async move { Ok(Gift::value(work.await?)) })
}
