//! Filters as data: anything that can be read can be written, and the flat list is equivalent to the tree.

use sondage::condition::{Expression, MAX_CONDITIONS};
use sondage::model::{Condition, Conjunction};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// An arbitrary result for each test, but the same for the same test.
fn holds(condition: &Condition, world: u8) -> bool {
    let mut test = condition.clone();
    test.conjunction = Conjunction::And;
    let mut hash = DefaultHasher::new();
    serde_json::to_string(&test).expect("a condition is JSON").hash(&mut hash);
    world.hash(&mut hash);
    hash.finish() & 1 == 1
}

/// The value of the tree; none if it contains a negation, which the service evaluates.
fn tree(expression: &Expression, world: u8) -> Option<bool> {
    Some(match expression {
        Expression::Test(_) => holds(expression.compile().ok()?.first()?, world),
        Expression::And(of) => of.iter().try_fold(true, |all, one| Some(tree(one, world)? & all))?,
        Expression::Or(of) => of.iter().try_fold(false, |any, one| Some(tree(one, world)? | any))?,
        Expression::Not(_) => return None,
    })
}

/// And binds closer than Or.
fn list(conditions: &[Condition], world: u8) -> bool {
    let (mut any, mut all) = (false, true);
    for (i, condition) in conditions.iter().enumerate() {
        if i > 0 && condition.conjunction == Conjunction::Or {
            any |= all;
            all = true;
        }
        all &= holds(condition, world);
    }
    any | all
}

pub fn run(data: &[u8]) {
    let Ok(expression) = serde_json::from_slice::<Expression>(data) else { return };
    let written = serde_json::to_string(&expression).expect("a filter is JSON");
    let again: Expression = serde_json::from_str(&written).expect("what was written can be read");
    assert_eq!(again, expression);
    let Ok(conditions) = expression.compile() else { return };
    assert!(!conditions.is_empty() && conditions.len() <= MAX_CONDITIONS);
    for world in 0..4 {
        if let Some(expected) = tree(&expression, world) {
            assert_eq!(list(&conditions, world), expected);
        }
    }
}
