//! The trace: what a client does, as it happens. Each call, attempt, wait, page, token and step of a job is an entry, with sizes
//! and times. No entry contains a secret or personal data.

pub(crate) mod call;
mod entry;
mod pending_calls;
mod purpose;
mod recorder;

pub(crate) use call::CallTrace;
pub use entry::{Trace, TraceEntry, TraceKind};
pub use pending_calls::PendingCall;
pub(crate) use pending_calls::{ActiveCall, Arrivals, PendingCalls};
#[doc(hidden)] // for sondage-sandbox
pub use purpose::{CHECK_OF_END, CHECK_SUFFIX, CallPurpose};
pub(crate) use recorder::TracedServers;
pub use recorder::{TraceObserver, Tracer};
