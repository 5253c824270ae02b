import Foundation

/// The status of the answer to a request that was refused, whatever the reason.
public let refusedStatus = 401

extension Hook {
    /// ``judge(url:headers:body:now:)`` with headers as pairs; two with the same name are two:
    /// `request.headers.map { ($0.name, $0.value) }` in Vapor.
    public func verify(url: String, headers: [(String, String)], body: Data, now: Date? = nil) throws -> Verdict {
        try judge(url: url, headers: headers.map { Header(name: $0, value: Data($1.utf8)) }, body: body, now: now)
    }
}

extension WebHookEvent {
    /// The keys by which a guard knows the event.
    public var keys: [String] { [key] + (also.map { [$0] } ?? []) }
}

extension WebHookGuard {
    /// ``claimKeys(keys:)`` with the keys of an event.
    public func claim(_ event: WebHookEvent) throws -> Claim { try claimKeys(keys: event.keys) }

    /// Handles an event unless it was handled before, and returns the status to answer with: 204, or 503 when it is being
    /// handled at this moment, so that the service tries again. When `handle` throws, so does this, and the next delivery is
    /// new again.
    @discardableResult
    public func once(_ event: WebHookEvent, handle: (WebHookEvent) throws -> Void) throws -> Int {
        let claim = try claim(event)
        defer { claim.release() }
        if claim.state() == .new {
            try handle(event)
            claim.done()
        }
        return claim.state() == .busy ? 503 : 204
    }

    /// The same for a handler that waits.
    @discardableResult
    public func once(_ event: WebHookEvent, handle: (WebHookEvent) async throws -> Void) async throws -> Int {
        let claim = try claim(event)
        defer { claim.release() }
        if claim.state() == .new {
            try await handle(event)
            claim.done()
        }
        return claim.state() == .busy ? 503 : 204
    }
}
