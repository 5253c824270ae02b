//! A response with its HTTP details.

use bytes::Bytes;
use http::HeaderMap;

/// A typed response together with the HTTP response from which it was decoded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Response<T> {
    /// The typed response.
    pub value: T,
    /// HTTP status.
    pub status: u16,
    /// HTTP headers.
    pub headers: HeaderMap,
    /// The body as received, decompressed. Empty if the response is decoded while it arrives and never buffered as a
    /// whole.
    pub body: Bytes,
    /// The number of attempts.
    pub attempts: u32,
}

impl<T> Response<T> {
    /// The body as text.
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.body)
    }
}
