//! A grid as aligned text.

use sondage::error::Text;

use super::{Grid, GridRow, shortened};

/// The most lines: a screen.
const LINES: usize = 24;
/// The most columns of characters.
const WIDTH: usize = 120;
/// Those of a label.
const LABEL: usize = 36;
/// Those of the name of another column.
const NAMES: [usize; 3] = [14, 10, 7];
/// Those of a bar.
const BAR: usize = 24;

pub(super) fn text(grid: &Grid) -> String {
    // Besides the title, the names of columns in up to three lines, the notes, and what is said of more rows and columns.
    let most = LINES.saturating_sub(4 + grid.notes.len() + 2).max(5);
    let shown = &grid.rows[..grid.rows.len().min(most)];
    // Names get shorter where all columns fit then.
    let [wide, middle, narrow] = NAMES.map(|most| Lines::of(grid, shown, most));
    let lines = [wide, middle].into_iter().find(Lines::fit).unwrap_or(narrow);
    lines.text(grid, shown)
}

/// A grid with cells of a limited length.
struct Lines {
    /// The lines of each name.
    header: Vec<Vec<String>>,
    rows: Vec<Vec<String>>,
    widths: Vec<usize>,
}

impl Lines {
    fn of(grid: &Grid, shown: &[GridRow], most: usize) -> Self {
        let cell = |(at, text): (usize, &String)| shortened(&plain(text), if at == 0 { LABEL } else { most });
        let header: Vec<Vec<String>> =
            grid.columns.iter().map(|column| wrapped(&plain(&column.name), most)).collect();
        let rows: Vec<Vec<String>> =
            shown.iter().map(|row| row.cells.iter().enumerate().map(cell).collect()).collect();
        let width = |at: usize| {
            let cells = rows.iter().filter_map(|row| row.get(at)).chain(&header[at]);
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths = (0..header.len()).map(width).collect();
        Self { header, rows, widths }
    }

    fn fit(&self) -> bool {
        self.widths.iter().map(|width| width + 2).sum::<usize>() <= WIDTH
    }

    fn text(self, grid: &Grid, shown: &[GridRow]) -> String {
        let Self { header, rows, widths } = self;
        let mut room = WIDTH;
        let fitting = widths.iter().take_while(|width| {
            let fits = room >= **width + 2;
            room = room.saturating_sub(**width + 2);
            fits
        });
        let fitting = fitting.count().max(1);
        let line = |cells: &[String]| {
            let cell = |(at, cell): (usize, &String)| {
                let pad = " ".repeat(widths[at].saturating_sub(cell.chars().count()));
                if grid.columns[at].is_number { pad + cell } else { cell.clone() + &pad }
            };
            cells.iter().take(fitting).enumerate().map(cell).collect::<Vec<_>>().join("  ")
        };
        let mut lines = vec![plain(&grid.title)];
        let height = header.iter().map(Vec::len).max().unwrap_or_default();
        for at in 0..height {
            // Names end on the same line, above their numbers.
            let part = |name: &Vec<String>| {
                (at + name.len()).checked_sub(height).and_then(|at| name.get(at)).cloned().unwrap_or_default()
            };
            let parts: Vec<String> = header.iter().map(part).collect();
            lines.push(line(&parts).trim_end().to_owned());
        }
        for (row, cells) in shown.iter().zip(&rows) {
            let bar = row.bar.map(|share| format!("  {}", bar(share))).unwrap_or_default();
            lines.push((line(cells) + &bar).trim_end().to_owned());
        }
        if grid.rows.len() > shown.len() {
            lines.push(format!("… {} more: the table of the result has all", grid.rows.len() - shown.len()));
        }
        if fitting < header.len() {
            lines.push(format!("… {} more columns", header.len() - fitting));
        }
        lines.extend(grid.notes.iter().map(|note| plain(note)));
        lines.join("\n")
    }
}

/// A name on at most three lines of so many characters, broken behind blanks and hyphens.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_inclusive([' ', '-']) {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.trim_end().chars().count() <= most => {
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    if lines.len() > 3 {
        let rest = lines.split_off(2).concat();
        lines.push(rest);
    }
    lines.iter().map(|line| shortened(line.trim_end(), most)).collect()
}

/// Control characters of a label must not move the terminal's cursor.
fn plain(text: &str) -> String {
    Text::from(text.to_owned()).to_string()
}

/// A bar, in halves of a character.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)] // from 0 to 48
fn bar(share: f64) -> String {
    let halves = (share.clamp(0.0, 1.0) * (2 * BAR) as f64).round() as usize;
    "█".repeat(halves / 2) + if halves % 2 == 1 { "▌" } else { "" }
}
