//! An incoming request, within limits. Limits are checked before anything is compared, so that a stranger cannot make the
//! receiver process more than a few kilobytes.

use super::refusal::Reason;
use std::borrow::Cow;

/// The maximum length of an address, in bytes. Ours have a few hundred.
const MAX_URL: usize = 8 << 10;
const MAX_HEADERS: usize = 200;
const MAX_HEADER_BYTES: usize = 64 << 10;
/// The maximum length of `Authorization`, in bytes. Our tokens have a few hundred.
const MAX_AUTHORIZATION: usize = 8 << 10;

/// The parts of a request that the strategies check.
pub(super) struct Received<'a> {
    /// The path, undecoded.
    pub(super) path: &'a str,
    /// The query string.
    pub(super) query: &'a str,
    pub(super) authorization: Result<Cow<'a, str>, Reason>,
    pub(super) content_length: Option<u64>,
    /// Whether the body may have been decompressed on the way, so that `Content-Length` does not apply.
    pub(super) encoded: bool,
    pub(super) body: &'a [u8],
}

/// The headers that are checked.
#[derive(Default)]
pub(super) struct Headers {
    authorization: Vec<Vec<u8>>,
    content_length: Option<u64>,
    encoded: bool,
}

impl Headers {
    pub(super) fn read<N, V>(headers: impl IntoIterator<Item = (N, V)>) -> Result<Self, Reason>
    where
        N: AsRef<str>,
        V: AsRef<[u8]>,
    {
        let (mut found, mut count, mut bytes) = (Self::default(), 0, 0);
        for (name, value) in headers {
            let (name, value) = (name.as_ref(), value.as_ref());
            count += 1;
            bytes += name.len() + value.len();
            if count > MAX_HEADERS || bytes > MAX_HEADER_BYTES {
                return Err(Reason::HeadersTooLarge);
            }
            if is(name, "authorization", "HTTP_AUTHORIZATION") {
                found.authorization.push(value.to_vec());
            } else if is(name, "content-length", "CONTENT_LENGTH") {
                found.content_length =
                    std::str::from_utf8(value).ok().and_then(|text| text.trim().parse().ok());
            } else if is(name, "content-encoding", "HTTP_CONTENT_ENCODING")
                || is(name, "transfer-encoding", "HTTP_TRANSFER_ENCODING")
            {
                found.encoded = true;
            }
        }
        Ok(found)
    }

    /// The only `Authorization` header. Several are refused: two readers could use different ones.
    fn authorization(&self) -> Result<Cow<'_, str>, Reason> {
        match self.authorization.as_slice() {
            [] => Err(Reason::AuthorizationMissing),
            [_, _, ..] => Err(Reason::AuthorizationDoubled),
            [value] if value.len() > MAX_AUTHORIZATION => Err(Reason::AuthorizationMalformed),
            [value] => match std::str::from_utf8(value) {
                // Blanks around a value are not part of it (RFC 9110), and not every server removes them.
                Ok(text) => match text.trim_matches([' ', '\t']) {
                    text if text.bytes().all(|b| (b' '..=b'~').contains(&b)) => Ok(Cow::Borrowed(text)),
                    _ => Err(Reason::AuthorizationMalformed),
                },
                Err(_) => Err(Reason::AuthorizationMalformed),
            },
        }
    }
}

/// Whether a header has this name, or the one that CGI and WSGI give it.
fn is(name: &str, header: &str, variable: &str) -> bool {
    name.eq_ignore_ascii_case(header) || name == variable
}

impl<'a> Received<'a> {
    pub(super) fn new(
        url: &'a str,
        headers: &'a Headers,
        body: &'a [u8],
        max_body: usize,
    ) -> Result<Self, Reason> {
        if url.len() > MAX_URL {
            return Err(Reason::UrlTooLong);
        }
        if body.len() > max_body {
            return Err(Reason::BodyTooLarge);
        }
        let (path, query) = split(url).ok_or(Reason::UrlMalformed)?;
        Ok(Self {
            path,
            query,
            authorization: headers.authorization(),
            content_length: headers.content_length,
            encoded: headers.encoded,
            body,
        })
    }

    /// The part of `Authorization` after the scheme. Schemes are case-insensitive (RFC 9110); one space follows.
    pub(super) fn credentials(&self, scheme: &str) -> Result<&str, Reason> {
        let text = self.authorization.as_deref().map_err(|reason| *reason)?;
        let (given, credentials) = text.split_once(' ').ok_or(Reason::SchemeWrong)?;
        if given.eq_ignore_ascii_case(scheme) { Ok(credentials) } else { Err(Reason::SchemeWrong) }
    }
}

/// Path and query of an address or of a request target. Split by hand, because a library would decode, resolve `..` and
/// tolerate errors, and a secret must be compared as it was written.
fn split(url: &str) -> Option<(&str, &str)> {
    if url.chars().any(|c| c.is_control() || c.is_whitespace() || c == '#' || c == '\\') {
        return None;
    }
    let target = if url.starts_with('/') {
        url
    } else {
        let (scheme, rest) = url.split_once("://")?;
        if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
            return None;
        }
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        if end == 0 {
            return None;
        }
        &rest[end..]
    };
    Some(target.split_once('?').unwrap_or((target, "")))
}
