//! Requests and replies of HTTP/1.1.

use std::fmt::Write as _;
use std::io::BufRead;

/// A complete request.
#[derive(Clone, Debug)]
pub struct Request {
    /// For example `POST`.
    pub method: String,
    /// The path with its query; with a proxy the whole URL.
    pub path: String,
    /// The headers in their order, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, whose length the request must state.
    pub body: Vec<u8>,
}

impl Request {
    /// Reads a request. `None`: the connection has ended, or it was no request.
    pub fn read(from: &mut impl BufRead) -> Option<Self> {
        let mut line = String::new();
        from.read_line(&mut line).ok()?;
        let mut words = line.split(' ');
        let (method, path) = (words.next()?.to_owned(), words.next()?.to_owned());
        let mut headers = Vec::new();
        loop {
            line.clear();
            if from.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let Some((name, value)) = line.split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        let mut request = Self { method, path, headers, body: Vec::new() };
        let length = request.header("content-length").and_then(|length| length.parse().ok());
        request.body = vec![0; length.unwrap_or(0)];
        from.read_exact(&mut request.body).ok()?;
        Some(request)
    }

    /// The first header of this name, in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A reply.
#[derive(Clone, Debug)]
pub struct Reply {
    head: String,
    body: Vec<u8>,
}

impl Reply {
    /// A reply with a status and a body.
    pub fn new(status: u16, body: impl AsRef<[u8]>) -> Self {
        let body = body.as_ref().to_vec();
        Self { head: format!("HTTP/1.1 {status} Test\r\ncontent-length: {}\r\n", body.len()), body }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let _ = write!(self.head, "{name}: {value}\r\n");
        self
    }

    /// The bytes of the reply.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut bytes = (self.head + "\r\n").into_bytes();
        bytes.extend(self.body);
        bytes
    }
}
