//! What went wrong in one exchange, and whether the service can have acted on the request.

use crate::error::{Delivery, ErrorSource, Text};
use crate::text;
use std::error::Error as StdError;
use std::sync::Arc;

/// An exchange that ended without a complete response.
#[derive(Debug)]
pub struct Failure {
    /// Whether the service can have received the request.
    pub delivery: Delivery,
    /// What happened, as the beginning of a sentence. It contains no address and no secret.
    pub what: Text,
    /// What kind of failure it was.
    pub cause: FailureCause,
    /// The underlying error of the operating system or of TLS.
    pub source: Option<ErrorSource>,
}

/// Why an exchange failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureCause {
    /// The host name is unknown, nothing listens there, the proxy refuses, or the connection cannot be established for
    /// another reason.
    Connect,
    /// The TLS handshake failed: a certificate is not accepted, or one side refuses the other. Retrying does not help, as
    /// long as nothing was sent.
    Tls,
    /// A timeout.
    Timeout,
    /// The connection was closed or reset before the response was complete.
    Cut,
    /// The response exceeded a limit, or could not be decoded.
    Unreadable,
    /// Nothing was sent: the recording cannot be written, or does not contain the call.
    Recording,
}

impl Failure {
    /// A failure without an underlying error.
    pub fn new(delivery: Delivery, what: impl Into<Text>, cause: FailureCause) -> Self {
        Self { delivery, what: what.into(), cause, source: None }
    }

    /// Names the proxy, if the service was to be reached through one.
    #[must_use]
    pub(super) fn through(mut self, proxy: Option<Text>) -> Self {
        if let (Some(proxy), FailureCause::Connect | FailureCause::Tls) = (proxy, self.cause) {
            self.what = text!("{}, through {proxy}", self.what);
        }
        self
    }

    /// Classifies an error of the HTTP library. `sent_whole` is `false` when the proof shows that the last byte was never
    /// sent.
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

/// The underlying error that a program can act upon and that contains no address. The errors of the HTTP library contain
/// the whole URL.
fn copied(error: &(dyn StdError + 'static)) -> Option<ErrorSource> {
    if let Some(tls) = error.downcast_ref::<rustls::Error>() {
        return Some(Arc::new(tls.clone()));
    }
    error.downcast_ref::<std::io::Error>().map(crate::error::io_source)
}

/// The causes of an error, from the outermost on. The `source` of an `io::Error` skips the error that it wraps, which is
/// where rustls says what is wrong: so it is unwrapped here.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn StdError + 'static)> {
    std::iter::successors(error.source(), |&e| match e.downcast_ref::<std::io::Error>() {
        Some(io) => io.get_ref().map(|inner| inner as &(dyn StdError + 'static)),
        None => e.source(),
    })
}

/// One side does not accept the other. A record that cannot be read does not count: the network may have damaged it.
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

/// hyper returned the request before it wrote any of it.
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
    // The innermost reason is the one that helps a person ("Connection refused"); the layers above repeat the address.
    let reason = chain(error).last().map(ToString::to_string).unwrap_or_default();
    match cause {
        FailureCause::Connect => text!("the service could not be reached ({reason})"),
        FailureCause::Tls if delivery == Delivery::No => text!("the TLS handshake failed ({reason})"),
        FailureCause::Timeout => "the service did not answer in time".into(),
        FailureCause::Unreadable => text!("the response could not be decoded ({reason})"),
        FailureCause::Cut if delivery == Delivery::No => {
            text!("the connection ended before the request was sent ({reason})")
        }
        FailureCause::Cut | FailureCause::Tls | FailureCause::Recording => {
            text!("the connection ended before the response was complete ({reason})")
        }
    }
}
