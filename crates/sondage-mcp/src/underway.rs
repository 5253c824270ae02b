//! The requests of a session that have no response yet. Each gets one, unless the client cancels it first.

use serde_json::Value;
use sondage::internals::runtime;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::AbortHandle;

/// The requests, by the JSON of their ids. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Underway(Arc<Mutex<HashMap<String, Open>>>);

#[derive(Debug)]
enum Open {
    /// A call that ends when it is cancelled.
    Read(AbortHandle),
    /// A call that cannot be stopped half-way: only its response is dropped.
    Write,
    /// A subscription, with its id. It stays open until the session ends.
    Subscription(Value),
}

impl Underway {
    /// Starts a call and passes its result to `answer`. Returns false, and starts nothing, if another open request has this id.
    pub fn start(
        &self,
        id: &Value,
        stops: bool,
        call: impl Future<Output = Value> + Send + 'static,
        answer: impl FnOnce(Value) + Send + 'static,
    ) -> bool {
        let key = id.to_string();
        // The lock is held until the call is in the list, because the call may end immediately.
        let mut open = self.open();
        if open.contains_key(&key) {
            return false;
        }
        let (underway, own) = (self.clone(), key.clone());
        let task = runtime::handle().spawn(async move {
            let result = call.await;
            if underway.open().remove(&own).is_some() {
                answer(result);
            }
        });
        open.insert(key, if stops { Open::Read(task.abort_handle()) } else { Open::Write });
        true
    }

    /// Keeps a subscription open. Returns false if another open request has this id.
    pub fn subscribe(&self, id: &Value) -> bool {
        let (mut open, key) = (self.open(), id.to_string());
        let is_free = !open.contains_key(&key);
        if is_free {
            open.insert(key, Open::Subscription(id.clone()));
        }
        is_free
    }

    /// Cancels a request. A request that is not open already has its response.
    pub fn cancel(&self, id: &Value) {
        if let Some(Open::Read(task)) = self.open().remove(&id.to_string()) {
            task.abort();
        }
    }

    /// Ends all subscriptions, and returns their ids.
    pub fn end_subscriptions(&self) -> Vec<Value> {
        let mut ended = Vec::new();
        self.open().retain(|_, open| match open {
            Open::Subscription(id) => {
                ended.push(id.take());
                false
            }
            Open::Read(_) | Open::Write => true,
        });
        ended
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Open>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
