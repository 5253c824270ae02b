//! Runs the cells, many at once. Each has a service and a client of its own, so that none is judged by what others do.

use crate::cells::{self, Cell, Form};
use crate::stage::Stage;
use crate::tally::Tally;
use crate::{drive, judge::Verdict};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Most of a cell is waiting for sockets.
const AT_ONCE: usize = 96;

pub fn run(form: Form, family: Option<&str>) -> Result<Tally, String> {
    let mut cells = cells::all(form)?;
    cells.retain(|cell| family.is_none_or(|family| cell.family == family));
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE.min(cells.len()) {
            scope.spawn(|| {
                while let Some(cell) = cells.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let result = one(cell);
                    tally.lock().unwrap_or_else(PoisonError::into_inner).add(cell, result);
                }
            });
        }
    });
    Ok(tally.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn one(cell: &Cell) -> Result<Verdict, String> {
    let stage = Stage::set(cell)?;
    let report = drive::call(cell, &stage);
    Ok(stage.judge(cell, &report))
}
