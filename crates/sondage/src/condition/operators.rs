//! The 18 operators: what each of them takes, and its opposite.

use crate::model::ConditionOperator as Op;

/// What an operator takes.
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
        // An operator that the service added later: whatever was given is sent.
        Op::Unknown(_) => return None,
    })
}

/// The operator that holds exactly when this one does not. The `Any…` operators have none: nobody has published whether
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
