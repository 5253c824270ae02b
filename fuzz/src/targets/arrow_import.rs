//! Any bytes as an Arrow stream of another library: refused, or rows whose texts are text.

use sondage_data::ipc_rows;

pub fn run(data: &[u8]) {
    let Ok(batches) = ipc_rows(data.to_vec()) else { return };
    for batch in batches.take(16) {
        let Ok(batch) = batch else { return };
        for column in batch.columns() {
            column.to_data().validate_full().expect("what is let in is valid");
        }
    }
}
