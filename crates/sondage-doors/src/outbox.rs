//! Results on their way to an event loop.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Gathers what is done until the thread of the event loop takes it out. To wake a thread costs more than a small call, so
/// only who puts something into an empty box has to.
#[derive(Debug)]
pub struct Outbox<T>(Mutex<Vec<T>>);

impl<T> Default for Outbox<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Outbox<T> {
    /// Puts a letter into the box. `true`: it was empty, so the event loop has to be woken.
    #[must_use]
    pub fn post(&self, letter: T) -> bool {
        let mut letters = self.letters();
        letters.push(letter);
        letters.len() == 1
    }

    /// Takes out what has gathered.
    pub fn empty(&self) -> Vec<T> {
        std::mem::take(&mut self.letters())
    }

    fn letters(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_into_an_empty_box_rings() {
        let outbox = Outbox::default();
        assert!(outbox.post(1));
        assert!(!outbox.post(2));
        assert_eq!(outbox.empty(), [1, 2]);
        assert!(outbox.empty().is_empty());
        assert!(outbox.post(3));
    }
}
