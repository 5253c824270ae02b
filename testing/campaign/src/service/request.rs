//! Parses the head of a request, as far as the ledger needs it.

/// The parsed head.
#[derive(Debug, Default, PartialEq)]
pub struct RequestHead {
    /// The last part of the path, without a query.
    pub call: String,
    /// `Content-Length`.
    pub length: Option<u64>,
    /// The `Authorization` header.
    pub token: Option<String>,
    /// The `User-Agent` header.
    pub agent: Option<String>,
}

/// The end of the head, if it has arrived.
pub fn end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

pub fn read(bytes: &[u8]) -> RequestHead {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.split("\r\n");
    let path = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap_or_default();
    let path = path.split('?').next().unwrap_or_default();
    let mut head = RequestHead {
        call: path.rsplit('/').next().unwrap_or_default().to_owned(),
        ..RequestHead::default()
    };
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        match name.to_lowercase().as_str() {
            "content-length" => head.length = value.trim().parse().ok(),
            "authorization" => head.token = Some(value.trim().to_owned()),
            "user-agent" => head.agent = Some(value.trim().to_owned()),
            _ => {}
        }
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_the_ledger_needs() {
        let bytes = b"POST /a/b/C12?x=/1 HTTP/1.1\r\nhost: x\r\nContent-Length: 12\r\nAuthorization: Bearer t\r\n\r\nabc";
        let at = end(bytes).unwrap();
        assert_eq!(&bytes[at..], b"abc");
        let wanted =
            RequestHead { call: "C12".into(), length: Some(12), token: Some("Bearer t".into()), agent: None };
        assert_eq!(read(&bytes[..at]), wanted);
        assert_eq!(end(&bytes[..at - 1]), None);
    }
}
