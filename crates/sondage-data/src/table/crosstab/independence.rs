//! The chi-square test of independence; for weights with Rao and Scott's second-order correction, as R's `survey::svychisq` computes it for
//! respondents who were drawn independently of each other.

use sondage::reports::{IndependenceMethod, IndependenceTest};
use statrs::function::beta::beta_reg;
use statrs::function::gamma::gamma_ur;

use super::Sums;

/// The most degrees of freedom for which weights are corrected: the work grows with their third power.
const MOST_CORRECTED: usize = 400;

pub(super) struct Tested {
    pub(super) test: IndependenceTest,
    /// The tested rows and columns of the table.
    rows: Vec<usize>,
    columns: Vec<usize>,
    expected: Vec<Vec<f64>>,
}

impl Tested {
    pub(super) fn expected(&self, row: usize, column: usize) -> Option<f64> {
        let row = self.rows.iter().position(|tested| *tested == row)?;
        let column = self.columns.iter().position(|tested| *tested == column)?;
        Some(self.expected[row][column])
    }
}

/// Tests the part of a table whose rows and columns are valid and not empty, if it has two of each.
#[allow(clippy::cast_precision_loss)] // fewer rows than 2^53
pub(super) fn test(
    matrix: &[Vec<Sums>],
    valid_rows: &[bool],
    valid_columns: &[bool],
    has_weight: bool,
) -> Option<Tested> {
    let is_tested =
        |row: usize, column: usize| valid_rows[row] && valid_columns[column] && matrix[row][column].n > 0;
    let all = (0..valid_rows.len(), 0..valid_columns.len());
    let rows: Vec<usize> =
        all.0.clone().filter(|row| all.1.clone().any(|column| is_tested(*row, column))).collect();
    let columns: Vec<usize> =
        all.1.clone().filter(|column| all.0.clone().any(|row| is_tested(row, *column))).collect();
    if rows.len() < 2 || columns.len() < 2 {
        return None;
    }
    let cells: Vec<Vec<Sums>> =
        rows.iter().map(|row| columns.iter().map(|column| matrix[*row][*column]).collect()).collect();
    let n: u64 = cells.iter().flatten().map(|cell| cell.n).sum();
    let total: f64 = cells.iter().flatten().map(|cell| cell.weight).sum();
    let of_row: Vec<f64> = cells.iter().map(|row| row.iter().map(|cell| cell.weight).sum()).collect();
    let of_column: Vec<f64> =
        (0..columns.len()).map(|column| cells.iter().map(|row| row[column].weight).sum()).collect();
    let scale = n as f64 / total;
    let (mut chi_square, mut small_cells) = (0.0, 0);
    let mut expected = vec![vec![0.0; columns.len()]; rows.len()];
    for (row, of_row) in of_row.iter().enumerate() {
        for (column, of_column) in of_column.iter().enumerate() {
            let count = of_row / total * of_column * scale;
            chi_square += (cells[row][column].weight * scale - count).powi(2) / count;
            small_cells += u64::from(count < 5.0);
            expected[row][column] = count;
        }
    }
    let df = (rows.len() - 1) * (columns.len() - 1);
    let p = if has_weight {
        (df <= MOST_CORRECTED).then(|| corrected(&cells, n as f64, total, chi_square)).flatten()
    } else {
        Some(gamma_ur(df as f64 / 2.0, chi_square / 2.0))
    };
    let smaller = rows.len().min(columns.len()) - 1;
    let test = IndependenceTest {
        method: if has_weight { IndependenceMethod::RaoScott } else { IndependenceMethod::Pearson },
        chi_square,
        df: df as u64,
        p,
        cramers_v: (chi_square / (n as f64 * smaller as f64)).sqrt().min(1.0),
        small_cells,
    };
    Some(Tested { test, rows, columns, expected })
}

