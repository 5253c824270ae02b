//! What a server without personal data refuses and leaves out, so that no argument of a tool reveals what its results hide.
//!
//! A filter or an order on a hidden value would reveal it: who asks often enough reads it out character by character. So they take
//! only what results show. The plan of a message tells who can be reached, and why others cannot: that is shown in numbers that
//! stand for nobody.

use crate::mask;
use serde_json::Value;
use sondage::operation::OperationInfo;
use sondage_jobs::{LeftOutReason, SendPlan};
use std::collections::BTreeMap;

/// The smallest group that is counted, and the smallest number of people outside it.
const SMALLEST: usize = 10;

/// Refuses a read that filters or sorts by what is hidden. `sent`: the request as it would be sent.
pub fn check_read(row: &OperationInfo, sent: &Value) -> Result<(), String> {
    let columns = mask::shown_columns(row);
    check_conditions(sent["conditions"].as_array().map_or(&[], Vec::as_slice), &columns)?;
    match sent["paging"]["orderField"].as_str() {
        Some(name) if !name.is_empty() && !is_shown(name, &columns) => {
            Err(refusal("the order", name, &columns))
        }
        _ => Ok(()),
    }
}

/// Refuses conditions on what is hidden. Only the service's own columns have values that are shown.
pub fn check_conditions(conditions: &[Value], columns: &[String]) -> Result<(), String> {
    for condition in conditions {
        let name = condition["identifier"].as_str().unwrap_or_default();
        if condition["conditionType"] != "SQL" || !is_shown(name, columns) {
            return Err(refusal("a condition", name, columns));
        }
    }
    Ok(())
}

/// A sentence about what conditions and the order of a list take here, if it is a list that takes them.
pub fn advice(row: &OperationInfo) -> Option<String> {
    let takes = row.request.fields.iter().any(|field| field.wire == "conditions");
    let columns = mask::shown_columns(row).join("`, `");
    takes.then(|| format!("Conditions have the `conditionType` `SQL`; their `identifier`, and `orderField`, are one of `{columns}`."))
}

fn is_shown(name: &str, columns: &[String]) -> bool {
    columns.iter().any(|column| column.eq_ignore_ascii_case(name))
}

fn refusal(what: &str, name: &str, columns: &[String]) -> String {
    let columns = columns.join("`, `");
    format!(
        "{what} by `{name}` could reveal values that are hidden here. Nothing was sent. Conditions have the `conditionType` `SQL` \
         here, and conditions and the order take one of `{columns}`; the person who starts the server can allow the others with \
         `--personal-data`."
    )
}

/// The plan of a message, without what is known about single people. `chosen`: the arguments have chosen some of them, so the
/// difference of two plans would be one person.
pub fn sentences(plan: &SendPlan, chosen: bool) -> String {
    let (count, matches) = (plan.count(), plan.matches());
    let left_out = matches.saturating_sub(count);
    if chosen || count < SMALLEST || left_out < SMALLEST {
        return at_most(matches);
    }
    let mut groups: BTreeMap<LeftOutReason, usize> = BTreeMap::new();
    for left in plan.left_out() {
        *groups.entry(left.reason).or_default() += 1;
    }
    let mut text = format!("Reaches {count} of {matches}");
    let columns = shown(groups.into_iter().collect());
    let others = left_out - columns.iter().map(|(_, members)| members).sum::<usize>();
    let mut reasons: Vec<String> =
        columns.into_iter().map(|(reason, members)| format!("{members} {}", reason.of(members))).collect();
    if others > 0 {
        reasons.push(format!("{others} are left out for other reasons"));
    }
    text.push_str(": ");
    text.push_str(&reasons.join(", "));
    format!("{text}. Running it makes {} calls.", plan.calls())
}

/// The groups that can be counted: none is small, and neither is the rest.
fn shown(mut groups: Vec<(LeftOutReason, usize)>) -> Vec<(LeftOutReason, usize)> {
    let all: usize = groups.iter().map(|(_, members)| members).sum();
    groups.retain(|(_, members)| *members >= SMALLEST);
    while !groups.is_empty() {
        let rest = all - groups.iter().map(|(_, members)| members).sum::<usize>();
        if rest == 0 || rest >= SMALLEST {
            break;
        }
        let smallest = groups.iter().enumerate().min_by_key(|(_, (_, members))| *members).map(|(at, _)| at);
        groups.remove(smallest.unwrap_or_default());
    }
    groups
}

/// What is said of a plan whose numbers would reveal something about people.
pub fn at_most(matches: usize) -> String {
    format!(
        "Reaches at most {matches} people. How many can be reached, and why others cannot, is hidden here, because it would \
         reveal something about them."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use LeftOutReason::{Bounced, Invited, NoAddress, OptedOut};

    #[test]
    fn no_group_is_small_and_none_can_be_computed() {
        for (groups, expected) in [
            (vec![(NoAddress, 21), (OptedOut, 34)], vec![(NoAddress, 21), (OptedOut, 34)]),
            (vec![(NoAddress, 21), (OptedOut, 9), (Bounced, 3)], vec![(NoAddress, 21)]),
            (vec![(NoAddress, 21), (OptedOut, 34), (Bounced, 3)], vec![(OptedOut, 34)]),
            (vec![(NoAddress, 21), (Bounced, 3)], vec![]),
            (vec![(OptedOut, 5), (Invited, 9)], vec![]),
        ] {
            assert_eq!(shown(groups), expected);
        }
    }
}
