//! Keeps threads away from a Python interpreter that is shutting down.
//!
//! A thread that attaches while the interpreter shuts down crashes the process. So threads of the core hold a permit
//! while they are attached, and `atexit` stops issuing permits before the shutdown begins.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

const CLOSED: usize = 1 << (usize::BITS - 1);
/// The number of permits in use, and whether no more are issued.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
static CLOSER: OnceLock<ThreadId> = OnceLock::new();
const DEADLINE: Duration = Duration::from_secs(2);

/// A permit to be attached, until it is dropped.
pub struct AttachPermit(());

impl Drop for AttachPermit {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, SeqCst);
    }
}

/// Requests a permit; there is none once the interpreter is exiting.
pub fn attach_permit() -> Option<AttachPermit> {
    let permit = AttachPermit(());
    let open = INSIDE.fetch_add(1, SeqCst) & CLOSED == 0;
    open.then_some(permit)
}

/// For a Python thread that reattaches after a wait. While the interpreter exits, a daemon thread must not attach again:
/// it sleeps until the process has ended.
pub fn reacquire() -> Option<AttachPermit> {
    let permit = attach_permit();
    if permit.is_none() && CLOSER.get().is_some_and(|closer| *closer != thread::current().id()) {
        loop {
            thread::park();
        }
    }
    permit
}

/// Stops issuing permits and waits until all are returned. Runs in `atexit`.
pub fn close() {
    let _ = CLOSER.set(thread::current().id());
    INSIDE.fetch_or(CLOSED, SeqCst);
    let end = Instant::now() + DEADLINE;
    while INSIDE.load(SeqCst) != CLOSED && Instant::now() < end {
        thread::sleep(Duration::from_millis(1));
    }
}
