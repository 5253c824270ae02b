//! Summarises numbers.

use sondage::reports::{Frequencies, HistogramClass, NumberSummary};

use super::super::BaseColumn;
use super::choices::Scale;
use super::missing::{MissingAnswers, MissingReasons};
use super::weights::{Tally, Weights, numbers};

/// How many classes a histogram has at most.
const CLASSES: f64 = 10.0;
/// Up to where whole numbers are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;
/// Up to how many whole numbers have a class each.
const VALUES: f64 = 20.0;

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

/// Whole numbers of a short range, such as a scale from 0 to 10, have a class each; those of a longer one have classes of equally many
/// whole numbers, because a class with one more would be higher for no other reason. Other numbers have classes of equal width.
fn histogram(answers: &[(f64, f64)], min: f64, max: f64, weights: &Weights) -> Vec<HistogramClass> {
    let range = max - min + 1.0;
    // Above 2^53, a number and the next one are the same `f64`.
    let are_whole =
        min.abs().max(max.abs()) < EXACT && answers.iter().all(|(number, _)| number.fract() == 0.0);
    if !are_whole {
        return equal_widths(answers, min, max, weights);
    }
    let size = if range <= VALUES { 1.0 } else { (range / CLASSES).ceil() };
    let lower = |class: f64| min + size * class;
    let ends = |class: f64| (lower(class), lower(class + 1.0) - 1.0);
    counted(answers, (range / size).ceil(), weights, |number| (number - min) / size, ends)
}

fn equal_widths(answers: &[(f64, f64)], min: f64, max: f64, weights: &Weights) -> Vec<HistogramClass> {
    let width = (max - min) / CLASSES;
    if width > 0.0 {
        let lower = |class: f64| if class < CLASSES { min + width * class } else { max };
        let ends = |class: f64| (lower(class), lower(class + 1.0));
        counted(answers, CLASSES, weights, |number| (number - min) / width, ends)
    } else {
        counted(answers, 1.0, weights, |_| 0.0, |_| (min, max))
    }
}

/// How many answers are in each class: `class_of` gives the place of a number, whose whole part is its class, and `ends` those of a class.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // one of at most twenty classes
fn counted(
    answers: &[(f64, f64)],
    classes: f64,
    weights: &Weights,
    class_of: impl Fn(f64) -> f64,
    ends: impl Fn(f64) -> (f64, f64),
) -> Vec<HistogramClass> {
    let mut tallies = vec![Tally::default(); classes as usize];
    let last = tallies.len() - 1;
    for (number, weight) in answers {
        tallies[(class_of(*number) as usize).min(last)].add(*weight);
    }
    let class = |(at, tally): (usize, Tally)| {
        let (lower, upper) = ends(at as f64);
        HistogramClass { lower, upper, n: tally.count, weighted_n: weights.shown(tally) }
    };
    tallies.into_iter().enumerate().map(class).collect()
}
