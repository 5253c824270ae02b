//! Tokens that several clients of one process share.

use super::{Guard, StoreKey, StoredTokens, TokenStore};
use crate::error::Result;
use crate::per_process::PerProcess;
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Keeps tokens in memory, for several clients that are given clones of it. A single client does not need one. In a
/// forked child it is empty.
#[derive(Clone, Default)]
pub struct MemoryStore(Arc<PerProcess<MemoryTokens>>);

#[derive(Default)]
struct MemoryTokens {
    tokens: Mutex<HashMap<StoreKey, StoredTokens>>,
    renewing: Mutex<HashMap<StoreKey, Arc<tokio::sync::Mutex<()>>>>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> Self {
        Self::default()
    }
}

impl TokenStore for MemoryStore {
    fn load<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Option<StoredTokens>>> {
        Box::pin(async {
            let tokens = self.0.get(|_| MemoryTokens::default());
            Ok(tokens.tokens.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned())
        })
    }

    fn save<'a>(&'a self, key: &'a StoreKey, tokens: &'a StoredTokens) -> BoxFuture<'a, Result<()>> {
        Box::pin(async {
            let store = self.0.get(|_| MemoryTokens::default());
            store.tokens.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone(), tokens.clone());
            Ok(())
        })
    }

    fn forget<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<()>> {
        Box::pin(async {
            let tokens = self.0.get(|_| MemoryTokens::default());
            tokens.tokens.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
            Ok(())
        })
    }

    fn lock<'a>(&'a self, key: &'a StoreKey) -> BoxFuture<'a, Result<Guard>> {
        Box::pin(async {
            let tokens = self.0.get(|_| MemoryTokens::default());
            let lock = tokens
                .renewing
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .entry(key.clone())
                .or_default()
                .clone();
            Ok(Box::new(lock.lock_owned().await) as Guard)
        })
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryStore")
    }
}
