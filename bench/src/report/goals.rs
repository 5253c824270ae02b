//! The goals, and whether they are met.

/// A goal: the figure has to be at least or at most the limit.
struct Goal {
    number: u8,
    what: String,
    is_least: bool,
    limit: f64,
    /// `None`: it cannot be measured on this machine.
    measured: Option<f64>,
    unit: &'static str,
}

#[derive(Default)]
pub struct Goals(Vec<Goal>);

impl Goals {
    pub fn least(
        &mut self,
        number: u8,
        what: impl Into<String>,
        limit: f64,
        measured: Option<f64>,
        unit: &'static str,
    ) {
        self.0.push(Goal { number, what: what.into(), is_least: true, limit, measured, unit });
    }

    pub fn most(
        &mut self,
        number: u8,
        what: impl Into<String>,
        limit: f64,
        measured: Option<f64>,
        unit: &'static str,
    ) {
        self.0.push(Goal { number, what: what.into(), is_least: false, limit, measured, unit });
    }

    /// A row for each goal, in the order of their numbers, marking those that are missed.
    pub fn rows(&mut self) -> Vec<String> {
        self.0.sort_by_key(|goal| goal.number);
        self.0.iter().map(Goal::row).collect()
    }
}

impl Goal {
    fn row(&self) -> String {
        let Self { number, what, is_least, limit, measured, unit } = self;
        let met = match measured {
            Some(measured) if if *is_least { measured >= limit } else { measured <= limit } => "met",
            Some(_) => "**missed**",
            None => "",
        };
        let sign = if *is_least { '≥' } else { '≤' };
        let measured = measured.map_or_else(|| "not here".to_owned(), short);
        format!("| {number} | {what} | {sign} {limit}{unit} | {measured}{unit} | {met} |")
    }
}

/// More than three digits are not significant.
fn short(number: f64) -> String {
    match number.abs() {
        size if size >= 100.0 => format!("{number:.0}"),
        size if size >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_goal_is_said_to_be() {
        let mut goals = Goals::default();
        goals.most(2, "late", 1.0, Some(1.5), " ms");
        goals.least(1, "fast", 6.0, Some(123.4), " times");
        goals.least(3, "elsewhere", 6.0, None, "");
        assert_eq!(
            goals.rows(),
            [
                "| 1 | fast | ≥ 6 times | 123 times | met |",
                "| 2 | late | ≤ 1 ms | 1.50 ms | **missed** |",
                "| 3 | elsewhere | ≥ 6 | not here |  |",
            ]
        );
    }
}
