//! Labels of variables and of their values.

use std::collections::{HashMap, HashSet};

use super::changes::{Change, Changes};
use super::limits::{Limits, cut};
use super::values::{Kind, number};
use crate::column::cell::float_text;
use crate::meaning::ValueLabel;

const CUT: &str = "…";

/// The label of a variable. Of one that is too long the question is cut, because the row and the choice tell the columns of
/// a question apart.
pub(super) fn of_variable(
    column: &str,
    label: Option<&str>,
    question: Option<&str>,
    limits: &Limits,
    changes: &mut Changes,
) -> String {
    let (unit, most) = (limits.unit, limits.label);
    let label = changes.printable(column, label.unwrap_or(column));
    if unit.length(&label) <= most {
        return label;
    }
    changes.note(Change::Label, column, 1);
    let sign = unit.length(CUT);
    let question = question.filter(|question| label.starts_with(question)).unwrap_or(&label);
    let mut rest = label[question.len()..].to_owned();
    if unit.length(&rest) > most - limits.question {
        let half = (most - limits.question - sign) / 2;
        rest = format!("{}{CUT}{}", unit.cut(&rest, half), unit.end(&rest, half));
    }
    let question = unit.cut(question, most - sign - unit.length(&rest)).trim_end();
    format!("{question}{CUT}{rest}")
}

/// The labels of values, without codes that no value of the column can have.
pub(super) fn of_values(
    column: &str,
    known: &[ValueLabel],
    kind: Kind,
    limits: &Limits,
    changes: &mut Changes,
) -> Vec<ValueLabel> {
    let mut unique_labels = HashSet::new();
    let has = |value: &&ValueLabel| match kind {
        Kind::Number { .. } => number(&value.code).is_some_and(|code| unique_labels.insert(code.to_bits())),
        Kind::Text => true,
        Kind::Day | Kind::Time => false,
    };
    let mut fitting: Vec<&ValueLabel> = known.iter().filter(has).collect();
    changes.note(Change::ForeignCode, column, known.len() - fitting.len());
    let possible = fitting.len();
    fitting.retain(|value| match kind {
        Kind::Number { .. } => number(&value.code).is_some_and(limits.has_label),
        _ => limits.labels_texts,
    });
    changes.note(Change::NoLabel, column, possible - fitting.len());
    let most = limits.value_label;
    let texts: Vec<String> = fitting.iter().map(|value| changes.printable(column, &value.label)).collect();
    changes.note(Change::ValueLabel, column, texts.iter().filter(|text| text.len() > most).count());
    let labels = different(column, &texts, most, changes);
    let code = |value: &ValueLabel| match kind {
        Kind::Number { .. } => number(&value.code).map_or_else(|| value.code.clone(), float_text),
        _ => value.code.clone(),
    };
    let pair = |(value, label): (&&ValueLabel, String)| ValueLabel { code: code(value), label };
    fitting.iter().zip(labels).map(pair).collect()
}

/// The labels, cut. Those that become equal by it are numbered.
fn different(column: &str, texts: &[String], most: usize, changes: &mut Changes) -> Vec<String> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        *count.entry(cut(text, most)).or_default() += 1;
    }
    let mut used: HashSet<String> = texts.iter().filter(|text| text.len() <= most).cloned().collect();
    let mut numbered = 0;
    let labels = texts.iter().map(|text| {
        let short = cut(text, most);
        if text.len() <= most || count.get(short) == Some(&1) && used.insert(short.to_owned()) {
            return short.to_owned();
        }
        numbered += 1;
        let mut number = 1;
        loop {
            let end = format!(" ({number})");
            let label = format!("{}{end}", cut(text, most - end.len()));
            if used.insert(label.clone()) {
                return label;
            }
            number += 1;
        }
    });
    let labels = labels.collect();
    changes.note(Change::EqualLabels, column, numbered);
    labels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::sav::LIMITS;

    #[test]
    fn row_and_choice_are_kept() {
        let mut changes = Changes::new(&LIMITS);
        let question = "é".repeat(300);
        for rest in
            [" – Row 1", " – Row 2 – Choice", "", &format!(" – {} – {} 7", "x".repeat(300), "ü".repeat(90))]
        {
            let label =
                of_variable("Q", Some(&format!("{question}{rest}")), Some(&question), &LIMITS, &mut changes);
            assert!(label.len() <= LIMITS.label && label.len() > LIMITS.label - 8, "{}", label.len());
            assert!(label.starts_with("éé") && label.contains('…'));
            assert!(label.ends_with(rest) || label.ends_with("üü 7"), "{label}");
        }
        assert!(
            changes.warnings()[0].to_string().starts_with("4 variable labels were longer than 256 bytes")
        );
    }

    #[test]
    fn labels_that_become_equal_are_numbered() {
        let long = "ab".repeat(70);
        let values = ["1", "2", "3", "4", "5"].map(|code| {
            let label = match code {
                "3" => "short".to_owned(),
                "4" => long[..120].to_owned(),
                _ => format!("{long} {code}"),
            };
            ValueLabel { code: code.to_owned(), label }
        });
        let mut changes = Changes::new(&LIMITS);
        let labels = of_values("Q", &values, Kind::Number { whole: true }, &LIMITS, &mut changes);
        let labels: Vec<&str> = labels.iter().map(|value| value.label.as_str()).collect();
        assert!(labels.iter().all(|label| label.len() <= LIMITS.value_label));
        assert_eq!(labels.iter().collect::<HashSet<_>>().len(), 5);
        assert_eq!((labels[2], labels[3]), ("short", &long[..120]));
        let messages: Vec<String> = changes.warnings().iter().map(ToString::to_string).collect();
        assert_eq!(messages.len(), 2);
        assert!(
            messages[0].starts_with("3 value labels were longer")
                && messages[1].starts_with("3 cut value labels")
        );
    }
}
