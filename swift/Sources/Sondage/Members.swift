extension Member {
    /// The value of a field: `member["Email"]`. `nil` if the member has no such field.
    public subscript(field: String) -> FieldValue? { fields[field]?.value }
}

extension NewMember {
    /// A member to create: `NewMember(["Email": "ada@example.org", "Age": 36])`.
    ///
    /// A number becomes a field of type `Number`, everything else a field of type `String`. For other types,
    /// write out the fields.
    public init(_ values: [String: FieldValue]) {
        self.init(fields: memberFields(values))
    }
}

/// What a field can hold: texts, numbers and booleans of variables, and their optionals, of which `nil` is an empty value.
public protocol FieldValueConvertible: Sendable {
    /// The value of a field.
    var fieldValue: FieldValue { get }
}

extension FieldValue: FieldValueConvertible {
    public var fieldValue: FieldValue { self }
}

extension String: FieldValueConvertible {
    public var fieldValue: FieldValue { .text(self) }
}

extension Bool: FieldValueConvertible {
    public var fieldValue: FieldValue { .bool(self) }
}

extension Int: FieldValueConvertible {
    public var fieldValue: FieldValue { .int(Int64(self)) }
}

extension Int64: FieldValueConvertible {
    public var fieldValue: FieldValue { .int(self) }
}

extension Double: FieldValueConvertible {
    public var fieldValue: FieldValue { .float(self) }
}

extension Optional: FieldValueConvertible where Wrapped: FieldValueConvertible {
    public var fieldValue: FieldValue { self?.fieldValue ?? .null }
}

extension NewMember {
    /// A member to create, from variables: `NewMember(["Email": email, "Age": age])`.
    public init(_ values: [String: any FieldValueConvertible]) {
        self.init(fields: memberFields(values.mapValues(\.fieldValue)))
    }
}

extension [String: FieldValue] {
    /// A row of an import, from variables: `rows: people.map { .row(["Email": $0.email]) }`.
    public static func row(_ values: [String: any FieldValueConvertible]) -> Self {
        values.mapValues(\.fieldValue)
    }
}

extension FieldValue {
    /// The text, if it is text.
    public var text: String? {
        if case let .text(text) = self { return text }
        return nil
    }

    /// The integer, if it is one.
    public var number: Int64? {
        if case let .int(number) = self { return number }
        return nil
    }

    fileprivate var isNumber: Bool {
        switch self {
        case .int, .float: return true
        default: return false
        }
    }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral value: String) { self = .text(value) }

    public init(integerLiteral value: Int64) { self = .int(value) }

    public init(floatLiteral value: Double) { self = .float(value) }

    public init(booleanLiteral value: Bool) { self = .bool(value) }

    public init(nilLiteral: ()) { self = .null }
}

private func memberFields(_ values: [String: FieldValue]) -> [String: MemberField] {
    var fields: [String: MemberField] = [:]
    for (name, value) in values {
        fields[name] = MemberField(name: name, fieldType: value.isNumber ? .number : .string, value: value)
    }
    return fields
}
