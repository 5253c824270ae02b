//! Runs the cells of the matrix. Each has a service and a client of its own, so that none is judged by what others do.

use crate::cells::{self, Cell, Form};
use crate::stage::Stage;
use crate::tally::Tally;
use crate::{drive, judge::Verdict, parallel};

pub fn run(form: Form, family: Option<&str>) -> Result<Tally, String> {
    let mut cells = cells::all(form)?;
    cells.retain(|cell| family.is_none_or(|family| cell.family == family));
    Ok(parallel::each("matrix", &cells, |tally, cell| tally.add(cell, one(cell))))
}

fn one(cell: &Cell) -> Result<Verdict, String> {
    let stage = Stage::set(cell)?;
    let report = drive::call(cell, &stage);
    Ok(stage.judge(cell, &report))
}
