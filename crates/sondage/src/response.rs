//! An answer with everything that came along with it.

use bytes::Bytes;
use http::HeaderMap;

/// A typed answer together with the HTTP answer that it was read from.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Response<T> {
    /// The typed answer.
    pub value: T,
    /// HTTP status.
    pub status: u16,
    /// HTTP headers.
    pub headers: HeaderMap,
    /// The body as it came, decompressed. Empty where an answer is read while it arrives and never held whole.
    pub body: Bytes,
    /// Number of attempts.
    pub attempts: u32,
}

impl<T> Response<T> {
    /// The body as text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}
