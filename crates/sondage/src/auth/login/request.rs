//! Reads the small part of HTTP that is needed to receive a code from a browser.

use tokio::io::{AsyncRead, AsyncReadExt};

const HEAD: usize = 32 * 1024;
const BODY: usize = 64 * 1024;

/// A request of a browser: the path, and the name-value pairs of its query or form.
#[derive(Debug, PartialEq)]
pub(super) struct BrowserRequest {
    pub path: String,
    pub pairs: String,
}

/// Reads a request. `None`: it is not a valid request, or it is too long.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Option<BrowserRequest> {
    let mut bytes = Vec::new();
    let mut beginning = (&mut *stream).take(HEAD as u64);
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if beginning.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let text = std::str::from_utf8(&bytes[..head]).ok()?.to_owned();
    let mut lines = text.split("\r\n");
    let mut first = lines.next()?.split(' ');
    let (method, target, _version) = (first.next()?, first.next()?, first.next()?);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = path.to_owned();
    if method == "GET" {
        return Some(BrowserRequest { path, pairs: query.to_owned() });
    }
    if method != "POST" {
        return None;
    }
    let length = lines.filter_map(|line| line.split_once(':')).find_map(|(name, value)| {
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok()).flatten()
    })?;
    if length > BODY {
        return None;
    }
    let mut body = bytes.split_off(head);
    while body.len() < length {
        if stream.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    body.truncate(length);
    Some(BrowserRequest { path, pairs: String::from_utf8(body).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncWriteExt as _;

    async fn parse(text: &str) -> Option<BrowserRequest> {
        read(&mut text.as_bytes()).await
    }

    #[tokio::test]
    async fn requests_of_browsers() {
        let get = parse("GET /back?code=1&state=2 HTTP/1.1\r\nHost: x\r\n\r\n").await;
        assert_eq!(get, Some(BrowserRequest { path: "/back".into(), pairs: "code=1&state=2".into() }));
        let post = parse("POST / HTTP/1.1\r\nContent-length: 6\r\n\r\ncode=1and more").await;
        assert_eq!(post, Some(BrowserRequest { path: "/".into(), pairs: "code=1".into() }));
        for bad in [
            "",
            "GET",
            "GET /\r\n\r\n",
            "PUT / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc",
        ] {
            assert_eq!(parse(bad).await, None, "{bad:?}");
        }
        assert_eq!(parse(&"x".repeat(HEAD * 3)).await, None);
    }

    /// Any process on this machine could send data without end.
    #[tokio::test]
    async fn no_more_is_read_than_a_request_may_have() {
        // Sent in chunks whose total never equals a limit exactly.
        let (mut browser, mut here) = tokio::io::duplex(1000);
        let sent = tokio::spawn(async move {
            let mut sent = 0;
            while browser.write_all(&[b'x'; 1000]).await.is_ok() && sent < 100 * HEAD {
                sent += 1000;
            }
            sent
        });
        assert_eq!(read(&mut here).await, None);
        drop(here);
        assert!(sent.await.unwrap() < 2 * HEAD, "the head");

        let form = |length: usize| {
            format!("POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{}", "x".repeat(length))
        };
        assert!(parse(&form(BODY)).await.is_some());
        assert_eq!(parse(&form(BODY + 1)).await, None);
    }
}
