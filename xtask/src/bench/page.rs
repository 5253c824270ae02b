//! The measurements as text, and the goals.

use std::fmt::Write as _;

/// The results of a part.
#[derive(Default)]
pub struct PageSection {
    pub text: String,
    pub goals: Vec<Goal>,
}

/// A goal.
pub struct Goal {
    pub number: u8,
    pub what: String,
    pub wanted: WantedSide,
    pub measured: Option<f64>,
    pub unit: &'static str,
}

/// Whether the figure has to be at least or at most the goal.
#[derive(Clone, Copy)]
pub enum WantedSide {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    /// `None`: it cannot be measured on this machine.
    pub fn met(&self) -> Option<bool> {
        self.measured.map(|measured| match self.wanted {
            WantedSide::AtLeast(least) => measured >= least,
            WantedSide::AtMost(most) => measured <= most,
        })
    }
}

impl PageSection {
    pub fn goal(
        &mut self,
        number: u8,
        what: impl Into<String>,
        wanted: WantedSide,
        measured: Option<f64>,
        unit: &'static str,
    ) {
        self.goals.push(Goal { number, what: what.into(), wanted, measured, unit });
    }

    pub fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = writeln!(self.text, "{line}");
    }
}

/// The goals in the order of their numbers, marking those that are missed.
pub fn goals(sections: &[PageSection]) -> String {
    let mut goals: Vec<&Goal> = sections.iter().flat_map(|section| &section.goals).collect();
    goals.sort_by_key(|goal| goal.number);
    let mut text = String::from("| # | what | goal | measured | |\n|---|---|---|---|---|\n");
    for goal in goals {
        let wanted = match goal.wanted {
            WantedSide::AtLeast(least) => format!("≥ {least}"),
            WantedSide::AtMost(most) => format!("≤ {most}"),
        };
        let measured = goal.measured.map_or_else(|| "not here".to_owned(), short);
        let met = match goal.met() {
            Some(true) => "met",
            Some(false) => "**missed**",
            None => "",
        };
        let Goal { number, what, unit, .. } = goal;
        let _ = writeln!(text, "| {number} | {what} | {wanted}{unit} | {measured}{unit} | {met} |");
    }
    text
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
        let mut section = PageSection::default();
        section.goal(2, "late", WantedSide::AtMost(1.0), Some(1.5), " ms");
        section.goal(1, "fast", WantedSide::AtLeast(6.0), Some(123.4), " times");
        section.goal(3, "elsewhere", WantedSide::AtLeast(6.0), None, "");
        let text = goals(&[section]);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(
            lines,
            [
                "| 1 | fast | ≥ 6 times | 123 times | met |",
                "| 2 | late | ≤ 1 ms | 1.50 ms | **missed** |",
                "| 3 | elsewhere | ≥ 6 | not here |  |",
            ]
        );
    }
}
