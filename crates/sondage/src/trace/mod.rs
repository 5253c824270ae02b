//! The trace: what a client does, as it happens. Each call, attempt, wait, page, token and step of a job is an entry, with sizes
//! and times. No entry contains a secret or personal data.

pub(crate) mod call;
mod entry;
mod recorder;

pub(crate) use call::CallTrace;
pub use entry::{Trace, TraceEntry, TraceKind};
pub use recorder::{TraceObserver, Tracer};
