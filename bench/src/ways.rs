//! The ways of this library, and what they are measured against without leaving Rust.

use sondage_data::{Form, Page, PageDecoder, Table, TableBuilder};
use sonic_rs::JsonValueTrait as _;

/// As pieces of an answer arrive from a network.
const PIECE: usize = 64 << 10;

/// What can be measured, by the name that the report uses.
pub const WAYS: [&str; 3] = ["sondage", "sondage, the ordinary way", "sonic-rs, skipping"];

fn decode(mut decoder: PageDecoder, bytes: &[u8]) -> Page {
    for piece in bytes.chunks(PIECE) {
        decoder.feed(piece).expect("the answers are valid");
    }
    decoder.finish().expect("the answers are whole")
}

/// Only the decoding, for counting instructions.
#[inline(never)]
pub fn decode_only(form: Form, bytes: &[u8]) -> Page {
    decode(PageDecoder::new(form), bytes)
}

/// One answer, in pieces, to a finished table.
pub fn table(form: Form, bytes: &[u8], ordinary: bool) -> Table {
    let decoder = PageDecoder::new(form);
    let decoder = if ordinary { decoder.without_prediction() } else { decoder };
    let mut builder = TableBuilder::new(form);
    builder.append(decode(decoder, bytes)).expect("one form");
    builder.finish().expect("a table")
}

/// Passes over the same text with checks, and makes nothing of it.
pub fn skip(bytes: &[u8]) {
    let value = sonic_rs::get_from_slice(bytes, &["isSuccess"]).expect("the answers are valid");
    assert_eq!(value.as_bool(), Some(true));
}

/// Does it once; the table, where there is one.
pub fn run(way: &str, form: Form, bytes: &[u8]) -> Option<Table> {
    match way {
        "sondage" => Some(table(form, bytes, false)),
        "sondage, the ordinary way" => Some(table(form, bytes, true)),
        _ => {
            skip(bytes);
            None
        }
    }
}
