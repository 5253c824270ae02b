//! Any JSON as the conditions of a call to the sandbox: refused, or a response; and And never matches more rows.

use serde_json::Value;
use sondage::model::{Condition, Conjunction};
use sondage_sandbox::fuzzing::filter;

pub fn run(data: &[u8]) {
    let Ok((value, conditions)) = serde_json::from_slice::<(Value, Vec<Condition>)>(data) else { return };
    let Some(matched) = filter(&conditions, &value) else { return };
    let Some(last) = conditions.last().filter(|_| conditions.len() > 1) else { return };
    let before =
        filter(&conditions[..conditions.len() - 1], &value).expect("a part of a valid list is valid");
    match last.conjunction {
        Conjunction::Or => assert!(matched || !before, "Or matches no fewer rows"),
        _ if conditions.iter().skip(1).all(|condition| condition.conjunction == Conjunction::And) => {
            assert!(before || !matched, "And matches no more rows");
        }
        _ => {}
    }
}
