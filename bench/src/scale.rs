//! The cost of a cell in responses of different sizes.

use crate::process::thread_cpu;
use crate::{answer, ways};
use sondage_data::PayloadLayout;
use std::time::Duration;

/// Approximate bytes per cell.
const CELL: usize = 14;
/// Small responses are read repeatedly until this many cells have been read.
const ENOUGH: u64 = 20_000_000;

/// Prints the number of cells and the nanoseconds per cell, up to a finished table: the best of several runs.
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
