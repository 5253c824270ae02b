//! A request body whose last byte can be withheld.
//!
//! The service cannot act on a JSON text whose end it never received. So the last byte, the closing brace, is sent as a
//! separate frame under an exact `Content-Length`. That hyper *has not requested this frame yet* would only be an
//! observation: a connection that stays open after an early response continues to send. So code that wants to rely on
//! "not received" revokes the body first, and the body yields its last byte only while it is not revoked. One atomic
//! decides which of the two came first.

use bytes::Bytes;
use futures_util::task::AtomicWaker;
use http_body::{Body, Frame, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::SeqCst};
use std::task::{Context, Poll};

const FRAME: usize = 64 * 1024;

/// How much hyper may have buffered that the socket has not taken. Above 408 KiB hyper no longer polls the body for
/// frames, so a revoked body could not end its connection.
const AHEAD: usize = 4 * FRAME;

// The state only ever grows: OPEN -> REVOKED -> ENDED, or OPEN -> GIVEN.
/// The last byte may be sent.
const OPEN: u8 = 0;
/// The last byte will never be sent. The connection stays open, because a response is still being read from it.
const REVOKED: u8 = 1;
/// The last byte will never be sent, and the connection is to be closed.
const ENDED: u8 = 2;
/// The last byte is being sent.
const GIVEN: u8 = 3;

#[derive(Debug, Default)]
struct BodyState {
    state: AtomicU8,
    /// Bytes that hyper has buffered and the socket has not taken.
    ahead: AtomicUsize,
    waker: AtomicWaker,
}

/// Decides whether the whole body can have been received.
#[derive(Clone, Debug, Default)]
pub struct Proof(Arc<BodyState>);

impl Proof {
    /// Withholds the last byte. `true`: the service never had the whole request, and never will. The connection stays
    /// open for the response; [`end`](Self::end) closes it.
    #[must_use]
    pub fn revoke(&self) -> bool {
        self.raise(REVOKED)
    }

    /// Withholds the last byte and closes the connection of a revoked request. Returns the same as
    /// [`revoke`](Self::revoke).
    pub fn end(&self) -> bool {
        let proven = self.raise(ENDED);
        self.0.waker.wake();
        proven
    }

    fn raise(&self, to: u8) -> bool {
        self.0.state.fetch_update(SeqCst, SeqCst, |now| (now != GIVEN).then_some(now.max(to))).is_ok()
    }
}

/// Ends a revoked request when its response is no longer read, for whatever reason, including a cancelled or panicking
/// reader. Otherwise the connection would stay open, since nothing would poll its body again. A request that was not
/// revoked is left alone: a service may respond with success before it has received the whole body.
pub(super) struct EndOnDrop(pub(super) Proof);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        if self.0.0.state.compare_exchange(REVOKED, ENDED, SeqCst, SeqCst).is_ok() {
            self.0.0.waker.wake();
        }
    }
}

/// A frame on its way to the socket. It counts as buffered until hyper drops it, which happens when it was written.
struct InFlight(Bytes, Arc<BodyState>);

impl AsRef<[u8]> for InFlight {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.1.ahead.fetch_sub(self.0.len(), SeqCst);
        self.1.waker.wake();
    }
}

/// What hyper gets instead of the last byte of a revoked body.
#[derive(Debug, thiserror::Error)]
#[error("the request was revoked before it was sent whole")]
pub struct Revoked;

/// A body of exact length in at least two frames, the last of which is one byte.
pub struct ProvenBody {
    rest: Bytes,
    shared: Arc<BodyState>,
    metered: bool,
}

impl ProvenBody {
    /// The body, and the proof that remains when it is sent.
    ///
    /// A `metered` body yields its last byte only when the socket has taken all others, which makes it likely that
    /// revoking succeeds. It costs one more write to the socket, so bodies that may be retried anyway are not metered.
    ///
    /// # Panics
    /// If the body is empty. Every request of this library has a body.
    pub fn new(text: Bytes, metered: bool) -> (Self, Proof) {
        assert!(!text.is_empty(), "hyper never asks an empty body: nothing could be proven");
        let proof = Proof::default();
        (Self { rest: text, shared: proof.0.clone(), metered }, proof)
    }

    fn give(&mut self, length: usize) -> Frame<Bytes> {
        let frame = self.rest.split_to(length);
        if !self.metered {
            return Frame::data(frame);
        }
        self.shared.ahead.fetch_add(length, SeqCst);
        Frame::data(Bytes::from_owner(InFlight(frame, self.shared.clone())))
    }
}

