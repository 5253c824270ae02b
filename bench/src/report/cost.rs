//! Runs several ways in turn, and collects their costs.

use super::Result;
use std::process::{Command, Stdio};

/// The measured costs of a way, by the figures that it prints.
pub struct Cost {
    pub way: &'static str,
    pub numbers: Vec<f64>,
}

/// Each way is run once in each round, so that a busy moment affects all of them; the median of each figure is taken. The
/// first way is ours and must not fail; another one that fails is left out.
pub fn rounds(
    rounds: usize,
    ways: &[&'static str],
    mut command: impl FnMut(&str) -> Command,
) -> Result<Vec<Cost>> {
    let mut found: Vec<Vec<Vec<f64>>> = ways.iter().map(|_| Vec::new()).collect();
    for _ in 0..rounds {
        for (number, (way, found)) in ways.iter().zip(&mut found).enumerate() {
            match numbers(&mut command(way)) {
                Ok(numbers) => found.push(numbers),
                Err(why) if number == 0 => return Err(format!("{way}: {why}").into()),
                Err(_) => {}
            }
        }
    }
    let measured = ways.iter().zip(found).filter(|(_, found)| !found.is_empty());
    Ok(measured.map(|(way, found)| Cost { way, numbers: medians(&found) }).collect())
}

/// The output of a program that has not failed.
pub fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(said.lines().last().unwrap_or("it failed").to_owned().into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Parses a program's output as numbers.
pub fn numbers(command: &mut Command) -> Result<Vec<f64>> {
    let said = output(command)?;
    let numbers: Vec<f64> = said.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    if numbers.is_empty() { Err("it printed no number".into()) } else { Ok(numbers) }
}

fn medians(found: &[Vec<f64>]) -> Vec<f64> {
    let width = found.iter().map(Vec::len).min().unwrap_or(0);
    let middle = |which: usize| {
        let mut values: Vec<f64> = found.iter().map(|numbers| numbers[which]).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    (0..width).map(middle).collect()
}

/// A figure of a way; `None` if it was not measured.
pub fn of(costs: &[Cost], way: &str, number: usize) -> Option<f64> {
    costs.iter().find(|cost| cost.way == way)?.numbers.get(number).copied()
}

/// The minimum of a figure over some ways.
pub fn best(costs: &[Cost], ways: &[&str], number: usize) -> Option<f64> {
    ways.iter().filter_map(|way| of(costs, way, number)).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_each_number() {
        assert_eq!(medians(&[vec![3.0, 1.0], vec![1.0, 9.0], vec![2.0, 2.0]]), [2.0, 2.0]);
    }
}
