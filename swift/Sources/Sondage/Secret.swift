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
