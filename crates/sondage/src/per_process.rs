//! State that a forked child must not inherit.

use arc_swap::ArcSwapOption;
use std::ops::Deref;
use std::sync::Arc;

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
        self.of(std::process::id(), make)
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
