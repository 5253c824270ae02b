//! The lines of a file in which its rows begin.

/// Where rows begin in their file. Rows in consecutive lines need no memory of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowLines {
    /// The first row of each run of consecutive lines, and its line; 0 if it is unknown.
    runs: Vec<(usize, u64)>,
    rows: usize,
}

impl RowLines {
    /// Adds the next row, which begins in this line, counted from 1.
    pub fn push(&mut self, line: u64) {
        if self.line(self.rows.wrapping_sub(1)).map(|before| before + 1) != Some(line) {
            self.runs.push((self.rows, line));
        }
        self.rows += 1;
    }

    /// The line of a row, counted from 1.
    pub fn line(&self, row: usize) -> Option<u64> {
        let run = self.runs.partition_point(|(first, _)| *first <= row).checked_sub(1)?;
        let (first, line) = self.runs[run];
        (row < self.rows && line > 0).then(|| line + (row - first) as u64)
    }

    /// The lines as a text, for [`RowLines::append`].
    pub fn to_text(&self) -> String {
        serde_json::to_string(&(self.rows, &self.runs)).unwrap_or_default()
    }

    /// Adds `rows` more rows. Their lines are unknown, unless the text is of as many rows.
    pub fn append(&mut self, rows: usize, text: Option<&str>) {
        let read = text.and_then(|text| serde_json::from_str::<(usize, Vec<(usize, u64)>)>(text).ok());
        match read.filter(|(count, _)| *count == rows) {
            Some((_, runs)) => self.runs.extend(runs.iter().map(|(row, line)| (self.rows + row, *line))),
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
