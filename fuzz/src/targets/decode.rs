//! Any bytes as a response of any format, in chunks of any size. The first byte selects both.

use crate::{FORMS, both_ways};

pub fn run(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else { return };
    let (form, piece) = (usize::from(first) % 3, usize::from(first) / 3);
    // 0 means a single chunk.
    let piece = if piece == 0 { bytes.len().max(1) } else { piece };
    both_ways(FORMS[form], bytes, piece);
}
