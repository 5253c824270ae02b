//! The 18 operators of the published definition.

/// The test of an operator. Each negative operator is the negation of its positive one (assumed; see
/// [`Profile::empty_matches_negation`](crate::Profile::empty_matches_negation)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Predicate {
    /// Comparison: the three flags say which of less, equal and greater match.
    Order { less: bool, equal: bool, greater: bool },
    /// No value, or an empty text.
    Empty,
    /// The operand is a part of the text.
    Contains,
    /// The operand, a regular expression, matches anywhere in the text.
    Regex,
    /// The value is one of the comma-separated operands.
    AnyEqual,
    /// The value (or, for a list, any of its elements) is empty.
    AnyEmpty,
    /// Any of the comma-separated regular expressions matches.
    AnyRegex,
}

/// An operator: a test, and the expected result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operator {
    pub(crate) question: Predicate,
    pub(crate) negated: bool,
}

impl Operator {
    /// `None` for a name that is not an operator, including `Invalid`.
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
