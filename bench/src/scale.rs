//! What a cell costs in answers of different sizes.

use crate::process::thread_cpu;
use crate::{answer, ways};
use sondage_data::PayloadLayout;
use std::time::Duration;

/// Bytes of a cell, about.
const CELL: usize = 14;
/// Small answers are read until this many cells have been.
const ENOUGH: u64 = 20_000_000;

/// Says how many cells there are and the nanoseconds for each, to a finished table: the best of several times.
pub fn measure(columns: usize, cells: usize) {
    let answer = answer::of_size(PayloadLayout::Compact, columns, cells * CELL, 7);
    let times = (ENOUGH / answer.cells).clamp(3, 200);
    let mut best = Duration::MAX;
    for _ in 0..times {
        let began = thread_cpu();
        let table = ways::table(answer.form, answer.text.as_bytes(), false);
        best = best.min(thread_cpu() - began);
        drop(table);
    }
    println!("{} {}", answer.cells, best.as_secs_f64() * 1e9 / answer.cells as f64);
}
