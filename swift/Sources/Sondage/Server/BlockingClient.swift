extension BlockingClient {
    /// A client that gets its tokens from a closure.
    public convenience init(
        accountUrl: String, settings: ClientSettings? = nil, token: @escaping @Sendable () async throws -> String
    ) throws {
        try self.init(accountUrl: accountUrl, tokenProvider: TokenClosure(ask: token), settings: settings)
    }
}
