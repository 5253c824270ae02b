//! Any bytes as an Arrow stream of another library: refused, or rows whose texts are text.

use sondage_data::ipc_rows;
use std::sync::Once;

static HOOK: Once = Once::new();

pub fn run(data: &[u8]) {
    // libFuzzer's hook ends the process at any panic. Arrow panics over some bytes, and `ipc_rows` catches that: only what
    // gets out of it is a finding, and the program around this function ends the process over that too.
    HOOK.call_once(|| drop(std::panic::take_hook()));
    let Ok(batches) = ipc_rows(data.to_vec()) else { return };
    for batch in batches.take(16) {
        let Ok(batch) = batch else { return };
        for column in batch.columns() {
            column.to_data().validate_full().expect("what is let in is valid");
        }
    }
}
