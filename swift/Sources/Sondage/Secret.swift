/// A password, a token or a secret. It is sent, but never displayed: printing it prints asterisks.
public struct Secret: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    public init(_ text: String) {
        self.text = text
    }

    /// The text itself. Use it only where the secret is needed.
    public func reveal() -> String { text }

    public var description: String { "***" }

    public var debugDescription: String { "***" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) {
        self.init(value)
    }
}

/// A secret is encoded only by an encoder that is allowed to write it; otherwise encoding what holds it throws.
///
///     let encoder = JSONEncoder()
///     encoder.userInfo[.encodesSecrets] = true
extension Secret: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        guard encoder.userInfo[.encodesSecrets] as? Bool == true else {
            let what = "A secret is not encoded. Leave it out, or allow it: encoder.userInfo[.encodesSecrets] = true."
            throw EncodingError.invalidValue(self, .init(codingPath: encoder.codingPath, debugDescription: what))
        }
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

extension CodingUserInfoKey {
    /// Whether an encoder may write secrets: `true` or absent.
    public static let encodesSecrets = CodingUserInfoKey(rawValue: "sondage.encodesSecrets")!
}
