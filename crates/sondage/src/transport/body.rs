//! A request's body that knows whether it can have arrived.
//!
//! The service cannot act on a JSON text whose end it never saw. So the last byte, the closing brace, travels as a frame
//! of its own under an exact `Content-Length`: as long as that frame was not taken, the request was not received whole.

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

const FRAME: usize = 64 * 1024;

/// Tells whether the last frame of a body was handed to the connection.
#[derive(Clone, Debug, Default)]
pub struct Proof(Arc<AtomicBool>);

impl Proof {
    /// `true`: it is proven that the service never had the whole request.
    pub fn not_received(&self) -> bool {
        !self.0.load(Ordering::SeqCst)
    }
}

/// A body of exact length in at least two frames, the last of which is one byte.
pub struct ProvenBody {
    rest: Bytes,
    proof: Proof,
}

impl ProvenBody {
    /// The body, and the proof that stays behind when it is sent.
    pub fn new(text: Bytes) -> (Self, Proof) {
        let proof = Proof::default();
        (Self { rest: text, proof: proof.clone() }, proof)
    }
}

impl Body for ProvenBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = match self.rest.len() {
            0 => {
                self.proof.0.store(true, Ordering::SeqCst);
                return Poll::Ready(None);
            }
            1 => {
                self.proof.0.store(true, Ordering::SeqCst);
                std::mem::take(&mut self.rest)
            }
            length => self.rest.split_to(FRAME.min(length - 1)),
        };
        Poll::Ready(Some(Ok(Frame::data(frame))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.rest.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(size: usize) -> Vec<usize> {
        let (mut body, proof) = ProvenBody::new(Bytes::from(vec![b'x'; size]));
        let mut sizes = Vec::new();
        let mut context = Context::from_waker(std::task::Waker::noop());
        while let Poll::Ready(Some(Ok(frame))) = Pin::new(&mut body).poll_frame(&mut context) {
            let last = body.is_end_stream();
            sizes.push(frame.into_data().unwrap().len());
            assert_eq!(proof.not_received(), !last, "the proof ends with the last frame and not before");
        }
        sizes
    }

    #[test]
    fn the_last_byte_travels_alone() {
        assert_eq!(frames(2), [1, 1]);
        assert_eq!(frames(400), [399, 1]);
        assert_eq!(frames(FRAME * 2 + 2), [FRAME, FRAME, 1, 1]);
    }
}
