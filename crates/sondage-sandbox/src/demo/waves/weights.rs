//! Weights: they correct for the ways in which people were invited, and then give each age group its share of the population.

use super::people::CHANNELS;
use crate::world::{Interview, Survey};
use serde_json::json;

/// The shares of the age groups in the population.
const POPULATION: [(u64, f64); 5] = [(1, 0.19), (2, 0.27), (3, 0.24), (4, 0.20), (5, 0.10)];

/// Gives completed interviews a weight, with a mean of 1. The others have none. The questionnaire asks the office for it.
pub(super) fn assign(survey: &Survey, interviews: &mut [Interview]) {
    let (Some(weight), Some(age)) = (survey.position("weight"), survey.position("age_group")) else { return };
    let mut completed: Vec<&mut Interview> =
        interviews.iter_mut().filter(|interview| interview.state == "Completed").collect();
    let count = f64::from(u32::try_from(completed.len()).unwrap_or(u32::MAX));
    for (group, share) in POPULATION {
        let is_here = |interview: &Interview| interview.answers[age] == group;
        let sum: f64 = completed.iter().filter(|one| is_here(one)).map(|one| by_channel(one)).sum();
        for interview in completed.iter_mut().filter(|one| is_here(one)) {
            let number = by_channel(interview) * share * count / sum;
            interview.custom.insert("office".to_owned(), "1".to_owned());
            interview.answers[weight] = json!((number * 10_000.0).round() / 10_000.0);
        }
    }
}

fn by_channel(interview: &Interview) -> f64 {
    let channel = interview.custom.get("channel").map(String::as_str);
    CHANNELS.iter().find(|(name, ..)| Some(*name) == channel).map_or(1.0, |(.., correction)| *correction)
}
