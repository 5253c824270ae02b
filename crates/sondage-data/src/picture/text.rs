//! A grid as aligned text.

use sondage::error::Text;

use super::{Grid, GridRow, shortened};

/// The most lines: a screen.
const LINES: usize = 24;
/// The most columns of characters, where nothing else is known.
pub(super) const WIDTH: usize = 120;
/// Those of a label: at most, and in a narrow terminal as a part of it.
const LABEL: usize = 36;
const PART: (usize, usize) = (3, 10);
/// Those of the name of another column, and at least of its cells: a name is shortened sooner than a number.
const NAMES: [usize; 4] = [14, 10, 7, 5];
const CELL: usize = 7;
/// Those of a bar: at most, and at least. One that has no room is left out.
const BAR: usize = 24;
const SHORT: usize = 6;

pub(super) fn text(grid: &Grid, width: usize) -> String {
    // Labels and names get shorter where all columns fit then.
    let labels = [LABEL, LABEL.min(width * PART.0 / PART.1)];
    let mut forms = labels.into_iter().flat_map(|label| NAMES.map(|name| (label, name)));
    let narrow = forms.clone().last().unwrap_or((LABEL, CELL));
    let notes: Vec<String> = grid.notes.iter().flat_map(|note| broken(&plain(note), width)).collect();
    let title = broken(&plain(&grid.title), width);
    let of = |(label, name): (usize, usize)| {
        let header: Vec<Vec<String>> =
            grid.columns.iter().map(|column| wrapped(&plain(&column.name), name)).collect();
        let height = header.iter().map(Vec::len).max().unwrap_or_default();
        // Besides the title, the names, the notes, and what is said of more rows and columns.
        let room = LINES.saturating_sub(title.len() + height + notes.len()).max(5);
        let most = if grid.rows.len() <= room { room } else { room.saturating_sub(2) };
        let shown = &grid.rows[..grid.rows.len().min(most)];
        (Lines::of(shown, header, (label, name)), shown)
    };
    let (lines, shown) = forms
        .find_map(|form| Some(of(form)).filter(|(lines, _)| lines.fit(width)))
        .unwrap_or_else(|| of(narrow));
    let table = lines.text(grid, shown, width);
    title.into_iter().chain(table).chain(notes).collect::<Vec<_>>().join("\n")
}

/// A grid with cells of a limited length.
struct Lines {
    /// The lines of each name.
    header: Vec<Vec<String>>,
    rows: Vec<Vec<String>>,
    widths: Vec<usize>,
    has_bars: bool,
}

impl Lines {
    fn of(shown: &[GridRow], header: Vec<Vec<String>>, (label, most): (usize, usize)) -> Self {
        let cell = |(at, text): (usize, &String)| {
            shortened(&plain(text), if at == 0 { label } else { most.max(CELL) })
        };
        let rows: Vec<Vec<String>> =
            shown.iter().map(|row| row.cells.iter().enumerate().map(cell).collect()).collect();
        let width = |at: usize| {
            let cells = rows.iter().filter_map(|row| row.get(at)).chain(&header[at]);
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths = (0..header.len()).map(width).collect();
        let has_bars = shown.iter().any(|row| row.bar.is_some());
        Self { header, rows, widths, has_bars }
    }

    /// Whether all columns fit, with bars that can be told apart.
    fn fit(&self, width: usize) -> bool {
        self.width() + if self.has_bars { 2 * SHORT } else { 0 } <= width
    }

    fn width(&self) -> usize {
        self.widths.iter().map(|width| width + 2).sum()
    }

    /// The names, the rows, and what is said of more rows and columns.
    fn text(self, grid: &Grid, shown: &[GridRow], width: usize) -> Vec<String> {
        let longest = Some(width.saturating_sub(self.width()).min(BAR)).filter(|longest| *longest >= SHORT);
        let Self { header, rows, widths, .. } = self;
        let mut room = width;
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
        let mut lines = Vec::new();
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
            let bar = row.bar.zip(longest).map(|(share, longest)| format!("  {}", bar(share, longest)));
            let bar = bar.unwrap_or_default();
            lines.push((line(cells) + &bar).trim_end().to_owned());
        }
        if grid.rows.len() > shown.len() {
            lines.push(format!("… {} more: the table of the result has all", grid.rows.len() - shown.len()));
        }
        if fitting < header.len() {
            let more = header.len() - fitting;
            lines.push(format!("… {more} more column{}", if more == 1 { "" } else { "s" }));
        }
        lines
    }
}

/// A text on lines of so many characters, broken behind blanks.
fn broken(text: &str, most: usize) -> Vec<String> {
    let lines = lines_of(text.split_inclusive(' '), most);
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

fn lines_of<'a>(words: impl Iterator<Item = &'a str>, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.trim_end().chars().count() <= most => {
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A name on at most three lines of so many characters, broken behind blanks and hyphens.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines = lines_of(text.split_inclusive([' ', '-']), most);
    if lines.len() > 3 {
        let rest = lines.split_off(2).concat();
        lines.push(rest);
    }
    lines.iter().map(|line| shortened(line.trim_end(), most)).collect()
}

/// Control characters of a label must not move the terminal's cursor, or turn around the text of a page.
pub(super) fn plain(text: &str) -> String {
    Text::from(text.to_owned()).to_string()
}

/// A bar, in halves of a character.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)] // from 0 to 48
fn bar(share: f64, longest: usize) -> String {
    let halves = (share.clamp(0.0, 1.0) * (2 * longest) as f64).round() as usize;
    "█".repeat(halves / 2) + if halves % 2 == 1 { "▌" } else { "" }
}
