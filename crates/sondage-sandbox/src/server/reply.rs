//! A response before it is written as HTTP.

use crate::refusal::Refusal;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::stream::{self, StreamExt as _};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, VARY};
use http::{HeaderMap, HeaderValue, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use std::io;
use std::io::Write as _;
use std::time::Duration;

pub(super) type ReplyBody = BoxBody<Bytes, io::Error>;

/// Compression does not pay off for shorter responses.
const WORTH_COMPRESSING: usize = 1024;
/// How long the first half of a response may take to be sent before the connection is cut.
const HEAD_START: Duration = Duration::from_millis(30);

/// The policy of every page: styles and scripts only from our files, nothing from other sites, and no framing. The targets of
/// forms are not limited, because browsers apply that rule to redirects too, and a login redirects to the program that started
/// it.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

/// A status, headers and a body.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// How the body of a reply ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Whole,
    /// The connection is closed after half of it.
    Cut,
    /// Nothing is sent after half of it.
    Stalled,
}

impl Reply {
    pub(crate) fn new(status: StatusCode, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { status, headers, body: body.into() }
    }

    pub(crate) fn json(status: StatusCode, body: impl Into<Bytes>) -> Self {
        Self::new(status, "application/json; charset=utf-8", body)
    }

    pub(crate) fn html(status: StatusCode, body: String) -> Self {
        let mut reply = Self::new(status, "text/html; charset=utf-8", body);
        reply.set("cache-control", "no-store");
        reply.set("x-frame-options", "DENY");
        reply.set("referrer-policy", "no-referrer");
        reply.set("x-content-type-options", "nosniff");
        reply.set("content-security-policy", POLICY);
        reply
    }

    pub(crate) fn refused(refusal: &Refusal) -> Self {
        let mut reply = Self::json(refusal.status, refusal.envelope().to_string());
        if refusal.status == StatusCode::UNAUTHORIZED {
            reply.set("www-authenticate", "Bearer");
        }
        reply
    }

    /// Sets a header; a value that is not valid in one is omitted.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            self.headers.insert(name, value);
        }
    }

    pub(super) fn compress(&mut self) {
        if self.body.len() < WORTH_COMPRESSING || self.headers.contains_key(CONTENT_ENCODING) {
            return;
        }
        let mut gzip = GzEncoder::new(Vec::with_capacity(self.body.len() / 4), Compression::fast());
        if gzip.write_all(&self.body).is_ok()
            && let Ok(small) = gzip.finish()
        {
            self.body = small.into();
            self.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            self.headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        }
    }

    pub(super) fn into_response(self, ending: Ending) -> Response<ReplyBody> {
        let length = self.body.len();
        let body = match ending {
            Ending::Whole => Full::new(self.body).map_err(|never| match never {}).boxed(),
            Ending::Cut | Ending::Stalled => broken(self.body.slice(..length / 2), ending),
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
        response
    }
}

fn broken(half: Bytes, ending: Ending) -> ReplyBody {
    let rest = stream::once(async move {
        if ending == Ending::Stalled {
            std::future::pending::<()>().await;
        }
        tokio::time::sleep(HEAD_START).await;
        Err(io::ErrorKind::ConnectionAborted.into())
    });
    let frames = stream::once(async move { Ok(Frame::data(half)) }).chain(rest);
    BodyExt::boxed(StreamBody::new(frames))
}
