//! A grid as a table of HTML.

use maud::{Markup, html};

use super::text::plain;
use super::{Grid, GridRow};

/// The most rows.
const ROWS: usize = 500;
const NUMBER: &str = "text-align:right;font-variant-numeric:tabular-nums";
const TEXT: &str = "text-align:left";
const ASIDE: &str = "opacity:.7;font-style:italic";

pub(super) fn html(grid: &Grid) -> String {
    let shown = &grid.rows[..grid.rows.len().min(ROWS)];
    let has_bars = grid.rows.iter().any(|row| row.bar.is_some());
    let more = grid.rows.len() - shown.len();
    let page = html! {
        table {
            caption style="text-align:left;font-weight:bold;caption-side:top" dir="auto" { (plain(&grid.title)) }
            thead {
                tr {
                    @for column in &grid.columns {
                        th scope="col" style=(if column.is_number { NUMBER } else { TEXT }) dir="auto" { (plain(&column.name)) }
                    }
                    @if has_bars { td {} }
                }
            }
            tbody { @for row in shown { (line(grid, row, has_bars)) } }
        }
        @if more > 0 { p { "… " (more) " more" } }
        @for note in &grid.notes { p { (plain(note)) } }
    };
    page.into_string()
}

fn line(grid: &Grid, row: &GridRow, has_bars: bool) -> Markup {
    html! {
        tr style=[row.is_aside.then_some(ASIDE)] {
            @for (at, (cell, column)) in row.cells.iter().zip(&grid.columns).enumerate() {
                @if at == 0 {
                    th scope="row" style="text-align:left;font-weight:normal" dir="auto" { (plain(cell)) }
                } @else {
                    td style=(cell_style(column.is_number, row.shares.get(at).copied().flatten())) { (plain(cell)) }
                }
            }
            @if has_bars {
                td style="min-width:10rem;text-align:left" {
                    @if let Some(share) = row.bar {
                        div style=(format!("background:#4c78a8;height:.8em;width:{:.1}%", share.clamp(0.0, 1.0) * 100.0)) {}
                    }
                }
            }
        }
    }
}

/// A cell that stands for a share has a bar behind it.
fn cell_style(is_number: bool, share: Option<f64>) -> String {
    let style = if is_number { NUMBER } else { TEXT };
    match share {
        Some(share) => {
            let width = share.clamp(0.0, 1.0) * 100.0;
            format!("{style};background:linear-gradient(90deg,#4c78a855 {width:.1}%,transparent {width:.1}%)")
        }
        None => style.to_owned(),
    }
}
