//! Any form, and any `Authorization` header, at the token endpoint of the sandbox: no token without the secret, which the
//! input does not contain.

use sondage_sandbox::fuzzing::token_request;

pub fn run(data: &[u8]) {
    let line = data.iter().position(|byte| *byte == b'\n').unwrap_or(0);
    let (header, form) = data.split_at(line);
    let status = token_request(form.strip_prefix(b"\n").unwrap_or(form), header);
    assert!((400..500).contains(&status), "a request without the secret got {status}");
}
