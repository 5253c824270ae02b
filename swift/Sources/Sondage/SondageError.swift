import Foundation

extension SondageError {
    /// A panic inside the library, as an error like any other.
    static func panic(_ reason: String) -> SondageError {
        let hint = "Please report this with the steps that led to it."
        let message = "A call failed inside the library (\(reason)). \(hint)"
        return .internal(ErrorDetails(message: message, hint: hint, attempts: 0, delivery: .unknown, safeToRetry: false))
    }
}

extension SondageError {
    /// A class of a test that stands for a client lacks a method that was called.
    static func notFaked(_ method: String) -> SondageError {
        let hint = "Write the method in the class that stands for the client."
        let message = "This stands for a client, and has no `\(method)`. \(hint)"
        return .internal(ErrorDetails(message: message, hint: hint, attempts: 0, delivery: .no, safeToRetry: false))
    }
}

extension SondageError: LocalizedError, CustomStringConvertible {
    public var description: String { message }

    public var errorDescription: String? { message }

    public var recoverySuggestion: String? { hint }
}
