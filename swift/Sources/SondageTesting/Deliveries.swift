import Foundation

/// One attempt to notify a subscriber.
public struct Attempt: Sendable {
    /// The number of the event: the same in all attempts, but different for each subscriber.
    public let event: Int64
    /// What happened.
    public let eventType: String
    /// The registration.
    public let webHookId: String
    /// Host and port.
    public let to: String
    /// 1 for the first.
    public let attempt: Int
    /// The result.
    public let outcome: AttemptOutcome
    /// The status of the response, if there is one.
    public let status: Int?

    /// An attempt from its line.
    init?(line: Substring) {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 6, let event = Int64(parts[0]), let attempt = Int(parts[4]),
            let outcome = AttemptOutcome(rawValue: parts[5])
        else { return nil }
        (self.event, eventType, webHookId, to) = (event, parts[1], parts[2], parts[3])
        (self.attempt, self.outcome, status) = (attempt, outcome, Int(parts[6]))
    }
}

extension Sandbox {
    /// Makes something happen, and delivers the event to its subscribers. `false` if there is no such interview, member or survey.
    @discardableResult
    public func emit(_ cause: Cause) throws -> Bool { try ask("emit", json(cause.fields)) == "true" }

    /// Every attempt to deliver an event, in order.
    public func deliveries() throws -> [Attempt] {
        try ask("deliveries").split(separator: "\n").compactMap(Attempt.init(line:))
    }

    /// Waits until every attempt that is due was made, and returns all attempts.
    ///
    /// - Parameters:
    ///   - timeout: How long to wait, in seconds.
    ///   - retries: Whether to move the clock until every event was delivered or given up.
    /// - Throws: ``SandboxError`` if that takes longer.
    @discardableResult
    public func awaitDeliveries(timeout: TimeInterval = 10, retries: Bool = false) async throws -> [Attempt] {
        let end = Date().addingTimeInterval(timeout)
        // In short steps: the receiver may use this sandbox.
        while try ask(retries ? "drain" : "settle") != "true" {
            guard Date() < end else { throw SandboxError(description: "deliveries are still due after \(timeout) s") }
            try await Task.sleep(nanoseconds: 5_000_000)
        }
        return try deliveries()
    }
}
