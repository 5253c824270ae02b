//! Keeps threads away from a Python interpreter that is shutting down.
//!
//! A thread that attaches while the interpreter goes away takes the process down with it. So whoever attaches from
//! outside holds a permit, and `atexit` closes it before the interpreter begins to go.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

const CLOSED: usize = 1 << (usize::BITS - 1);
/// How many are inside, and whether it is closed.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
static CLOSER: OnceLock<ThreadId> = OnceLock::new();
const PATIENCE: Duration = Duration::from_secs(2);

/// Permission to be attached, until it is dropped.
pub struct AttachPermit(());

impl Drop for AttachPermit {
    fn drop(&mut self) {
        INSIDE.fetch_sub(1, SeqCst);
    }
}

/// Asks for a permit; there is none once the interpreter is exiting.
pub fn attach_permit() -> Option<AttachPermit> {
    let permit = AttachPermit(());
    let open = INSIDE.fetch_add(1, SeqCst) & CLOSED == 0;
    open.then_some(permit)
}

/// For a thread of Python's own that comes back from a wait. While the interpreter exits, a daemon thread must not come
/// back at all: it sleeps until the process has ended.
pub fn reacquire() -> Option<AttachPermit> {
    let permit = attach_permit();
    if permit.is_none() && CLOSER.get().is_some_and(|closer| *closer != thread::current().id()) {
        loop {
            thread::park();
        }
    }
    permit
}

/// Closes it and waits until everybody is out. Runs in `atexit`.
pub fn close() {
    let _ = CLOSER.set(thread::current().id());
    INSIDE.fetch_or(CLOSED, SeqCst);
    let end = Instant::now() + PATIENCE;
    while INSIDE.load(SeqCst) != CLOSED && Instant::now() < end {
        thread::sleep(Duration::from_millis(1));
    }
}
