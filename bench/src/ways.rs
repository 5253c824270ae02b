//! The ways to read with this library, and what they are compared with in Rust.

use arrow_array::RecordBatch;
use sondage_data::{Page, PageDecoder, PayloadLayout, Table, TableBuilder};
use sonic_rs::JsonValueTrait as _;
use std::time::{Duration, Instant};

/// The chunk size in which a response arrives from a network.
const PIECE: usize = 64 << 10;

/// What can be measured, by its name in the report.
pub const WAYS: [&str; 3] = ["sondage", "sondage, the ordinary way", "sonic-rs, skipping"];

fn feed(mut decoder: PageDecoder, bytes: &[u8]) -> PageDecoder {
    for piece in bytes.chunks(PIECE) {
        decoder.feed(piece).expect("the answers are valid");
    }
    decoder
}

/// Only the decoding, for counting instructions.
#[inline(never)]
pub fn decode_only(form: PayloadLayout, bytes: &[u8]) -> Page {
    feed(PageDecoder::new(form), bytes).finish().expect("the answers are whole")
}

/// Reads one response, in chunks, to a finished table, and returns the work left after the last chunk.
pub fn table(form: PayloadLayout, bytes: &[u8], ordinary: bool) -> (Table, Duration) {
    let decoder = PageDecoder::new(form);
    let decoder = if ordinary { decoder.without_prediction() } else { decoder };
    let decoder = feed(decoder, bytes);
    let there = Instant::now();
    let mut builder = TableBuilder::new(form);
    builder.append(decoder.finish().expect("the answers are whole")).expect("one form");
    let table = builder.finish().expect("a table");
    (table, there.elapsed())
}

/// Validates the same text without keeping anything.
pub fn skip(bytes: &[u8]) {
    let value = sonic_rs::get_from_slice(bytes, &["isSuccess"]).expect("the answers are valid");
    assert_eq!(value.as_bool(), Some(true));
}

/// The size of the table in bytes.
pub fn size(table: &Table) -> usize {
    table.batches().iter().map(RecordBatch::get_array_memory_size).sum()
}

/// Runs it once; returns the table, if there is one, and the time after the last byte had arrived.
pub fn run(way: &str, form: PayloadLayout, bytes: &[u8]) -> Option<(Table, Duration)> {
    match way {
        "sondage" => Some(table(form, bytes, false)),
        "sondage, the ordinary way" => Some(table(form, bytes, true)),
        _ => {
            skip(bytes);
            None
        }
    }
}
