import Foundation

extension SondageError {
    /// What happened, whether anything was changed, and what to do next, in sentences for people.
    public var message: String { details.message }

    /// What to do next.
    public var hint: String { details.hint }

    /// The API's name of the operation.
    public var operation: String? { details.operation }

    /// The number of attempts. 0 if the request was never sent.
    public var attempts: Int32 { details.attempts }

    /// The HTTP status of the last response.
    public var status: Int32? { details.status }

    /// The service's own word for what is wrong.
    public var errorCode: String? { details.errorCode }

    /// The service's own sentence.
    public var errorMessage: String? { details.errorMessage }

    /// The request id, by which the service may find the request in its logs.
    public var requestId: String? { details.requestId }

    /// Whether the request reached the service.
    public var delivery: Delivery { details.delivery }

    /// Whether it is safe to make the same call again, without a second effect.
    public var safeToRetry: Bool { details.safeToRetry }

    /// How long the service asked to wait, in seconds.
    public var retryAfter: TimeInterval? { details.retryAfter }

    /// For an unknown outcome: how to find out what happened.
    public var reconcile: String? { details.reconcile }

    /// After an unknown outcome of an operation that is never repeated: by this id `reconcile` of a client knows what was sent, in
    /// this process.
    public var writeId: String? { details.writeId }

    /// A panic inside the library, as an error like any other.
    static func panic(_ reason: String) -> SondageError {
        let hint = "Please report this with the steps that led to it."
        let message = "A call failed inside the library (\(reason)). \(hint)"
        return .internal(ErrorDetails(message: message, hint: hint, attempts: 0, delivery: .unknown, safeToRetry: false))
    }
}

extension SondageError: LocalizedError, CustomStringConvertible {
    public var description: String { message }

    public var errorDescription: String? { message }

    public var recoverySuggestion: String? { hint }
}
