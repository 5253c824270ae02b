//! Jobs that are completely described by their options: all languages run them in the same way.

mod member;
mod trace;

use crate::Client;
use crate::arguments::Options;
use crate::error::Result;
use futures_util::future::BoxFuture;
use std::sync::Arc;

/// A progress callback, called after each step.
pub type Observer<P> = Arc<dyn Fn(&P) + Send + Sync>;

/// The job behind a method of the second table.
pub trait Job: Options + Sized {
    /// What is passed in addition to the options.
    type With;
    /// The progress report.
    type Progress;
    /// The result of the job.
    type Report;

    /// Runs it. Dropping the future stops it.
    fn run(
        self,
        client: &Client,
        with: Self::With,
        on_progress: Option<Observer<Self::Progress>>,
    ) -> BoxFuture<'static, Result<Self::Report>>;
}
