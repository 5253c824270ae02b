//! Connections of a local listener: at most a fixed number, and silent ones do not block new ones.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::task::{AbortHandle, JoinHandle};

/// The open connections. Browsers open some ahead of time, and any program on this machine can open more: when there are
/// too many, the oldest one without a complete request is closed.
pub struct Connections {
    most: usize,
    open: VecDeque<(AbortHandle, Busy)>,
}

/// Marks one connection as having a request that is being answered.
#[derive(Clone, Default)]
pub struct Busy(Arc<AtomicUsize>);

impl Busy {
    /// A complete request has arrived: until this is dropped, the connection is not closed to make room.
    pub fn answering(&self) -> Answering {
        self.0.fetch_add(1, Ordering::SeqCst);
        Answering(self.clone())
    }
}

/// A request that is being answered.
pub struct Answering(Busy);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Connections {
    /// At most this many at the same time, not counting those that are answering.
    pub fn new(most: usize) -> Self {
        Self { most, open: VecDeque::new() }
    }

    /// Whether all of them are answering, so that the next one has to wait.
    pub fn full(&mut self) -> bool {
        self.open.retain(|(task, _)| !task.is_finished());
        self.open.len() >= self.most && self.silent().is_none()
    }

    /// Adds a connection, which `serve` serves in a task of its own.
    pub fn take<F: Future<Output = ()> + Send + 'static>(&mut self, serve: impl FnOnce(Busy) -> F) {
        self.open.retain(|(task, _)| !task.is_finished());
        if self.open.len() >= self.most
            && let Some((task, _)) = self.silent().and_then(|oldest| self.open.remove(oldest))
        {
            task.abort();
        }
        let busy = Busy::default();
        let task: JoinHandle<()> = tokio::spawn(serve(busy.clone()));
        self.open.push_back((task.abort_handle(), busy));
    }

    fn silent(&self) -> Option<usize> {
        self.open.iter().position(|(_, busy)| busy.0.load(Ordering::SeqCst) == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Weak;
    use tokio::sync::oneshot;

    /// A connection that can be closed from outside.
    struct Open {
        end: oneshot::Sender<()>,
        held: Weak<()>,
    }

    fn open(connections: &mut Connections, answering: bool) -> Open {
        let ((end, ended), held) = (oneshot::channel(), Arc::new(()));
        let open = Open { end, held: Arc::downgrade(&held) };
        connections.take(|busy| async move {
            let _answering = answering.then(|| busy.answering());
            let _ = ended.await;
            drop(held);
        });
        open
    }

    /// Lets tasks that were started, finished or aborted run.
    async fn settled() {
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
    }

    fn is_open(connection: &Open) -> bool {
        connection.held.strong_count() == 1
    }

    #[tokio::test]
    async fn the_oldest_silent_connection_makes_room_and_none_that_is_answered() {
        let mut connections = Connections::new(2);
        let (answered, silent) = (open(&mut connections, true), open(&mut connections, false));
        settled().await;
        let newest = open(&mut connections, false);
        settled().await;
        assert_eq!([&answered, &silent, &newest].map(is_open), [true, false, true]);
    }

    #[tokio::test]
    async fn the_next_one_waits_while_all_are_answered() {
        let mut connections = Connections::new(2);
        let first = open(&mut connections, true);
        settled().await;
        assert!(!connections.full());
        let _second = open(&mut connections, true);
        assert!(!connections.full(), "it has not sent anything yet");
        settled().await;
        assert!(connections.full());
        first.end.send(()).unwrap();
        settled().await;
        assert!(!connections.full(), "one has ended");
    }
}
