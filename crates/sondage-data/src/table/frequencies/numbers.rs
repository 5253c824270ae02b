//! Summarises numbers.

use sondage::reports::{Frequencies, HistogramClass, NumberSummary};

use super::super::BaseColumn;
use super::choices::Scale;
use super::missing::{MissingAnswers, MissingReasons};
use super::weights::{Tally, Weights, numbers};

/// How many classes a histogram has.
const CLASSES: usize = 10;

pub(super) fn summarise(
    column: &BaseColumn,
    reasons: &MissingReasons<'_>,
    weights: &Weights,
    with_missing: bool,
    out: &mut Frequencies,
) {
    let mut answers: Vec<(f64, f64)> = Vec::new();
    let (mut answered, mut missing) = (Tally::default(), MissingAnswers::default());
    for (batch, array) in column.arrays.iter().enumerate() {
        for (row, number) in numbers(array).unwrap_or_default().into_iter().enumerate() {
            let Some(weight) = weights.at(batch, row) else { continue };
            if let Some(number) = number {
                answered.add(weight);
                answers.push((number, weight));
            } else if with_missing {
                missing.add(reasons.at(batch, row), weight);
            }
        }
    }
    let scale = Scale::of(out, answered, weights, column.field.data_type());
    missing.list(&scale, out);
    answers.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    out.summary = summary(&answers, answered.weight, weights);
}

fn summary(answers: &[(f64, f64)], total: f64, weights: &Weights) -> Option<NumberSummary> {
    let (min, max) = (answers.first()?.0, answers.last()?.0);
    let mean = answers.iter().map(|(number, weight)| number * weight).sum::<f64>() / total;
    let squares: f64 = answers.iter().map(|(number, weight)| weight * (number - mean).powi(2)).sum();
    let deviation = (answers.len() > 1 && total > 1.0).then(|| (squares / (total - 1.0)).sqrt());
    let quantile = |share: f64| match weights {
        Weights::Equal { .. } => interpolated(answers, share),
        Weights::Column(_) => weighted(answers, share * total),
    };
    let histogram = histogram(answers, min, max, weights);
    let (q1, median, q3) = (quantile(0.25), quantile(0.5), quantile(0.75));
    Some(NumberSummary { mean, deviation, min, q1, median, q3, max, histogram })
}

/// The quantile between two neighbours, as pandas and R (type 7) have it.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a place among the answers
fn interpolated(answers: &[(f64, f64)], share: f64) -> f64 {
    let place = share * (answers.len() - 1) as f64;
    let (below, above) = (answers[place.floor() as usize].0, answers[place.ceil() as usize].0);
    below + (above - below) * place.fract()
}

/// The smallest number up to which this much weight is.
fn weighted(answers: &[(f64, f64)], weight: f64) -> f64 {
    let mut sum = 0.0;
    let reaches = |(_, of_one): &&(f64, f64)| {
        sum += of_one;
        // Sums of weights such as 0.1 are not exact.
        sum >= weight * (1.0 - 1e-12)
    };
    let found = answers.iter().find(reaches);
    found.or(answers.last()).map_or(f64::NAN, |(number, _)| *number)
}

#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // one of ten classes
fn histogram(answers: &[(f64, f64)], min: f64, max: f64, weights: &Weights) -> Vec<HistogramClass> {
    let width = (max - min) / CLASSES as f64;
    let classes = if width > 0.0 { CLASSES } else { 1 };
    let mut tallies = vec![Tally::default(); classes];
    for (number, weight) in answers {
        let class = if width > 0.0 { ((number - min) / width) as usize } else { 0 };
        tallies[class.min(classes - 1)].add(*weight);
    }
    let end = |class: usize| if class == classes { max } else { min + width * class as f64 };
    let class = |(at, tally): (usize, Tally)| HistogramClass {
        lower: end(at),
        upper: end(at + 1),
        n: tally.count,
        weighted_n: weights.shown(tally),
    };
    tallies.into_iter().enumerate().map(class).collect()
}
