import Foundation

/// What something can be compared with: a text, an integer, a number with decimals, a boolean or a time.
public protocol ComparisonValue: Sendable {
    /// The value as the library sends it.
    var comparand: Comparand { get }
}

extension String: ComparisonValue {
    public var comparand: Comparand { .text(self) }
}

extension Int: ComparisonValue {
    public var comparand: Comparand { .int(Int64(self)) }
}

extension Int64: ComparisonValue {
    public var comparand: Comparand { .int(self) }
}

extension Double: ComparisonValue {
    public var comparand: Comparand { .float(self) }
}

extension Bool: ComparisonValue {
    public var comparand: Comparand { .bool(self) }
}

extension Date: ComparisonValue {
    public var comparand: Comparand { .time(self) }
}

/// A field of a panel or sample: `field("Division")`.
public func field(_ name: String) -> Variable { field(name: name) }

/// A question of a survey, by its code.
public func question(_ code: String) -> Variable { question(name: code) }

/// A custom variable of a survey.
public func custom(_ name: String) -> Variable { custom(name: name) }

/// A variable from the URL of an interview.
public func url(_ name: String) -> Variable { url(name: name) }

/// A column of the service's own, for example `UpdatedAt`.
public func column(_ name: String) -> Variable { column(name: name) }

/// A comparison that has no function here is made with `compare`, `compareAny` or `test`.
extension Variable {
    /// Less than the value.
    public func isLessThan(_ value: some ComparisonValue) -> Filter { compare(comparison: .isLessThan, value: value.comparand) }

    /// Less than the value or equal to it.
    public func isLessThanOrEqualTo(_ value: some ComparisonValue) -> Filter { compare(comparison: .isLessThanOrEqualTo, value: value.comparand) }

    /// Greater than the value.
    public func isGreaterThan(_ value: some ComparisonValue) -> Filter { compare(comparison: .isGreaterThan, value: value.comparand) }

    /// Greater than the value or equal to it.
    public func isGreaterThanOrEqualTo(_ value: some ComparisonValue) -> Filter { compare(comparison: .isGreaterThanOrEqualTo, value: value.comparand) }

    /// Equal to the value.
    public func isEqualTo(_ value: some ComparisonValue) -> Filter { compare(comparison: .isEqualTo, value: value.comparand) }

    /// Not equal to the value.
    public func isNotEqualTo(_ value: some ComparisonValue) -> Filter { compare(comparison: .isNotEqualTo, value: value.comparand) }

    /// Contains the text.
    public func contains(_ value: some ComparisonValue) -> Filter { compare(comparison: .contains, value: value.comparand) }

    /// Does not contain the text.
    public func doesNotContain(_ value: some ComparisonValue) -> Filter { compare(comparison: .doesNotContain, value: value.comparand) }

    /// Matches the regular expression. Its dialect is not published.
    public func matches(_ value: some ComparisonValue) -> Filter { compare(comparison: .matchRegex, value: value.comparand) }

    /// Does not match the regular expression.
    public func doesNotMatch(_ value: some ComparisonValue) -> Filter { compare(comparison: .doesNotMatchRegex, value: value.comparand) }

    /// Later than the time.
    public func isAfter(_ time: Date) -> Filter { compare(comparison: .isGreaterThan, value: time.comparand) }

    /// At the time or later.
    public func isSince(_ time: Date) -> Filter { compare(comparison: .isGreaterThanOrEqualTo, value: time.comparand) }

    /// Earlier than the time.
    public func isBefore(_ time: Date) -> Filter { compare(comparison: .isLessThan, value: time.comparand) }

    /// At this time or earlier.
    public func isUntil(_ time: Date) -> Filter { compare(comparison: .isLessThanOrEqualTo, value: time.comparand) }

    /// Equal to any of the values. No value may contain a comma.
    public func isIn(_ values: [some ComparisonValue]) -> Filter {
        compareAny(comparison: .anyIsEqual, values: values.map(\.comparand))
    }

    /// Matches any of the regular expressions. None may contain a comma.
    public func anyMatches(_ values: [some ComparisonValue]) -> Filter {
        compareAny(comparison: .anyMatchRegex, values: values.map(\.comparand))
    }

    /// Different from each of the values.
    public func isNotIn(_ values: [some ComparisonValue]) -> Filter {
        allOf(filters: values.map { isNotEqualTo($0) })
    }

    /// Has no value.
    public func isEmpty() -> Filter { test(comparison: .isEmpty) }

    /// Has a value.
    public func isNotEmpty() -> Filter { test(comparison: .isNotEmpty) }
}

extension Filter {
    /// Both.
    public static func && (one: Filter, other: Filter) -> Filter { allOf(filters: [one, other]) }

    /// One or the other, or both.
    public static func || (one: Filter, other: Filter) -> Filter { anyOf(filters: [one, other]) }

    /// The opposite.
    public static prefix func ! (filter: Filter) -> Filter { filter.negated() }
}
