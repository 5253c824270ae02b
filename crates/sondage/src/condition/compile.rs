//! Compiles nested filters to a flat list: the disjunctive normal form.
//!
//! `a And (b Or c)` becomes `a And b Or a And c`: And binds closer than Or and there are no brackets, so the And part is
//! repeated after each Or.
// API 11.2, published

use super::{Expression, Test};
use crate::error::{Error, Result};
use crate::model::{Condition, Conjunction};

/// The maximum number of conditions in one filter. The service's own limit is not published; a filter that needs more
/// should be split into several calls.
pub const MAX_CONDITIONS: usize = 500;

/// The maximum nesting depth.
const MAX_DEPTH: usize = 100;

/// Alternatives, each a list of tests that must all hold.
type Alternatives = Vec<Vec<Test>>;

impl Expression {
    /// The conditions for a request, all validated: an error says which test is wrong and what to write
    /// instead.
    ///
    /// ```
    /// use sondage::condition::field;
    ///
    /// let (division, language) = (field("Division"), field("Language"));
    /// let filter = division.is_equal_to("Sales") & (language.clone().is_equal_to("de") | language.is_empty());
    /// let flat: Vec<_> = filter.compile()?.iter().map(|c| format!("{} {}", c.conjunction, c.identifier)).collect();
    /// assert_eq!(flat, ["And Division", "And Language", "Or Division", "And Language"]);
    /// # Ok::<(), sondage::Error>(())
    /// ```
    pub fn compile(&self) -> Result<Vec<Condition>> {
        let mut conditions = Vec::new();
        for (alternative, tests) in alternatives(self, false, 0)?.iter().enumerate() {
            for (position, test) in tests.iter().enumerate() {
                let starts_another = alternative > 0 && position == 0;
                let conjunction = if starts_another { Conjunction::Or } else { Conjunction::And };
                conditions.push(test.condition(conjunction)?);
            }
        }
        Ok(conditions)
    }
}

fn alternatives(expression: &Expression, opposite: bool, depth: usize) -> Result<Alternatives> {
    if depth > MAX_DEPTH {
        return Err(Error::invalid_argument(format!("the filter is nested deeper than {MAX_DEPTH} levels")));
    }
    match expression {
        Expression::Test(test) if opposite => Ok(vec![vec![test.opposite()?]]),
        Expression::Test(test) => Ok(vec![vec![test.clone()]]),
        Expression::Not(inner) => alternatives(inner, !opposite, depth + 1),
        Expression::And(of) | Expression::Or(of) if of.is_empty() => {
            Err(Error::invalid_argument("a part of the filter contains no test")
                .with_hint("Leave the filter out to match everything; an empty one is treated as a mistake."))
        }
        // The negation of "all" is "any of the negations", and the other way round.
        Expression::And(of) if !opposite => all(of, opposite, depth),
        Expression::Or(of) if opposite => all(of, opposite, depth),
        Expression::And(of) | Expression::Or(of) => any(of, opposite, depth),
    }
}

fn any(of: &[Expression], opposite: bool, depth: usize) -> Result<Alternatives> {
    let mut expanded = Alternatives::new();
    for expression in of {
        for tests in alternatives(expression, opposite, depth + 1)? {
            if !expanded.contains(&tests) {
                expanded.push(tests);
            }
        }
        within_limit(&expanded)?;
    }
    Ok(expanded)
}

fn all(of: &[Expression], opposite: bool, depth: usize) -> Result<Alternatives> {
    let mut expanded: Alternatives = vec![Vec::new()];
    for expression in of {
        let more = alternatives(expression, opposite, depth + 1)?;
        let mut joined = Alternatives::new();
        for left in &expanded {
            for right in &more {
                let mut tests = left.clone();
                tests.extend(right.iter().filter(|test| !left.contains(test)).cloned());
                joined.push(tests);
            }
            within_limit(&joined)?;
        }
        expanded = joined;
    }
    Ok(expanded)
}

fn within_limit(found: &Alternatives) -> Result<()> {
    if found.iter().map(Vec::len).sum::<usize>() <= MAX_CONDITIONS {
        return Ok(());
    }
    Err(Error::invalid_argument(format!(
        "the filter expands to more than {MAX_CONDITIONS} conditions: the service has no parentheses, so each Or repeats \
         the conditions that it is combined with"
    ))
    .with_hint("Use `is_in` instead of many Ors, or make several calls with a part of the filter each."))
}
