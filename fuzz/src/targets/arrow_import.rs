//! Any bytes as an Arrow stream from another library: refused, or rows with valid text.

use sondage_data::ipc_rows;
use std::sync::Once;

static HOOK: Once = Once::new();

pub fn run(data: &[u8]) {
    // libFuzzer's hook aborts the process at any panic. Arrow panics on some bytes, and `ipc_rows` catches that, so the
    // hook is replaced: only a panic that escapes ends the process.
    HOOK.call_once(|| drop(std::panic::take_hook()));
    let Ok(batches) = ipc_rows(data.to_vec()) else { return };
    for batch in batches.take(16) {
        let Ok(batch) = batch else { return };
        for column in batch.columns() {
            column.to_data().validate_full().expect("accepted rows are valid");
        }
    }
}
