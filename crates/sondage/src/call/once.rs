//! A write under a key: a keeper is asked before it is sent, and told how it ended.

use super::any_reader::{AnyReader, AnyValue};
use super::reader::{Unreadable, Verdict};
use super::sent_writes::{SentWrite, WriteEnd};
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
    /// The write was sent before; this was the response.
    Answered(Bytes),
    /// The write may be sent. The permit must then be told how it ended.
    Send(Box<SentWrite>, Box<dyn Permit>),
}

/// The permission to send a write once.
pub trait Permit: Send {
    /// Records how the write ended.
    fn ended(self: Box<Self>, end: WriteEnd) -> BoxFuture<'static, Result<()>>;
}

/// A [`WriteKeeper`] as a call option.
#[derive(Clone)]
pub struct KeptOnce(pub Arc<dyn WriteKeeper>);

impl fmt::Debug for KeptOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeptOnce")
    }
}

type NoteSender = oneshot::Sender<()>;

/// A permit shared by the task of a write and its caller.
pub struct SharedPermit(Mutex<Option<(Box<dyn Permit>, NoteSender)>>);

impl SharedPermit {
    /// Also returns a receiver that resolves when the end is recorded.
    pub fn new(permit: Box<dyn Permit>) -> (Arc<Self>, oneshot::Receiver<()>) {
        let (told, noted) = oneshot::channel();
        (Arc::new(Self(Mutex::new(Some((permit, told))))), noted)
    }

    /// Starts to record how the write ended. Only the first call has an effect.
    pub fn ended(&self, end: WriteEnd) {
        let Some((permit, told)) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() else {
            return;
        };
        runtime::handle().spawn(async move {
            // If the end cannot be recorded, the next call under this key determines it by reading the
            // account.
            if let Err(error) = permit.ended(end).await {
                log::warn!("the outcome of a `send_once` call could not be recorded: {error}");
            }
            let _ = told.send(());
        });
    }

    /// Whether the end is recorded, or is being recorded.
    pub fn is_told(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_none()
    }
}

/// The response to an earlier call under the same key. This call made no attempt.
pub fn read_again(mut reader: AnyReader, answer: &Bytes) -> Result<Response<AnyValue>> {
    let unreadable = |Unreadable(what)| Error::unexpected_response(what);
    reader.feed(answer).map_err(unreadable)?;
    match reader.finish().map_err(unreadable)? {
        Verdict::Success(value) => {
            Ok(Response { value, status: 200, headers: HeaderMap::new(), body: Bytes::new(), attempts: 0 })
        }
        Verdict::Refused(_) => Err(Error::internal("a refusal was stored as a response")),
    }
}
