import Foundation

/// Something that happens on the platform, of which the subscribers of its event are notified: see ``Sandbox/emit(_:)``.
public enum Cause {
    /// Somebody completes an interview (`InterviewComplete`), with answers by the codes of the survey's variables.
    case complete(id: String, answers: [String: Any] = [:])
    /// A message to a member bounces permanently (`HardBounce`).
    case hardBounce(memberId: Int64)
    /// A member opts out (`OptOutAdded`).
    case optOut(memberId: Int64)
    /// A member opts in again (`OptOutRemoved`).
    case optIn(memberId: Int64)
    /// A member changes (`PanelMemberUpdated`), with new values by the names of the fields.
    case updateMember(memberId: Int64, fields: [String: Any] = [:])
    /// A member is removed (`PanelMemberRemoved`).
    case removeMember(memberId: Int64)
    /// A survey is closed (`SurveyClosed`).
    case closeSurvey(surveyId: Int64)
    /// The approval of a survey is requested (`ApprovalRequest`).
    case requestApproval(surveyId: Int64)
    /// A survey is approved (`Approved`).
    case approve(surveyId: Int64)
    /// Any event, with any entity, without a change of state.
    case event(eventType: String, entityIdentifier: Int64? = nil, entity: Any? = nil)

    var fields: [String: Any] {
        switch self {
        case .complete(let id, let answers): return ["kind": "complete", "id": id, "answers": answers]
        case .hardBounce(let member): return ["kind": "bounce", "memberId": member]
        case .optOut(let member): return ["kind": "optOut", "memberId": member]
        case .optIn(let member): return ["kind": "optIn", "memberId": member]
        case .updateMember(let member, let fields): return ["kind": "updateMember", "memberId": member, "fields": fields]
        case .removeMember(let member): return ["kind": "removeMember", "memberId": member]
        case .closeSurvey(let survey): return ["kind": "closeSurvey", "surveyId": survey]
        case .requestApproval(let survey): return ["kind": "requestApproval", "surveyId": survey]
        case .approve(let survey): return ["kind": "approve", "surveyId": survey]
        case .event(let type, let identifier, let entity):
            return [
                "kind": "event", "eventType": type, "entityIdentifier": identifier ?? NSNull(), "entity": entity ?? NSNull(),
            ]
        }
    }
}

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

/// The result of an ``Attempt``.
public enum AttemptOutcome: String, Sendable {
    /// A status from 200 to 299.
    case delivered
    /// Another status. Redirects are not followed.
    case refused
    /// No connection, or no response in time.
    case failed
    /// A fault dropped it.
    case silent
    /// The address is on another machine, so nothing was sent.
    case notSent
    /// The registration no longer exists, so nothing was sent.
    case gone
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
