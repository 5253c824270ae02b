//! The loops of the decoder: `cargo bench --manifest-path bench/Cargo.toml`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use sondage_bench::{answer, ways};
use sondage_data::PayloadLayout;

fn main() {
    divan::main();
}

const ANSWERS: [(PayloadLayout, usize); 4] = [
    (PayloadLayout::Compact, 60),
    (PayloadLayout::Compact, 300),
    (PayloadLayout::Structured, 60),
    (PayloadLayout::Members, 18),
];

fn each(bencher: Bencher, which: usize, read: impl Fn(PayloadLayout, &[u8])) {
    let (form, columns) = ANSWERS[which];
    let answer = answer::of_size(form, columns, 4_000_000, 7);
    let bytes = answer.text.as_bytes();
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| read(form, black_box(bytes)));
}

#[divan::bench(args = [0, 1, 2, 3])]
fn foreseen(bencher: Bencher, which: usize) {
    each(bencher, which, |form, bytes| drop(ways::decode_only(form, bytes)));
}

#[divan::bench(args = [0, 1, 2, 3])]
fn to_a_table(bencher: Bencher, which: usize) {
    each(bencher, which, |form, bytes| drop(ways::table(form, bytes, false)));
}

#[divan::bench(args = [0, 1, 2, 3])]
fn the_ordinary_way(bencher: Bencher, which: usize) {
    each(bencher, which, |form, bytes| drop(ways::table(form, bytes, true)));
}

#[divan::bench(args = [0, 1, 2, 3])]
fn skipped_by_sonic_rs(bencher: Bencher, which: usize) {
    each(bencher, which, |_, bytes| ways::skip(bytes));
}
