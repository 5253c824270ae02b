//! Requests to a webhook receiver: the first line is the address, then headers until an empty line, then the body. No
//! request is accepted without the secret.

use chrono::{DateTime, Utc};
use sondage::webhook::{Hook, Strategy};
use std::sync::LazyLock;

const SECRET: &str = "Zm9yIHRoZSBmdXp6ZXIgb25seSwgMzIgYnl0ZXMgbG9uZw";

/// The hooks, and what a request must contain to be accepted; nothing suffices where tokens are signed.
static HOOKS: LazyLock<Vec<(Hook, Option<&'static str>)>> = LazyLock::new(|| {
    let hook = |strategy: sondage::Result<Strategy>| Hook::new(strategy.expect("valid")).expect("valid");
    vec![
        (hook(Strategy::obscure_url_with(SECRET)), Some(SECRET)),
        (
            hook(Strategy::basic("fuzz", SECRET)),
            Some("ZnV6ejpabTl5SUhSb1pTQm1kWHA2WlhJZ2IyNXNlU3dnTXpJZ1lubDBaWE1nYkc5dVp3"),
        ),
        (hook(Strategy::bearer(SECRET, "fuzz", 30)), None),
        (hook(Strategy::signed_url(SECRET, 30)), None),
        (hook(Strategy::azure_signed_url(format!("{SECRET}=="), "fuzz", 30)), None),
    ]
});

pub fn run(data: &[u8]) {
    let now = DateTime::<Utc>::from_timestamp(1_800_000_000, 0).expect("a time");
    let mut parts = data.splitn(2, |byte| *byte == b'\n');
    let url = String::from_utf8_lossy(parts.next().unwrap_or_default()).into_owned();
    let mut rest = parts.next().unwrap_or_default();
    let mut headers = Vec::new();
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let (line, after) = rest.split_at(end);
        rest = &after[1..];
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { break };
        headers.push((String::from_utf8_lossy(&line[..colon]).into_owned(), line[colon + 1..].to_vec()));
    }
    for (hook, needed) in HOOKS.iter() {
        if hook.verify_at(now, &url, headers.iter().map(|(name, value)| (name.as_str(), value)), rest).is_ok()
        {
            let needed = needed.expect("nobody can sign without the key");
            assert!(
                data.windows(needed.len()).any(|part| part == needed.as_bytes()),
                "accepted without the secret"
            );
        }
    }
}
