import Foundation

/// A value to compare with: text, an integer, a number with decimals, a boolean or a time.
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

extension Variable {
    /// A field of a panel or sample: `Variable.field("Division")`. The same as `panel`.
    public static func field(_ name: String) -> Variable { Sondage.field(name: name) }
}

// For comparisons without a function of their own, use `compare`, `compareAny` or `test`.

extension ConditionFilter {
    /// A field of a panel or sample: `where: .field("Division").isEqualTo("Research")`. The same as `panel`.
    public static func field(_ name: String) -> Variable { Sondage.field(name: name) }

    /// Both.
    public static func && (one: ConditionFilter, other: ConditionFilter) -> ConditionFilter { allOf(filters: [one, other]) }

    /// One or the other, or both.
    public static func || (one: ConditionFilter, other: ConditionFilter) -> ConditionFilter { anyOf(filters: [one, other]) }

    /// The opposite.
    public static prefix func ! (filter: ConditionFilter) -> ConditionFilter { filter.negated() }
}
