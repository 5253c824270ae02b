//! What went wrong in one exchange, and whether the service can have acted on it.

use crate::error::{Delivery, ErrorSource, Text};
use crate::text;
use std::error::Error as StdError;
use std::sync::Arc;

/// An exchange that ended without a whole answer.
#[derive(Debug)]
pub struct Failure {
    /// Whether the service can have received the request.
    pub delivery: Delivery,
    /// What happened, as the beginning of a sentence. It names no address and no secret.
    pub what: Text,
    /// What kind of failure it was.
    pub cause: FailureCause,
    /// The error of the operating system or of TLS behind it.
    pub source: Option<ErrorSource>,
}

/// Why an exchange failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureCause {
    /// The name of the host is unknown, nobody listens, the proxy refuses, or the connection cannot be made otherwise.
    Connect,
    /// The two sides do not agree on TLS: a certificate is not accepted, or one side refuses the other. Trying again
    /// will not help, as long as nothing was sent.
    Tls,
    /// The time for it ran out.
    Timeout,
    /// The connection ended in the middle.
    Cut,
    /// The answer broke a limit, or could not be read.
    Unreadable,
}

impl Failure {
    /// A failure that no other error is behind.
    pub fn new(delivery: Delivery, what: impl Into<Text>, cause: FailureCause) -> Self {
        Self { delivery, what: what.into(), cause, source: None }
    }

    /// Sorts an error of the HTTP library. `sent_whole` is `false` when the proof says that the last byte never left.
    pub(super) fn of(error: &reqwest::Error, sent_whole: bool) -> Self {
        let cause = if chain(error).any(refuses_tls) {
            FailureCause::Tls
        } else if error.is_connect() {
            FailureCause::Connect
        } else if error.is_timeout() {
            FailureCause::Timeout
        } else if error.is_decode() && !chain(error).any(is_cut) {
            FailureCause::Unreadable
        } else {
            FailureCause::Cut
        };
        let never_left = error.is_connect() || !sent_whole || chain(error).any(was_cancelled);
        let delivery = if never_left { Delivery::No } else { Delivery::Unknown };
        let source = chain(error).filter_map(copied).last();
        Self { delivery, what: describe(error, cause, delivery), cause, source }
    }
}

/// What a program can act upon and no address stands in. The errors of the HTTP library carry the whole URL.
fn copied(error: &(dyn StdError + 'static)) -> Option<ErrorSource> {
    if let Some(tls) = error.downcast_ref::<rustls::Error>() {
        return Some(Arc::new(tls.clone()));
    }
    error.downcast_ref::<std::io::Error>().map(crate::error::io_source)
}

/// The causes of an error, from the outermost on. An `io::Error` hands on the source of the error inside of it and not
/// that error itself, which is where rustls says what is wrong: so it is opened.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(error.source(), |&e| match e.downcast_ref::<std::io::Error>() {
        Some(io) => io.get_ref().map(|inner| inner as &(dyn StdError + 'static)),
        None => e.source(),
    })
}

/// One side does not accept the other. A record that cannot be read is not meant: that may be the network's fault.
fn refuses_tls(error: &(dyn StdError + 'static)) -> bool {
    use rustls::Error::{
        AlertReceived, General, InvalidCertificate, NoApplicationProtocol, PeerIncompatible,
        UnsupportedNameType,
    };
    matches!(
        error.downcast_ref::<rustls::Error>(),
        Some(
            AlertReceived(_)
                | General(_)
                | InvalidCertificate(_)
                | NoApplicationProtocol
                | PeerIncompatible(_)
                | UnsupportedNameType
        )
    )
}

/// hyper gave the request back before it wrote any of it.
fn was_cancelled(error: &(dyn StdError + 'static)) -> bool {
    error.downcast_ref::<hyper::Error>().is_some_and(hyper::Error::is_canceled)
}

fn is_cut(error: &(dyn StdError + 'static)) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionReset, UnexpectedEof};
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|e| matches!(e.kind(), ConnectionAborted | ConnectionReset | UnexpectedEof))
}

fn describe(error: &reqwest::Error, cause: FailureCause, delivery: Delivery) -> Text {
    // The innermost reason is the one a person can use ("Connection refused"); the layers above repeat the address.
    let reason = chain(error).last().map(ToString::to_string).unwrap_or_default();
    match cause {
        FailureCause::Connect => text!("the service could not be reached ({reason})"),
        FailureCause::Tls if delivery == Delivery::No => text!("the TLS handshake failed ({reason})"),
        FailureCause::Timeout => "the service did not answer in time".into(),
        FailureCause::Unreadable => text!("the answer could not be decoded ({reason})"),
        FailureCause::Cut if delivery == Delivery::No => {
            text!("the connection ended before the request was sent ({reason})")
        }
        FailureCause::Cut | FailureCause::Tls => {
            text!("the connection ended before the answer was complete ({reason})")
        }
    }
}
