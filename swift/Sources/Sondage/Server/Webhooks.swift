import Foundation

/// The status of the response to a refused request, whatever the reason.
public let refusedStatus = 401

extension Hook {
    /// ``judge(url:headers:body:now:)`` with headers as pairs, including duplicates:
    /// `request.headers.map { ($0.name, $0.value) }` in Vapor.
    ///
    /// - Parameter url: Its address: complete, or path and query.
    /// - Parameter headers: All of its headers.
    /// - Parameter body: The bytes received, before any parser.
    /// - Parameter now: The current time, for tests.
    public func verify(url: String, headers: [(String, String)], body: Data, now: Date? = nil) throws -> WebHookVerdict {
        try judge(url: url, headers: headers.map { Header(name: $0, value: Data($1.utf8)) }, body: body, now: now)
    }

    /// Reads the body of a request while it arrives, from a sequence of its bytes.
    ///
    /// It stops at one byte more than `largestBody`, which `verify` refuses, so that a stranger cannot fill the memory.
    ///
    /// - Parameter bytes: The body, byte by byte.
    public func read<Bytes: AsyncSequence>(_ bytes: Bytes) async throws -> Data where Bytes.Element == UInt8 {
        var body = Data()
        let most = Int(largestBody())
        for try await byte in bytes {
            body.append(byte)
            if body.count > most { break }
        }
        return body
    }

    /// The same from a sequence of pieces: `request.body.map { Data(buffer: $0) }` in Vapor.
    ///
    /// - Parameter pieces: The body, piece by piece.
    public func read<Pieces: AsyncSequence>(_ pieces: Pieces) async throws -> Data
    where Pieces.Element: Sequence, Pieces.Element.Element == UInt8 {
        var body = Data()
        let most = Int(largestBody())
        for try await piece in pieces {
            body.append(contentsOf: piece.prefix(most + 1 - body.count))
            if body.count > most { break }
        }
        return body
    }
}

extension WebHookEvent {
    /// The keys by which a guard identifies the event.
    public var keys: [String] { [key] + (also.map { [$0] } ?? []) }
}

extension WebHookGuard {
    /// ``claimKeys(keys:)`` with the keys of an event.
    public func claim(_ event: WebHookEvent) throws -> Claim { try claimKeys(keys: event.keys) }

    /// Handles an event unless it was handled before, and returns the status to respond with: 204, or 503 if it is being
    /// handled elsewhere, so that the service retries. If `handle` throws, this throws too, and the next delivery is new
    /// again.
    ///
    /// - Parameter event: The event.
    /// - Parameter handle: Handles it.
    @discardableResult
    public func once(_ event: WebHookEvent, handle: (WebHookEvent) throws -> Void) throws -> Int {
        let claim = try claim(event)
        defer { claim.release() }
        if claim.state() == .new {
            try handle(event)
            try claim.done()
        }
        return claim.state() == .busy ? 503 : 204
    }

    /// The same with an async handler.
    ///
    /// - Parameter event: The event.
    /// - Parameter handle: Handles it.
    @discardableResult
    public func once(_ event: WebHookEvent, handle: (WebHookEvent) async throws -> Void) async throws -> Int {
        let claim = try claim(event)
        defer { claim.release() }
        if claim.state() == .new {
            try await handle(event)
            try claim.done()
        }
        return claim.state() == .busy ? 503 : 204
    }
}
