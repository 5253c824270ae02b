//! The cells of a table of results: which rows each of them counts, and which of them a session that hides personal data may tell.

use super::field::entry;
use super::ledger::{Ledger, NotTold, SMALLEST, Vector};

/// What is told about a selection of fewer than ten.
pub const FEW: &str = "The interviews that this is about, those that it leaves out, or those by which it differs from what this session has told \
    before, are fewer than ten. So nothing is told; the person who starts the server can allow it with `--personal-data`.";

/// How many cells are hidden, one after the other, before nothing is told.
const ATTEMPTS: usize = 12;

/// The most cells that are examined one by one.
const MOST_CELLS: usize = 60;

/// Cells, each with the rows that it counts.
#[derive(Debug, Default)]
pub struct Cells {
    pub sets: Vec<Vec<u32>>,
    pub hidden: Vec<bool>,
    /// Cells that add up to a number that is told, or to all rows.
    pub lines: Vec<Vec<usize>>,
}

impl Cells {
    /// Adds a cell.
    pub fn add(&mut self, rows: Vec<u32>) -> usize {
        self.sets.push(rows);
        self.hidden.push(false);
        self.sets.len() - 1
    }

    pub fn n(&self, cell: usize) -> usize {
        self.sets[cell].len()
    }

    /// Hides small cells, and others from which they could be computed.
    fn protect(&mut self) {
        for cell in 0..self.sets.len() {
            self.hidden[cell] |= (1..SMALLEST).contains(&self.n(cell));
        }
        loop {
            let mut has_changed = false;
            for line in &self.lines {
                loop {
                    let counted = line.iter().filter(|cell| !self.sets[**cell].is_empty());
                    let hidden: Vec<usize> = counted.filter(|cell| self.hidden[**cell]).copied().collect();
                    let rows: usize = hidden.iter().map(|cell| self.n(*cell)).sum();
                    if hidden.is_empty() || (hidden.len() > 1 && rows >= SMALLEST) {
                        break;
                    }
                    let shown = line.iter().filter(|cell| !self.hidden[**cell] && self.n(**cell) > 0);
                    let Some(smallest) = shown.min_by_key(|cell| self.n(**cell)) else { break };
                    self.hidden[*smallest] = true;
                    has_changed = true;
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Tells the cells, as many as possible. `sums`: numbers of each row whose sums are told for each cell, too.
    pub fn tell(
        &mut self,
        base: &[u32],
        sums: &[Vec<f64>],
        rows: usize,
        ledger: &mut Ledger,
    ) -> Result<(), String> {
        let of_base = vectors(base, sums, rows);
        self.protect();
        for attempt in 0..ATTEMPTS {
            let shown = (0..self.sets.len()).filter(|cell| !self.hidden[*cell] && self.n(*cell) > 0);
            let of_cells = shown.flat_map(|cell| vectors(&self.sets[cell], sums, rows));
            let numbers: Vec<Vector> = of_base.iter().cloned().chain(of_cells).collect();
            let revealed = match ledger.tell(&numbers) {
                Ok(()) => return Ok(()),
                Err(NotTold::Exhausted) => return Err(exhausted()),
                Err(NotTold::Reveals(rows)) => rows,
            };
            if attempt == 0 {
                if ledger.clone().tell(&of_base).is_err() {
                    break;
                }
                // Those that reveal something on their own.
                let mut hides = false;
                for cell in 0..self.sets.len().min(MOST_CELLS) {
                    let alone = of_base
                        .iter()
                        .cloned()
                        .chain(vectors(&self.sets[cell], sums, rows))
                        .collect::<Vec<_>>();
                    if !self.hidden[cell] && self.n(cell) > 0 && ledger.clone().tell(&alone).is_err() {
                        self.hidden[cell] = true;
                        hides = true;
                    }
                }
                if hides {
                    self.protect();
                    continue;
                }
            }
            let is_shown = |cell: &usize| !self.hidden[*cell] && self.n(*cell) > 0;
            let is_part = |cell: &usize| {
                let has = |row: &usize| u32::try_from(*row).is_ok_and(|row| self.sets[*cell].contains(&row));
                revealed.iter().any(has)
            };
            // One of those people is in another cell, or was told before: then any cell may be the other part of the sum.
            let shown: Vec<usize> = (0..self.sets.len()).filter(is_shown).collect();
            let of_part = shown.iter().filter(|cell| is_part(cell)).min_by_key(|cell| self.n(**cell));
            let smallest = of_part.or_else(|| shown.iter().min_by_key(|cell| self.n(**cell)));
            let Some(&cell) = smallest else { break };
            self.hidden[cell] = true;
            self.protect();
        }
        Err(FEW.to_owned())
    }
}

fn exhausted() -> String {
    "This session has told as many numbers about this survey as it may while personal data are hidden. What was told can be asked for \
     again; a new session starts anew."
        .to_owned()
}

/// The numbers that are told of some rows: how many they are, and the sums.
fn vectors(of: &[u32], sums: &[Vec<f64>], rows: usize) -> Vec<Vector> {
    let mut vectors = vec![vec![0; rows]; 1 + sums.len()];
    for row in of {
        let row = *row as usize;
        vectors[0][row] = 1;
        for (sum, vector) in sums.iter().zip(&mut vectors[1..]) {
            vector[row] = entry(sum[row]);
        }
    }
    vectors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(sizes: &[u32]) -> (Cells, u32) {
        let (mut cells, mut next) = (Cells::default(), 0);
        for size in sizes {
            cells.add((next..next + size).collect());
            next += size;
        }
        cells.lines = vec![(0..sizes.len()).collect()];
        (cells, next)
    }

    #[test]
    fn a_small_cell_hides_another() {
        for (sizes, hidden) in [
            (vec![40, 30, 20], vec![false, false, false]),
            (vec![40, 30, 3], vec![false, true, true]),
            (vec![40, 30, 6, 5], vec![false, false, true, true]),
            (vec![40, 30, 3, 4], vec![false, true, true, true]),
            (vec![197, 3, 0], vec![true, true, false]),
        ] {
            let (mut cells, rows) = cells(&sizes);
            let base: Vec<u32> = (0..rows).collect();
            let mut ledger = Ledger::new(&vec![0; rows as usize]);
            cells.tell(&base, &[], rows as usize, &mut ledger).unwrap();
            assert_eq!(cells.hidden, hidden, "{sizes:?}");
        }
    }

    #[test]
    fn what_was_told_hides_more() {
        let mut ledger = Ledger::new(&[0; 100]);
        let (mut first, _) = cells(&[50, 50]);
        first.tell(&(0..100).collect::<Vec<_>>(), &[], 100, &mut ledger).unwrap();
        let mut second = Cells::default();
        second.add((0..45).collect());
        second.add((45..100).collect());
        second.lines = vec![vec![0, 1]];
        second.tell(&(0..100).collect::<Vec<_>>(), &[], 100, &mut ledger).unwrap();
        assert_eq!(second.hidden, [true, true]);
    }
}
