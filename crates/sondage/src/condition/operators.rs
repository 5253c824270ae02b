//! The 18 operators: the values that each of them takes, and its negation.

use crate::model::ConditionOperator as Op;

/// The kind of value that an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    One,
    /// A list, joined with commas.
    Many,
}

pub(super) fn takes(operator: &Op) -> Option<Takes> {
    Some(match operator {
        Op::IsLessThan
        | Op::IsLessThanOrEqualTo
        | Op::IsGreaterThan
        | Op::IsGreaterThanOrEqualTo
        | Op::IsEqualTo
        | Op::IsNotEqualTo
        | Op::Contains
        | Op::DoesNotContain
        | Op::MatchRegex
        | Op::DoesNotMatchRegex => Takes::One,
        Op::AnyIsEqual | Op::AnyIsNotEqual | Op::AnyMatchRegex | Op::AnyDoesNotMatchRegex => Takes::Many,
        Op::IsEmpty | Op::IsNotEmpty | Op::AnyIsEmpty | Op::AnyIsNotEmpty => Takes::Nothing,
        // An operator that the service added later: the value is sent unchecked.
        Op::Unknown(_) => return None,
    })
}

/// The operator that holds exactly when this one does not. The `Any…` operators have none: it is not published whether
/// `AnyIsNotEqual` means "none is equal" or "one is not", and a wrong guess would invite the wrong people.
pub(super) fn opposite(operator: &Op) -> Option<Op> {
    Some(match operator {
        Op::IsLessThan => Op::IsGreaterThanOrEqualTo,
        Op::IsLessThanOrEqualTo => Op::IsGreaterThan,
        Op::IsGreaterThan => Op::IsLessThanOrEqualTo,
        Op::IsGreaterThanOrEqualTo => Op::IsLessThan,
        Op::IsEqualTo => Op::IsNotEqualTo,
        Op::IsNotEqualTo => Op::IsEqualTo,
        Op::IsEmpty => Op::IsNotEmpty,
        Op::IsNotEmpty => Op::IsEmpty,
        Op::Contains => Op::DoesNotContain,
        Op::DoesNotContain => Op::Contains,
        Op::MatchRegex => Op::DoesNotMatchRegex,
        Op::DoesNotMatchRegex => Op::MatchRegex,
        Op::AnyIsEqual
        | Op::AnyIsNotEqual
        | Op::AnyIsEmpty
        | Op::AnyIsNotEmpty
        | Op::AnyMatchRegex
        | Op::AnyDoesNotMatchRegex
        | Op::Unknown(_) => return None,
    })
}
