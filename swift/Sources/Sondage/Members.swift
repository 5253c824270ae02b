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

extension ClientProtocol {
    /// Creates one member, and returns its id. If the service refuses the member, this throws ``SondageError/api(_:)`` with its
    /// reasons; `createMembers` of several returns them in its response.
    ///
    /// - Parameter panelId: The panel or sample.
    /// - Parameter member: The member, with at least one field.
    /// - Parameter tenant: The tenant; the client's own when left out.
    public func createMember(panelId: Int64, member: NewMember, tenant: String? = nil) async throws -> Int64 {
        if member.fields.isEmpty {
            let hint = "Give at least one: `NewMember([\"Email\": email])`."
            throw SondageError.invalidArgument(
                ErrorDetails(
                    message: "`member` has no field. Nothing was sent. \(hint)", hint: hint, attempts: 0, delivery: .no,
                    safeToRetry: false))
        }
        let response = try await createMembers(panelId: panelId, members: [member], tenant: tenant)
        if let id = response.membersIds.first ?? nil, id > 0 { return id }
        let issues = response.validationIssues
        // Only a reason of the service says that nobody was created.
        if issues.isEmpty {
            let hint = "Look for the member in the panel before you call again."
            throw SondageError.outcomeUnknown(
                ErrorDetails(
                    message: "The service returned neither an id nor a reason, so it is unknown whether the member was created. \(hint)",
                    hint: hint, operation: "CreateMembers", attempts: 1, delivery: .answered, safeToRetry: false))
        }
        let why = issues.map { $0.errorMessage ?? $0.errorCode ?? "no reason was given" }.joined(separator: "; ")
        throw SondageError.api(
            ErrorDetails(
                message: "The service refused the member: \(why). Nobody was created.",
                hint: "Change what the service says, and call again.", operation: "CreateMembers", attempts: 1,
                errorCode: issues.first?.errorCode, errorMessage: issues.first?.errorMessage, delivery: .answered,
                safeToRetry: true))
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
