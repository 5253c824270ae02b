//! Any response of a token endpoint. The first byte selects its status and whether it contains the secrets of the
//! request: no error may show them.

use sondage::auth::fuzzing::{SECRETS, token_answer};

const STATUS: [u16; 6] = [200, 400, 401, 403, 429, 500];

pub fn run(data: &[u8]) {
    let Some((&first, body)) = data.split_first() else { return };
    let status = STATUS[usize::from(first) % STATUS.len()];
    let mut body = body.to_vec();
    if first >= 128 {
        let at = body.iter().position(|byte| *byte == b'~').unwrap_or(body.len());
        let shown = format!(" {} ", SECRETS.join(" "));
        body.splice(at..(at + 1).min(body.len()), shown.into_bytes());
    }
    let Some(text) = token_answer(status, &body) else {
        return assert_eq!(status, 200, "a token in a response with an error status");
    };
    for secret in SECRETS {
        assert!(!text.contains(secret), "{text}");
    }
    assert!(text.len() < 10_000 && !text.chars().any(char::is_control), "{text:?}");
}
