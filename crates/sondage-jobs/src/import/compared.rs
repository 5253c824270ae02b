//! The digests of this run's rows, compared with those of an earlier run while they are read: equal ones are stored once.

use super::prints::Print;

/// The digests of this run's rows, and of what an earlier run had in their places.
#[derive(Default)]
pub(crate) struct ComparedPrints {
    /// Of this run's rows, followed by the earlier run's of rows that this run has not read.
    prints: Vec<Print>,
    /// How many rows this run has read, and how many the earlier run had.
    rows: usize,
    before: usize,
    /// The earlier run's digests of rows that are different now.
    replaced: Vec<(usize, Print)>,
}

impl ComparedPrints {
    /// `before`: the digests of the earlier run.
    pub(super) fn with(before: Vec<Print>) -> Self {
        Self { rows: 0, before: before.len(), prints: before, replaced: Vec::new() }
    }

    /// Adds the next row of this run.
    pub(super) fn push(&mut self, print: Print) {
        match self.prints.get_mut(self.rows) {
            Some(before) if *before == print => {}
            Some(before) => self.replaced.push((self.rows, std::mem::replace(before, print))),
            None => self.prints.push(print),
        }
        self.rows += 1;
    }

    /// The digests of this run's rows.
    pub(super) fn now(&self) -> &[Print] {
        &self.prints[..self.rows]
    }

    /// The digests of the earlier run's rows.
    pub(super) fn before(&self) -> Vec<Print> {
        let mut before = self.prints[..self.before].to_vec();
        for (row, print) in &self.replaced {
            before[*row] = *print;
        }
        before
    }

    /// Whether both runs have the same rows.
    pub(super) fn are_same(&self) -> bool {
        self.replaced.is_empty() && self.rows == self.before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_runs_are_known_after_the_comparison() {
        let print = |key| Print { key, values: key };
        let prints = |keys: &[u64]| -> Vec<Print> { keys.iter().copied().map(print).collect() };
        for (before, now) in [
            (&[][..], &[1, 2][..]),
            (&[1, 2], &[1, 2]),
            (&[1, 2, 3], &[1, 9]),
            (&[1, 2], &[8, 2, 3]),
            (&[1], &[]),
        ] {
            let mut compared = ComparedPrints::with(prints(before));
            for key in now {
                compared.push(print(*key));
            }
            assert_eq!(compared.now(), prints(now));
            assert_eq!(compared.before(), prints(before));
            assert_eq!(compared.are_same(), before == now);
        }
    }
}
