//! A matrix: a table with a line for each row.

use super::questions::Form;
use crate::world::SurveyVariable;
use crate::world::survey::VariableRole;
use maud::{Markup, html};
use sondage::internals::plain_text;

/// The columns of a matrix: one table for each group of them.
pub(super) fn grid(form: &Form<'_>, variables: &[&SurveyVariable]) -> Markup {
    let answers: Vec<&SurveyVariable> =
        variables.iter().copied().filter(|variable| variable.role == VariableRole::Answer).collect();
    let same_group = |a: &&SurveyVariable, b: &&SurveyVariable| {
        a.choice.is_some() == b.choice.is_some() && (a.choice.is_some() || a.values == b.values)
    };
    html! {
        @for group in answers.chunk_by(same_group) {
            div.wide {
                @match group.first() {
                    Some(first) if first.choice.is_some() => (cells(form, group, variables)),
                    Some(first) => (rows(form, first, group, variables)),
                    None => {}
                }
            }
        }
    }
}

fn row_label(variable: &SurveyVariable) -> String {
    plain_text(variable.row.as_deref().unwrap_or(&variable.code)).into_owned()
}

/// One answer in each row.
fn rows(
    form: &Form<'_>,
    first: &SurveyVariable,
    group: &[&SurveyVariable],
    variables: &[&SurveyVariable],
) -> Markup {
    let values = form.values(first);
    let is_scale = !first.values.is_empty() && first.kind != "Dropdown" && values.len() <= 12;
    html! {
        table.grid {
            @if is_scale {
                thead {
                    tr { td {} @for (_, label) in &values { th scope="col" dir="auto" { (plain_text(label)) } } }
                }
            }
            tbody {
                @for variable in group {
                    @let row = row_label(variable);
                    tr {
                        th scope="row" dir="auto" { (row) (form.beside(variables, &variable.code, "")) }
                        @if is_scale {
                            @for (value, label) in &values {
                                td {
                                    input type="radio" name=(variable.code) value=(value)
                                        aria-label=(format!("{row}: {}", plain_text(label)))
                                        checked[form.given.text(&variable.code) == value];
                                }
                            }
                        } @else if variable.values.is_empty() {
                            td { (form.input(variable, &row)) (form.not_available(variable)) }
                        } @else {
                            td { (form.dropdown(variable, &row)) }
                        }
                    }
                }
            }
        }
    }
}

/// An answer in each cell: a tick, a text or a number.
fn cells(form: &Form<'_>, group: &[&SurveyVariable], variables: &[&SurveyVariable]) -> Markup {
    let first_row = group.iter().take_while(|cell| cell.row == group[0].row);
    let columns: Vec<String> = first_row.map(|cell| cell.choice_label()).collect();
    let has_heading = columns.iter().any(|label| !label.is_empty());
    html! {
        table.grid {
            @if has_heading {
                thead { tr { td {} @for column in &columns { th scope="col" dir="auto" { (column) } } } }
            }
            tbody {
                @for cells in group.chunk_by(|a, b| a.row == b.row) {
                    @let row = row_label(cells[0]);
                    tr {
                        th scope="row" dir="auto" { (row) (form.beside(variables, &cells[0].code, "")) }
                        @for cell in cells {
                            @let label = format!("{row}: {}", cell.choice_label());
                            td {
                                @if cell.is_ticked() {
                                    input type="checkbox" name=(cell.code) value="1" aria-label=(label)
                                        checked[form.given.text(&cell.code) == "1"];
                                } @else {
                                    (form.input(cell, &label)) (form.not_available(cell))
                                }
                            }
                        }
                        @if cells[0].is_ticked() && cells[0].not_available.is_some() {
                            td { (form.not_available(cells[0])) }
                        }
                    }
                }
            }
        }
    }
}
