//! Any bytes as an answer of any form, in pieces of any size. The first byte says which.

use crate::{FORMS, both_ways};

pub fn run(data: &[u8]) {
    let Some((&first, bytes)) = data.split_first() else { return };
    let (form, piece) = (usize::from(first) % 3, usize::from(first) / 3);
    // 0 is for the whole at once.
    let piece = if piece == 0 { bytes.len().max(1) } else { piece };
    both_ways(FORMS[form], bytes, piece);
}
