//! The lines of a file in which its rows begin, and which of its cells are numbers.

use std::collections::BTreeMap;

/// Where rows begin in their file. Rows in consecutive lines need no memory of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowLines {
    /// The first row of each run of consecutive lines, and its line; 0 if it is unknown.
    runs: Vec<(usize, u64)>,
    rows: usize,
    /// For each column of a workbook, the rows whose cell is a number that could be read otherwise if it were a text: `1.234`, or
    /// `00123` for 123 that is shown with five digits.
    numbers: BTreeMap<String, Vec<usize>>,
}

/// How a text holds them.
type Parts = (usize, Vec<(usize, u64)>, BTreeMap<String, Vec<usize>>);

impl RowLines {
    /// Adds the next row, which begins in this line, counted from 1.
    pub fn push(&mut self, line: u64) {
        if self.line(self.rows.wrapping_sub(1)).map(|before| before + 1) != Some(line) {
            self.runs.push((self.rows, line));
        }
        self.rows += 1;
    }

    /// Says that the cell of the next row in this column is a number, and no text.
    pub fn mark_number(&mut self, column: &str) {
        match self.numbers.get_mut(column) {
            Some(rows) => rows.push(self.rows),
            None => drop(self.numbers.insert(column.to_owned(), vec![self.rows])),
        }
    }

    /// Whether the cell of a row in this column was marked as a number.
    pub fn is_number(&self, row: usize, column: &str) -> bool {
        self.numbers.get(column).is_some_and(|rows| rows.binary_search(&row).is_ok())
    }

    /// The line of a row, counted from 1.
    pub fn line(&self, row: usize) -> Option<u64> {
        let run = self.runs.partition_point(|(first, _)| *first <= row).checked_sub(1)?;
        let (first, line) = self.runs[run];
        (row < self.rows && line > 0).then(|| line + (row - first) as u64)
    }

    /// The lines as a text, for [`RowLines::append`].
    pub fn to_text(&self) -> String {
        serde_json::to_string(&(self.rows, &self.runs, &self.numbers)).unwrap_or_default()
    }

    /// Adds `rows` more rows. Their lines are unknown, unless the text is of as many rows.
    pub fn append(&mut self, rows: usize, text: Option<&str>) {
        let read = text.and_then(|text| serde_json::from_str::<Parts>(text).ok());
        match read.filter(|(count, ..)| *count == rows) {
            Some((_, runs, numbers)) => {
                self.runs.extend(runs.iter().map(|(row, line)| (self.rows + row, *line)));
                for (column, rows) in numbers {
                    self.numbers.entry(column).or_default().extend(rows.iter().map(|row| self.rows + row));
                }
            }
            None if rows > 0 => self.runs.push((self.rows, 0)),
            None => {}
        }
        self.rows += rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_that_of_its_row() {
        let mut lines = RowLines::default();
        assert_eq!(lines.line(0), None);
        let first = [2, 3, 7, 8, 9, 12];
        for line in first {
            lines.push(line);
        }
        assert_eq!(lines.runs.len(), 3);
        lines.mark_number("a");
        lines.push(20);
        let mut twice = RowLines::default();
        for _ in 0..2 {
            twice.append(7, Some(&lines.to_text()));
        }
        let marked: Vec<usize> = (0..20).filter(|row| twice.is_number(*row, "a")).collect();
        assert_eq!((marked, twice.is_number(6, "b")), (vec![6, 13], false));
        let mut lines = RowLines::default();
        for line in first {
            lines.push(line);
        }
        let mut all = RowLines::default();
        all.append(6, Some(&lines.to_text()));
        assert_eq!(all, lines);
        all.append(2, None);
        all.append(0, None);
        all.append(6, Some(&lines.to_text()));
        all.append(5, Some(&lines.to_text()));
        let mut expected: Vec<Option<u64>> = first.map(Some).to_vec();
        expected.extend([None; 2]);
        expected.extend(first.map(Some));
        expected.extend([None; 6]);
        assert_eq!((0..20).map(|row| all.line(row)).collect::<Vec<_>>(), expected);
    }
}
