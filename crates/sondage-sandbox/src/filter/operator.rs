//! The 18 operators of the published definition.

/// What an operator asks. Every negative is the opposite of its positive (assumed; see
/// [`Profile::empty_matches_negation`](crate::Profile::empty_matches_negation)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Predicate {
    /// Is it less, equal or greater? The three flags say which of these hold.
    Order { less: bool, equal: bool, greater: bool },
    /// Has it no value, or an empty text?
    Empty,
    /// Is the operand a part of its text?
    Contains,
    /// Does the operand, a regular expression, match anywhere in its text?
    Regex,
    /// Is it one of the comma separated operands?
    AnyEqual,
    /// Has it (or, for a list, any of its elements) no value?
    AnyEmpty,
    /// Does any of the comma separated regular expressions match?
    AnyRegex,
}

/// An operator: a question, and whether yes or no is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operator {
    pub(crate) question: Predicate,
    pub(crate) negated: bool,
}

impl Operator {
    /// `None` for a name that is not an operator, `Invalid` among them.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        let order = |less, equal, greater| Predicate::Order { less, equal, greater };
        let (question, negated) = match name {
            "IsLessThan" => (order(true, false, false), false),
            "IsLessThanOrEqualTo" => (order(true, true, false), false),
            "IsGreaterThan" => (order(false, false, true), false),
            "IsGreaterThanOrEqualTo" => (order(false, true, true), false),
            "IsEqualTo" => (order(false, true, false), false),
            "IsNotEqualTo" => (order(false, true, false), true),
            "IsEmpty" => (Predicate::Empty, false),
            "IsNotEmpty" => (Predicate::Empty, true),
            "Contains" => (Predicate::Contains, false),
            "DoesNotContain" => (Predicate::Contains, true),
            "MatchRegex" => (Predicate::Regex, false),
            "DoesNotMatchRegex" => (Predicate::Regex, true),
            "AnyIsEqual" => (Predicate::AnyEqual, false),
            "AnyIsNotEqual" => (Predicate::AnyEqual, true),
            "AnyIsEmpty" => (Predicate::AnyEmpty, false),
            "AnyIsNotEmpty" => (Predicate::AnyEmpty, true),
            "AnyMatchRegex" => (Predicate::AnyRegex, false),
            "AnyDoesNotMatchRegex" => (Predicate::AnyRegex, true),
            _ => return None,
        };
        Some(Self { question, negated })
    }
}