/// The probability from the F distribution whose degrees of freedom come from the generalised design effects.
fn corrected(cells: &[Vec<Sums>], n: f64, total: f64, chi_square: f64) -> Option<f64> {
    let (trace, trace_of_square) = design_effects(cells, n, total)?;
    let df = trace * trace / trace_of_square;
    let other_df = df * (n - 1.0);
    let f = chi_square / trace;
    let at = other_df / (other_df + df * f);
    // Weights that leave nothing to vary have no distribution.
    let is_defined = df > 0.0 && other_df > 0.0 && (0.0..=1.0).contains(&at);
    is_defined.then(|| beta_reg(other_df / 2.0, df / 2.0, at))
}

/// The traces of the matrix of design effects and of its square.
#[allow(clippy::cast_precision_loss)]
fn design_effects(cells: &[Vec<Sums>], n: f64, total: f64) -> Option<(f64, f64)> {
    let (rows, columns) = (cells.len(), cells.first()?.len());
    let size = (rows - 1) * (columns - 1);
    let (of_rows, of_columns) = (1.0 / rows as f64, 1.0 / columns as f64);
    // What is left of an interaction when rows and columns are taken away.
    let contrast = |row: usize, column: usize, of: usize| {
        let (a, b) = (of / (columns - 1) + 1, of % (columns - 1) + 1);
        (f64::from(u8::from(row == a)) - of_rows) * (f64::from(u8::from(column == b)) - of_columns)
    };
    let mut simple = vec![vec![0.0; size]; size];
    let mut actual = vec![vec![0.0; size]; size];
    // The variance of the shares p: diag(s) - p s' - s p' + p p' sum(s), where s are the sums of squared weights.
    let (mut of_shares, mut of_squares) = (vec![0.0; size], vec![0.0; size]);
    let mut squares = 0.0;
    for (row, of_row) in cells.iter().enumerate() {
        for (column, cell) in of_row.iter().enumerate().filter(|(_, cell)| cell.weight > 0.0) {
            let share = cell.weight / total;
            squares += cell.squares;
            let scaled: Vec<f64> = (0..size).map(|of| contrast(row, column, of) / share).collect();
            for (i, left) in scaled.iter().enumerate() {
                of_shares[i] += left * share;
                of_squares[i] += left * cell.squares;
                for (j, right) in scaled.iter().enumerate() {
                    simple[i][j] += left * right * share / n;
                    actual[i][j] += left * right * cell.squares;
                }
            }
        }
    }
    let factor = n / (n - 1.0) / (total * total);
    for i in 0..size {
        for j in 0..size {
            let centre = of_shares[i] * of_shares[j] * squares;
            let mixed = of_shares[i] * of_squares[j] + of_squares[i] * of_shares[j];
            actual[i][j] = (actual[i][j] - mixed + centre) * factor;
        }
    }
    let effects = solved(simple, actual)?;
    let trace = (0..size).map(|i| effects[i][i]).sum();
    let of_square = (0..size).map(|i| (0..size).map(|j| effects[i][j] * effects[j][i]).sum::<f64>()).sum();
    Some((trace, of_square))
}

/// Solves a system of linear equations for several right sides, by Gauss-Jordan elimination; `None` if it is singular.
fn solved(mut left: Vec<Vec<f64>>, mut right: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    for at in 0..left.len() {
        let pivot = (at..left.len()).max_by(|a, b| left[*a][at].abs().total_cmp(&left[*b][at].abs()))?;
        left.swap(at, pivot);
        right.swap(at, pivot);
        let divisor = left[at][at];
        if divisor.abs() < 1e-300 {
            return None;
        }
        for value in left[at].iter_mut().chain(&mut right[at]) {
            *value /= divisor;
        }
        let (of_left, of_right) = (left[at].clone(), right[at].clone());
        for row in (0..left.len()).filter(|row| *row != at) {
            let factor = left[row][at];
            let subtract = |from: &mut Vec<f64>, other: &[f64]| {
                from.iter_mut().zip(other).for_each(|(value, other)| *value -= factor * other);
            };
            subtract(&mut left[row], &of_left);
            subtract(&mut right[row], &of_right);
        }
    }
    Some(right)
}
