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
        var fields: [String: MemberField] = [:]
        for (name, value) in values {
            fields[name] = MemberField(name: name, fieldType: value.isNumber ? .number : .string, value: value)
        }
        self.init(fields: fields)
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
