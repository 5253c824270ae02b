//! Declarations of codes that mean a missing answer. SPSS has three for a variable, or a range and one.

use crate::export::labelled::{Change, Changes, FileVariable, Kind, Seen, number};

/// The most that a variable can have.
const MOST: usize = 3;
/// The longest text in bytes that can be declared.
const SHORT: usize = 8;
/// The service's code for a choice that is not available.
const NOT_AVAILABLE: f64 = 9_999_999.0;

/// What a variable declares.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Missing {
    Numbers(Vec<f64>),
    /// All numbers from the first to the second, and another one.
    Range(f64, f64, Option<f64>),
    Texts(Vec<String>),
}

impl Missing {
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Missing::Numbers(codes) => codes.is_empty(),
            Missing::Range(..) => false,
            Missing::Texts(codes) => codes.is_empty(),
        }
    }
}

/// The declaration of a variable.
pub(super) fn of(variable: &FileVariable, changes: &mut Changes) -> Missing {
    let declared = &variable.missing;
    let (missing, count) = match variable.kind {
        Kind::Number { .. } => {
            let mut codes: Vec<f64> = declared.iter().filter_map(|value| number(&value.code)).collect();
            codes.sort_by(f64::total_cmp);
            codes.dedup();
            if codes.len() <= MOST {
                let count = codes.len();
                (Missing::Numbers(codes), count)
            } else {
                let labelled = variable.values.iter().filter_map(|value| number(&value.code));
                let labelled: Vec<f64> = labelled.filter(|code| !codes.contains(code)).collect();
                within(&codes, &labelled, &variable.seen)
            }
        }
        Kind::Text => {
            let short = declared.iter().map(|value| &value.code).filter(|code| code.len() <= SHORT);
            let codes: Vec<String> = short.take(MOST).cloned().collect();
            let count = codes.len();
            (Missing::Texts(codes), count)
        }
        Kind::Day | Kind::Time => (Missing::Numbers(Vec::new()), 0),
    };
    changes.note(Change::Missing, &variable.column, declared.len().saturating_sub(count));
    missing
}

/// A range and one code, or three codes: what declares more of the codes that rows have, or else more codes; and how many that are. No
/// range contains an answer, or a code that means one.
fn within(codes: &[f64], labelled: &[f64], seen: &Seen) -> (Missing, usize) {
    let is_between = |place: usize| {
        let (low, high) = (codes[place - 1], codes[place]);
        seen.is_between.get(place - 1) != Some(&false)
            || labelled.iter().any(|&other| low < other && other < high)
    };
    let mut runs: Vec<Vec<f64>> = Vec::new();
    for (place, &code) in codes.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if !is_between(place) => run.push(code),
            _ => runs.push(vec![code]),
        }
    }
    let occurring = |list: &[f64]| list.iter().filter(|code| seen.has_missing(**code)).count();
    // Those that rows have, the service's own before others: undeclared, it would be the largest answer of all.
    let mut ranked = codes.to_vec();
    ranked.sort_by_key(|code| (!seen.has_missing(*code), *code != NOT_AVAILABLE));
    let mut list: Vec<f64> = ranked.iter().copied().take(MOST).collect();
    list.sort_by(f64::total_cmp);
    // The first of the best.
    let run = runs.iter().rev().max_by_key(|run| (occurring(run), run.len())).cloned().unwrap_or_default();
    let rest = ranked.into_iter().find(|code| !run.contains(code));
    let whole: Vec<f64> = run.iter().copied().chain(rest).collect();
    match (run.first(), run.last()) {
        (Some(&low), Some(&high))
            if run.len() >= MOST && (occurring(&whole), whole.len()) > (occurring(&list), list.len()) =>
        {
            (Missing::Range(low, high, rest), whole.len())
        }
        _ => {
            let count = list.len();
            (Missing::Numbers(list), count)
        }
    }
}
