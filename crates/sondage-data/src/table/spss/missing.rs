//! Declarations of codes that mean a missing answer. SPSS has three for a variable, or a range and one.

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray;
use arrow_array::types::Float64Type;
use serde_json::{Value, json};

use super::changes::{Change, Changes};
use super::names::SHORT;
use super::values::{Kind, number};
use crate::meaning::ValueLabel;

/// The most that a variable can have.
const MOST: usize = 3;

/// The declaration of a column as JSON, a list of codes and of ranges `{"lo": 96, "hi": 99}`.
pub(super) fn of(
    column: &str,
    declared: &[ValueLabel],
    kind: Kind,
    known: &[ValueLabel],
    arrays: &[ArrayRef],
    changes: &mut Changes,
) -> Option<String> {
    let mut parts = match kind {
        Kind::Number { .. } => {
            let mut codes: Vec<f64> = declared.iter().filter_map(|value| number(&value.code)).collect();
            codes.sort_by(f64::total_cmp);
            codes.dedup();
            if codes.len() <= MOST {
                codes.iter().map(|&code| (json!(code), 1)).collect()
            } else {
                within(&codes, &others(&codes, known, arrays))
            }
        }
        Kind::Text => {
            let short = declared.iter().filter(|value| value.code.len() <= SHORT);
            short.map(|value| (json!(value.code), 1)).collect()
        }
        Kind::Day | Kind::Time => Vec::new(),
    };
    parts.truncate(MOST);
    let count: usize = parts.iter().map(|(_, codes)| codes).sum();
    changes.note(Change::Missing, column, declared.len().saturating_sub(count));
    let parts: Vec<Value> = parts.into_iter().map(|(part, _)| part).collect();
    (!parts.is_empty()).then(|| Value::from(parts).to_string())
}

/// Values that mean an answer, in order: no range may contain one.
fn others(codes: &[f64], known: &[ValueLabel], arrays: &[ArrayRef]) -> Vec<f64> {
    let labelled = known.iter().filter_map(|value| number(&value.code));
    let answers = arrays.iter().flat_map(|array| array.as_primitive::<Float64Type>().iter().flatten());
    let mut others: Vec<f64> = labelled.chain(answers).filter(|value| !codes.contains(value)).collect();
    others.sort_by(f64::total_cmp);
    others.dedup();
    others
}

/// A range and one code if that declares more than three codes, else the first three. Each with the number of its codes.
fn within(codes: &[f64], others: &[f64]) -> Vec<(Value, usize)> {
    let between = |low: f64, high: f64| others.iter().any(|&other| low < other && other < high);
    let mut runs: Vec<Vec<f64>> = Vec::new();
    for &code in codes {
        match runs.last_mut() {
            Some(run) if !between(run[run.len() - 1], code) => run.push(code),
            _ => runs.push(vec![code]),
        }
    }
    // The first of the longest.
    let longest = runs.iter().rev().max_by_key(|run| run.len()).cloned().unwrap_or_default();
    let (Some(low), Some(high)) = (longest.first(), longest.last()) else { return Vec::new() };
    if longest.len() < MOST {
        return codes.iter().map(|&code| (json!(code), 1)).take(MOST).collect();
    }
    let rest = codes.iter().find(|code| !longest.contains(code));
    let range = (json!({ "lo": low, "hi": high }), longest.len());
    std::iter::once(range).chain(rest.map(|&code| (json!(code), 1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow_array::Float64Array;
    use std::sync::Arc;

    fn declared(codes: &[&str], answers: &[f64]) -> (String, usize) {
        let labels: Vec<ValueLabel> =
            codes.iter().map(|&code| ValueLabel { code: code.into(), label: code.into() }).collect();
        let arrays: Vec<ArrayRef> = vec![Arc::new(Float64Array::from(answers.to_vec()))];
        let mut changes = Changes::default();
        let json = of("Q", &labels, Kind::Number { whole: true }, &labels, &arrays, &mut changes);
        (json.unwrap_or_default(), changes.warnings().len())
    }

    #[test]
    fn a_range_and_one_where_that_fits() {
        assert_eq!(declared(&["99", "98"], &[1.0]), ("[98.0,99.0]".into(), 0));
        assert_eq!(declared(&["99", "98", "97", "96"], &[1.0]), (r#"[{"hi":99.0,"lo":96.0}]"#.into(), 0));
        assert_eq!(
            declared(&["-9", "-8", "-7", "999"], &[1.0]),
            (r#"[{"hi":-7.0,"lo":-9.0},999.0]"#.into(), 0)
        );
        assert_eq!(
            declared(&["-9", "-8", "-7", "99", "999"], &[1.0, 500.0]),
            (r#"[{"hi":-7.0,"lo":-9.0},99.0]"#.into(), 1)
        );
        assert_eq!(declared(&["1", "3", "5", "7"], &[2.0, 4.0, 6.0]), ("[1.0,3.0,5.0]".into(), 1));
        assert_eq!(declared(&["96", "97", "98", "99"], &[97.5]), ("[96.0,97.0,98.0]".into(), 1));
    }
}
