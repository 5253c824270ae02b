//! The jobs on a [`sondage::blocking::Client`]. Each method waits for the async one of the same name, and takes the same options.

pub use crate::client::BlockingJobs as Jobs;
