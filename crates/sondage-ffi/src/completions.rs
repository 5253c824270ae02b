//! The queue of completed results for an event loop.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Collects completions until the thread of the event loop drains them. Waking a thread costs more than a small call, so
/// only a push into an empty queue wakes it.
#[derive(Debug)]
pub struct CompletionQueue<T>(Mutex<Vec<T>>);

impl<T> Default for CompletionQueue<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> CompletionQueue<T> {
    /// Pushes a completion into the queue. `true`: it was empty, so the event loop must be woken.
    #[must_use]
    pub fn push(&self, completion: T) -> bool {
        let mut completions = self.completions();
        completions.push(completion);
        completions.len() == 1
    }

    /// Removes all queued completions.
    pub fn drain(&self) -> Vec<T> {
        std::mem::take(&mut self.completions())
    }

    fn completions(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_into_an_empty_queue_wakes_the_loop() {
        let queue = CompletionQueue::default();
        assert!(queue.push(1));
        assert!(!queue.push(2));
        assert_eq!(queue.drain(), [1, 2]);
        assert!(queue.drain().is_empty());
        assert!(queue.push(3));
    }
}
