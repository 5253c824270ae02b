//! Runs the cells of the matrix. Each has a service and a client of its own, so that cells do not affect each other.

use crate::cells::{self, CampaignCell, CampaignLength};
use crate::stage::CampaignStage;
use crate::tally::Tally;
use crate::{drive, judge::CellVerdict, parallel};

pub fn run(form: CampaignLength, family: Option<&str>) -> Result<Tally, String> {
    let mut cells = cells::all(form)?;
    cells.retain(|cell| family.is_none_or(|family| cell.family == family));
    // When other calls learn of a pause depends on timing: with high concurrency, a busy machine would make them too
    // late.
    let (timed, rest): (Vec<CampaignCell>, Vec<CampaignCell>) =
        cells.into_iter().partition(|cell| cell.setting.others > 0);
    let add = |tally: &parallel::SharedTally, cell: &CampaignCell| tally.add(cell, one(cell));
    let mut tally = parallel::each("matrix", &rest, add);
    if !parallel::is_enough(&tally) {
        tally.take_in(parallel::a_few("matrix, pauses", &timed, add));
    }
    Ok(tally)
}

fn one(cell: &CampaignCell) -> Result<CellVerdict, String> {
    let stage = CampaignStage::set(cell)?;
    let report = drive::call(cell, &stage);
    Ok(stage.judge(cell, &report))
}
