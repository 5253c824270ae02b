//! Weights: they give each age group its share of the population, and correct for the ways in which people were invited.

use super::people::{AGES, CHANNELS};
use crate::world::{Interview, Survey};
use serde_json::json;

/// The shares of the age groups in the population. Their shares among those who answer are [`AGES`].
const POPULATION: [f64; 5] = [0.22, 0.24, 0.23, 0.20, 0.11];

/// Gives completed interviews a weight, with a mean of 1. The others have none.
pub(super) fn assign(survey: &Survey, interviews: &mut [Interview]) {
    let (Some(weight), Some(age)) = (survey.position("weight"), survey.position("age_group")) else { return };
    let completed = || |interview: &&mut Interview| interview.state == "Completed";
    let raw: Vec<f64> = interviews.iter_mut().filter(completed()).map(|one| raw_weight(one, age)).collect();
    let mean = raw.iter().sum::<f64>() / f64::from(u32::try_from(raw.len()).unwrap_or(u32::MAX));
    for (interview, raw) in interviews.iter_mut().filter(completed()).zip(raw) {
        interview.answers[weight] = json!((raw / mean * 10_000.0).round() / 10_000.0);
    }
}

fn raw_weight(interview: &Interview, age: usize) -> f64 {
    let group = interview.answers[age].as_u64().and_then(|group| usize::try_from(group).ok()?.checked_sub(1));
    let by_age = group.and_then(|group| Some(POPULATION.get(group)? / AGES.get(group)?)).unwrap_or(1.0);
    let channel = interview.custom.get("channel").map(String::as_str);
    let by_channel =
        CHANNELS.iter().find(|(name, ..)| Some(*name) == channel).map_or(1.0, |(.., weight)| *weight);
    by_age * by_channel
}
