//! A write under a key: who is asked before it is sent, and told afterwards.

use super::any_reader::{AnyReader, AnyValue};
use super::memory::{SentWrite, WriteEnd};
use super::reader::{Unreadable, Verdict};
use crate::error::{Error, Result};
use crate::response::Response;
use crate::runtime;
use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::HeaderMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// Makes the record of a write that begins now.
pub type MakeWrite = Box<dyn Fn() -> SentWrite + Send + Sync>;

/// Stores what was sent under a key.
pub trait WriteKeeper: Send + Sync {
    /// Called before a write is sent. After an error it must not be sent.
    fn before(&self, make: MakeWrite) -> BoxFuture<'static, Result<Before>>;
}

/// Whether a write may be sent.
pub enum Before {
    /// It was sent before, and this was the answer.
    Answered(Bytes),
    /// It may, and then has to be told.
    Send(Box<SentWrite>, Box<dyn Permit>),
}

/// The permission to send a write once.
pub trait Permit: Send {
    /// Notes how it ended.
    fn ended(self: Box<Self>, end: WriteEnd) -> BoxFuture<'static, Result<()>>;
}

/// A keeper among the options of calls.
#[derive(Clone)]
pub struct KeptOnce(pub Arc<dyn WriteKeeper>);

impl fmt::Debug for KeptOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptOnce")
    }
}

type NoteSender = oneshot::Sender<()>;

/// A permission that the task of a write and its caller share.
pub struct SharedPermit(Mutex<Option<(Box<dyn Permit>, NoteSender)>>);

impl SharedPermit {
    /// And what says that the end is noted.
    pub fn new(permit: Box<dyn Permit>) -> (Arc<Self>, oneshot::Receiver<()>) {
        let (told, noted) = oneshot::channel();
        (Arc::new(Self(Mutex::new(Some((permit, told))))), noted)
    }

    /// Begins to note how the write ended; only the first time.
    pub fn ended(&self, end: WriteEnd) {
        let Some((permit, told)) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        runtime::handle().spawn(async move {
            // What was not noted is found out by reading back when somebody asks under this key.
            if let Err(error) = permit.ended(end).await {
                log::warn!("what `send_once` got could not be noted: {error}");
            }
            let _ = told.send(());
        });
    }

    /// Whether the end is noted, or about to be.
    pub fn is_told(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

/// The response that an earlier call got. No attempt was made for it.
pub fn read_again(mut reader: AnyReader, answer: &Bytes) -> Result<Response<AnyValue>> {
    let unreadable = |Unreadable(what)| Error::unexpected_response(what);
    reader.feed(answer).map_err(unreadable)?;
    match reader.finish().map_err(unreadable)? {
        Verdict::Success(value) => {
            Ok(Response { value, status: 200, headers: HeaderMap::new(), body: Bytes::new(), attempts: 0 })
        }
        Verdict::Refused(_) => Err(Error::internal("a refusal was kept as an answer")),
    }
}
