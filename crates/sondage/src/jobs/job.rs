//! Work that its options describe whole: the same call for every language.

use crate::Client;
use crate::arguments::Options;
use crate::error::Result;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// A progress callback, called after each step.
pub type Observer<P> = Arc<dyn Fn(&P) + Send + Sync>;

/// The work of a method of the second table.
pub trait Job: Options + Sized {
    /// What is handed over beside the options.
    type With;
    /// How far it is.
    type Progress;
    /// The result of the job.
    type Report;

    /// Does it. Dropping the future stops it.
    fn run(
        self,
        client: &Client,
        with: Self::With,
        told: Option<Observer<Self::Progress>>,
    ) -> BoxFuture<'static, Result<Self::Report>>;
}
