extension Client {
    /// A client that gets its tokens from a closure: `try Client(accountUrl: url) { try await
    /// backend.surveyToken() }`.
    public convenience init(
        accountUrl: String, settings: ClientSettings? = nil, token: @escaping @Sendable () async throws -> String
    ) throws {
        try self.init(accountUrl: accountUrl, tokenProvider: TokenClosure(ask: token), settings: settings)
    }
}

final class TokenClosure: TokenProvider {
    private let ask: @Sendable () async throws -> String

    init(ask: @escaping @Sendable () async throws -> String) {
        self.ask = ask
    }

    func token() async throws -> String { try await ask() }
}
