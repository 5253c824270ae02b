//! State that a forked child must not inherit.

use arc_swap::ArcSwapOption;
use std::cell::Cell;
use std::ops::Deref;
use std::sync::Arc;

thread_local! {
    /// The process of a thread of the runtime; 0 on any other thread.
    static OF_RUNTIME: Cell<u32> = const { Cell::new(0) };
}

/// The current process. A thread of the runtime knows it without asking the system, which would happen ten times in a call: a
/// forked child has none of these threads.
pub(crate) fn id() -> u32 {
    match OF_RUNTIME.get() {
        0 => std::process::id(),
        known => known,
    }
}

/// Says that the current thread belongs to the runtime of a process.
pub(crate) fn belongs_to(process: u32) {
    OF_RUNTIME.set(process);
}

/// The current process, from the system. If a callback of the user forks on a thread of the runtime, the child has a copy of that
/// thread, which belongs to the parent until the child asks here: every call does, first of all.
pub(crate) fn id_from_system() -> u32 {
    let process = std::process::id();
    if OF_RUNTIME.get() != 0 {
        OF_RUNTIME.set(process);
    }
    process
}

/// A value per process. After a fork the child gets a new one: in the child, locks of the parent may be held by threads,
/// and waiters may wait for tasks, that do not exist there.
pub(crate) struct PerProcess<T>(ArcSwapOption<Owned<T>>);

/// The value of the process that created it.
pub(crate) struct Owned<T> {
    process: u32,
    value: T,
}

impl<T> Default for PerProcess<T> {
    fn default() -> Self {
        Self(ArcSwapOption::empty())
    }
}

impl<T> Deref for Owned<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> PerProcess<T> {
    /// The value of this process. It is created from the parent's, of which only lock-free parts may be read.
    pub(crate) fn get(&self, make: impl Fn(Option<&T>) -> T) -> Arc<Owned<T>> {
        self.of(id(), make)
    }

    fn of(&self, process: u32, make: impl Fn(Option<&T>) -> T) -> Arc<Owned<T>> {
        loop {
            let now = self.0.load_full();
            if let Some(owned) = now.as_ref().filter(|owned| owned.process == process) {
                return owned.clone();
            }
            let value = make(now.as_ref().map(|owned| &owned.value));
            let before = self.0.compare_and_swap(&now, Some(Arc::new(Owned { process, value })));
            // The parent's value is never dropped here, because dropping takes locks.
            std::mem::forget(before);
            std::mem::forget(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_gets_its_own() {
        let cell = PerProcess::default();
        let parent = cell.of(1, |_| vec![1]);
        assert!(Arc::ptr_eq(&parent, &cell.of(1, |_| vec![2])), "made once");
        let child = cell.of(2, |parent| parent.unwrap().iter().map(|n| n + 10).collect());
        assert_eq!(**child, [11]);
        assert_eq!(**cell.of(2, |_| vec![3]), [11]);
    }
}
