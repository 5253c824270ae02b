//! A connection that can be made to fail below HTTP.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// Controls a connection from outside.
#[derive(Clone, Debug, Default)]
pub(super) struct WireControl(Arc<Mutex<WireAction>>);

#[derive(Debug, Default)]
enum WireAction {
    #[default]
    Behave,
    /// Writes these bytes instead of the following ones, and then nothing.
    Write(Vec<u8>),
    /// Writes nothing more.
    Silent,
    /// Writes nothing more and closes with RST instead of FIN.
    Reset,
    /// Continues, but closes with RST.
    ResetLater,
}

impl WireControl {
    pub(super) fn write_instead(&self, bytes: Vec<u8>) {
        *self.task() = WireAction::Write(bytes);
    }

    pub(super) fn reset(&self) {
        *self.task() = WireAction::Reset;
    }

    pub(super) fn reset_later(&self) {
        *self.task() = WireAction::ResetLater;
    }

    fn task(&self) -> MutexGuard<'_, WireAction> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A TCP stream under such control.
#[derive(Debug)]
pub(super) struct Wire {
    stream: TcpStream,
    order: WireControl,
}

impl Wire {
    pub(super) fn new(stream: TcpStream, order: WireControl) -> Self {
        Self { stream, order }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if matches!(*self.order.task(), WireAction::Reset | WireAction::ResetLater) {
            let _ = self.stream.set_zero_linger();
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let Self { stream, order } = self.get_mut();
        let mut task = order.task();
        loop {
            match &mut *task {
                WireAction::Behave | WireAction::ResetLater => {
                    return Pin::new(&mut *stream).poll_write(cx, buf);
                }
                WireAction::Write(bytes) if bytes.is_empty() => *task = WireAction::Silent,
                WireAction::Write(bytes) => {
                    let written = ready!(Pin::new(&mut *stream).poll_write(cx, bytes))?;
                    bytes.drain(..written);
                }
                WireAction::Silent | WireAction::Reset => {
                    return Poll::Ready(Err(io::ErrorKind::BrokenPipe.into()));
                }
            }
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if matches!(*self.order.task(), WireAction::Reset | WireAction::ResetLater) {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
