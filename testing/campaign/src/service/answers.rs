//! Responses as bytes.

use crate::ledger::Verdict;
use crate::script::{ScriptAnswer, unescape};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

/// A response, ready to be sent.
pub struct PreparedAnswer {
    pub bytes: Vec<u8>,
    pub status: u16,
    pub means: Verdict,
    pub retry_after: Option<u64>,
    pub code: Option<String>,
}

/// The name of a body in the cells, and its argument after the colon.
struct AnswerBody {
    bytes: Vec<u8>,
    means: Option<Verdict>,
    code: Option<String>,
    /// Headers that belong to the body.
    headers: &'static str,
}

impl AnswerBody {
    fn of(bytes: impl Into<Vec<u8>>, means: impl Into<Option<Verdict>>) -> Self {
        Self { bytes: bytes.into(), means: means.into(), code: None, headers: "" }
    }
}

/// Writes a response to the call with this id. `None`: the cells name an unknown body.
pub fn make(answer: &ScriptAnswer, call: &str) -> Option<PreparedAnswer> {
    let word =
        answer.body.as_deref().unwrap_or(if (200..300).contains(&answer.status) { "success" } else { "" });
    let body = body(word, call)?;
    let mut head = format!("HTTP/1.1 {} Said\r\n", answer.status);
    let mut retry_after = None;
    for header in answer.headers.iter().map(String::as_str) {
        head.extend([header, "\r\n"]);
        if let Some(value) = header.to_lowercase().strip_prefix("retry-after:") {
            retry_after = seconds(value.trim());
        }
    }
    head += body.headers;
    let framed = answer.headers.iter().any(|header| {
        let header = header.to_lowercase();
        header.starts_with("content-length") || header.starts_with("transfer-encoding")
    });
    if !framed && !(100..200).contains(&answer.status) && ![204, 304].contains(&answer.status) {
        head.extend(["content-length: ", &body.bytes.len().to_string(), "\r\n"]);
    }
    head += "\r\n";
    let mut bytes = head.into_bytes();
    if ![204, 304].contains(&answer.status) {
        bytes.extend(&body.bytes);
    }
    let by_status = Verdict::of(answer.status);
    let means =
        answer.means.or(if by_status == Verdict::Success { body.means } else { None }).unwrap_or(by_status);
    // A response without a body does not indicate success.
    let means = if answer.status == 204 && answer.means.is_none() { Verdict::Unknown } else { means };
    Some(PreparedAnswer { bytes, status: answer.status, means, retry_after, code: body.code })
}

fn success(call: &str) -> String {
    format!("{{\"isSuccess\":true,\"echo\":\"{call}\"}}")
}

fn body(word: &str, call: &str) -> Option<AnswerBody> {
    let (name, rest) = word.split_once(':').unwrap_or((word, ""));
    Some(match name {
        "" => AnswerBody::of("", Verdict::Unknown),
        "success" => AnswerBody::of(success(call), Verdict::Success),
        "refused" => {
            let text = format!(
                "{{\"isSuccess\":false,\"errorCode\":\"{rest}\",\"errorMessage\":\"the service says {rest}\"}}"
            );
            AnswerBody { code: Some(rest.to_owned()), ..AnswerBody::of(text, Verdict::Refusal) }
        }
        "text" => AnswerBody::of(unescape(rest)?, Verdict::Unknown),
        "long" => AnswerBody::of(" ".repeat(rest.parse().ok()?) + &success(call), Verdict::Success),
        "deep" => {
            let depth: usize = rest.parse().ok()?;
            let text = format!("{{\"isSuccess\":true,\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
            AnswerBody::of(text, Verdict::Ambiguous)
        }
        "token" => {
            let life = if rest.is_empty() { "3600" } else { rest };
            let text =
                format!("{{\"access_token\":\"t-{call}\",\"token_type\":\"Bearer\",\"expires_in\":{life}}}");
            AnswerBody::of(text, Verdict::Success)
        }
        "gzip" => gzip(rest, call)?,
        _ => return None,
    })
}

/// Bodies that claim to be compressed.
fn gzip(kind: &str, call: &str) -> Option<AnswerBody> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(success(call).as_bytes()).ok()?;
    let mut packed = packed.finish().ok()?;
    let mut means = Verdict::Unknown;
    match kind {
        "" => means = Verdict::Success,
        "cut" => packed.truncate(packed.len() / 2),
        "no-trailer" => packed.truncate(packed.len() - 8),
        "checksum" => {
            let at = packed.len() - 6;
            packed[at] ^= 0xff;
        }
        "head" => packed[0] = 0,
        "flipped" => {
            let at = packed.len() / 2;
            packed[at] ^= 0x55;
        }
        "trailing" => {
            packed.extend(b"more");
            means = Verdict::Ambiguous;
        }
        "twice" => {
            packed.extend(packed.clone());
            means = Verdict::Ambiguous;
        }
        "empty" => packed.clear(),
        "plain" => packed = success(call).into_bytes(),
        "bomb" => {
            let mut bomb = GzEncoder::new(Vec::new(), Compression::fast());
            bomb.write_all(&vec![b' '; 8 << 20]).ok()?;
            bomb.write_all(success(call).as_bytes()).ok()?;
            packed = bomb.finish().ok()?;
        }
        _ => return None,
    }
    Some(AnswerBody { headers: "content-encoding: gzip\r\n", ..AnswerBody::of(packed, means) })
}

/// `Retry-After` in seconds, a number without bounds as a year; dates are judged by their presence alone.
fn seconds(value: &str) -> Option<u64> {
    const YEAR: u64 = 31_536_000;
    let is_number = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| value.parse().unwrap_or(YEAR))
}
