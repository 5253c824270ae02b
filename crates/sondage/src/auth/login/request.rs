//! Reads the little of HTTP that a browser needs to bring a code back.

use tokio::io::{AsyncRead, AsyncReadExt};

const HEAD: usize = 32 * 1024;
const BODY: usize = 64 * 1024;

/// A request of a browser: the path, and the pairs of its query or of its form.
#[derive(Debug, PartialEq)]
pub(super) struct Request {
    pub path: String,
    pub pairs: String,
}

/// Reads a request. `None`: it is none, or too long.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Option<Request> {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
        if bytes.len() > HEAD || stream.read_buf(&mut bytes).await.ok()? == 0 {
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
        return Some(Request { path, pairs: query.to_owned() });
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
    Some(Request { path, pairs: String::from_utf8(body).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Option<Request> {
        crate::runtime::handle().block_on(async { read(&mut text.as_bytes()).await })
    }

    #[test]
    fn requests_of_browsers() {
        let get = parse("GET /back?code=1&state=2 HTTP/1.1\r\nHost: x\r\n\r\n");
        assert_eq!(get, Some(Request { path: "/back".into(), pairs: "code=1&state=2".into() }));
        let post = parse("POST / HTTP/1.1\r\nContent-length: 6\r\n\r\ncode=1and more");
        assert_eq!(post, Some(Request { path: "/".into(), pairs: "code=1".into() }));
        for bad in [
            "",
            "GET",
            "GET /\r\n\r\n",
            "PUT / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
            "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nabc",
        ] {
            assert_eq!(parse(bad), None, "{bad:?}");
        }
        assert_eq!(parse(&"x".repeat(HEAD * 3)), None);
    }
}
