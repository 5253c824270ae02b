import Foundation

extension SondageError {
    /// The error of the token provider, if it caused this one: one of the last 100 errors of the process.
    public var underlyingError: (any Error)? { details.thrown.flatMap(Thrown.shared.find) }
}

/// The latest errors of token providers. Rust code refers to them by number.
final class Thrown: @unchecked Sendable {
    static let shared = Thrown()

    /// How many errors are kept.
    private static let kept: Int64 = 100

    private let lock = NSLock()
    /// Begins anywhere: an error that was stored by another process must not find one of this.
    private var last = Int64.random(in: 0..<(1 << 62))
    private var errors: [Int64: any Error] = [:]

    /// The text for Rust.
    func reason(_ error: any Error) -> String {
        let number = lock.withLock {
            last += 1
            errors[last] = error
            errors[last - Self.kept] = nil
            return last
        }
        return "\u{1}\(number)\u{1}\(Self.text(error))"
    }

    func find(_ number: Int64) -> (any Error)? { lock.withLock { errors[number] } }

    private static func text(_ error: any Error) -> String {
        if case ProviderError.failed(let reason) = error { return reason }
        return (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    }
}