impl Body for ProvenBody {
    type Data = Bytes;
    type Error = Revoked;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Revoked>>> {
        // Registered before the state is read: changes after that wake this task.
        self.shared.waker.register(cx.waker());
        let (length, ahead) = (self.rest.len(), self.shared.ahead.load(SeqCst));
        let state = match length {
            1 if ahead == 0 => self
                .shared
                .state
                .compare_exchange(OPEN, GIVEN, SeqCst, SeqCst)
                .map_or_else(|now| now, |_| GIVEN),
            _ => self.shared.state.load(SeqCst),
        };
        match state {
            ENDED => Poll::Ready(Some(Err(Revoked))),
            REVOKED => Poll::Pending,
            _ if length == 0 => Poll::Ready(None),
            GIVEN => Poll::Ready(Some(Ok(Frame::data(std::mem::take(&mut self.rest))))),
            _ if length == 1 || ahead >= AHEAD => Poll::Pending,
            _ => Poll::Ready(Some(Ok(self.give(FRAME.min(length - 1))))),
        }
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

    type Polled = Poll<Option<Result<Frame<Bytes>, Revoked>>>;

    fn poll(body: &mut ProvenBody) -> Polled {
        Pin::new(body).poll_frame(&mut Context::from_waker(std::task::Waker::noop()))
    }

    fn body(size: usize, metered: bool) -> (ProvenBody, Proof) {
        ProvenBody::new(Bytes::from(vec![b'x'; size]), metered)
    }

    fn frames(size: usize) -> Vec<usize> {
        let (mut body, _) = body(size, true);
        let mut sizes = Vec::new();
        while let Poll::Ready(Some(Ok(frame))) = poll(&mut body) {
            sizes.push(frame.into_data().unwrap().len());
        }
        assert!(body.is_end_stream());
        sizes
    }

    #[test]
    fn the_last_byte_travels_alone() {
        assert_eq!(frames(1), [1]);
        assert_eq!(frames(2), [1, 1]);
        assert_eq!(frames(400), [399, 1]);
        assert_eq!(frames(FRAME * 2 + 2), [FRAME, FRAME, 1, 1]);
    }

    #[test]
    fn the_last_byte_waits_for_all_others() {
        let (mut body, _) = body(10, true);
        let first = poll(&mut body);
        assert!(poll(&mut body).is_pending(), "the socket has not taken the first nine bytes");
        drop(first);
        assert!(matches!(poll(&mut body), Poll::Ready(Some(Ok(_)))));
    }

    #[test]
    fn hyper_never_holds_more_than_it_can_be_asked_for() {
        let (mut body, _) = body(AHEAD * 2, true);
        let polled: Vec<Polled> = (0..AHEAD / FRAME).map(|_| poll(&mut body)).collect();
        assert!(polled.iter().all(Poll::is_ready) && poll(&mut body).is_pending());
    }

    #[test]
    fn a_revoked_body_never_gives_its_last_byte_and_ends_its_connection() {
        for metered in [true, false] {
            let (mut body, proof) = body(10, metered);
            drop(poll(&mut body));
            assert!(proof.revoke(), "the last byte was not given");
            assert!(poll(&mut body).is_pending(), "the connection stays open for the answer");
            drop(EndOnDrop(proof.clone()));
            assert!(matches!(poll(&mut body), Poll::Ready(Some(Err(Revoked)))));
            assert!(proof.revoke() && proof.end(), "a proof holds for ever");
        }
    }

    #[test]
    fn nothing_more_of_a_revoked_body_is_given() {
        let (mut body, proof) = body(AHEAD, true);
        assert!(poll(&mut body).is_ready());
        assert!(proof.revoke());
        assert!(
            poll(&mut body).is_pending(),
            "the service would read the rest of a request that is withheld"
        );
    }

    #[test]
    fn a_body_that_was_not_revoked_is_given_whole_after_its_answer() {
        let (mut body, proof) = body(1, true);
        drop(EndOnDrop(proof));
        assert!(matches!(poll(&mut body), Poll::Ready(Some(Ok(_)))));
    }

    #[test]
    fn a_body_that_was_given_cannot_be_revoked() {
        let (mut body, proof) = body(1, true);
        assert!(matches!(poll(&mut body), Poll::Ready(Some(Ok(_)))));
        assert!(!proof.revoke() && !proof.end());
        assert!(matches!(poll(&mut body), Poll::Ready(None)));
    }
}
