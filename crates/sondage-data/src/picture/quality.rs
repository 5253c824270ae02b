//! What is shown of the quality of interviews.

use sondage::reports::{MarkedInterview, Quality};

use super::{Bar, Chart, Drawing, Grid, GridRow, LongColumn, Shown, percent};

/// The most interviews that a text names.
const NAMED: usize = 10;

impl Shown for Quality {
    fn grid(&self) -> Grid {
        let title = format!("{} of {} rows are complete", self.complete, self.rows);
        let mut grid = Grid::new(title, "check", ["examined", "marked", "% marked"].map(str::to_owned));
        for check in &self.checks {
            let share = share(check.marked, check.examined);
            let (examined, marked) = (check.examined.to_string(), check.marked.to_string());
            let cells = vec![check.name.clone(), examined, marked, percent(share)];
            grid.rows.push(GridRow {
                cells,
                bar: share.map(|share| share / 100.0),
                is_aside: false,
                ..GridRow::default()
            });
        }
        grid.notes.extend(self.checks.iter().map(|check| format!("{}: {}", check.name, check.rule)));
        let marked = self.interviews.iter().take(NAMED).map(|one| {
            let id = one.id.clone().unwrap_or_else(|| format!("row {}", one.row));
            format!("{id} ({})", one.checks.join(", "))
        });
        let marked: Vec<String> = marked.collect();
        if !marked.is_empty() {
            let more = self.interviews.len().saturating_sub(NAMED);
            let more = if more > 0 { format!("; … {more} more") } else { String::new() };
            grid.notes.push(format!("marked: {}{more}", marked.join("; ")));
        }
        if self.broken_off > 0 {
            let mut places: Vec<_> = self.drop_out.iter().collect();
            places.sort_by_key(|place| std::cmp::Reverse(place.n));
            let name = |place: &&sondage::reports::DropOut| {
                format!("{} after {}", place.n, place.column.as_deref().unwrap_or("no answer"))
            };
            let places: Vec<String> = places.iter().take(5).map(name).collect();
            grid.notes.push(format!("{} broken off: {}", self.broken_off, places.join(", ")));
        }
        grid.notes.extend(self.warnings.iter().cloned());
        grid
    }

    fn drawing(&self) -> Drawing {
        let bar = |check: &sondage::reports::QualityCheck| {
            let share = share(check.marked, check.examined);
            let shown = format!("{} of {} ({} %)", check.marked, check.examined, percent(share));
            Bar { label: check.name.clone(), value: share.unwrap_or_default(), shown }
        };
        let bars: Vec<Bar> = self.checks.iter().map(bar).collect();
        let all: Vec<String> = bars.iter().map(|bar| format!("{}: {}", bar.label, bar.shown)).collect();
        Drawing {
            title: format!("Marked interviews, {} complete", self.complete),
            description: all.join("; "),
            chart: Chart::Bars(bars),
        }
    }

    fn long(&self) -> Vec<LongColumn> {
        let all = self.interviews.iter();
        let is_marked =
            |name: &'static str| move |one: &MarkedInterview| one.checks.iter().any(|check| check == name);
        vec![
            LongColumn::counts("row", "The row, counted from 0.", all.clone().map(|one| Some(one.row))),
            LongColumn::texts("id", "The id of the interview.", all.clone().map(|one| one.id.clone())),
            LongColumn::flags("speeding", "Whether it was too fast.", all.clone().map(is_marked("speeding"))),
            LongColumn::flags(
                "straight_lining",
                "Whether its matrices have one answer throughout.",
                all.clone().map(is_marked("straight_lining")),
            ),
            LongColumn::flags(
                "duplicate_text",
                "Whether it has an open answer of another interview.",
                all.clone().map(is_marked("duplicate_text")),
            ),
            LongColumn::flags(
                "not_available",
                "Whether too much is not available.",
                all.clone().map(is_marked("not_available")),
            ),
            LongColumn::numbers("seconds", "How long it took.", all.map(|one| one.seconds)),
        ]
    }
}

#[allow(clippy::cast_precision_loss)] // fewer than 2^53
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64 * 100.0)
}
