//! What a person is told whose Ctrl-C has ended a wait.

use sondage::Client;

/// What the calls of a client were doing. Several threads may use it, so it does not say which of them was interrupted.
pub fn interrupted(client: &Client) -> String {
    let writes: Vec<String> = client.pending_writes().into_iter().map(|write| write.operation).collect();
    if !writes.is_empty() {
        let names = writes.join(", ");
        return format!(
            "{names} had been sent and had no response yet. It goes on: `write_outcomes` waits for it, and says what became of it."
        );
    }
    let calls: Vec<String> = client.pending_calls().iter().map(ToString::to_string).collect();
    match calls.as_slice() {
        [] => "No call was under way.".to_owned(),
        calls => format!("Under way was {}. No write was under way.", calls.join(", and ")),
    }
}
