import Foundation
import Sondage
import XCTest

final class TokensTests: XCTestCase {
    private let box = Sandbox.shared
    private struct Oops: Error {}

    override func setUp() async throws { try await box.forget() }

    private func client(_ token: @escaping @Sendable () async throws -> String) throws -> Client {
        try Client(accountUrl: box.accountUrl, settings: box.settings(tokenTimeout: 0.4), token: token)
    }

    /// Connects as a server does.
    private var withSecret: ClientSettings {
        var settings = box.settings()
        settings.tenant = box.tenant
        settings.clientSecret = Secret(box.clientSecret)
        return settings
    }

    private struct Backend {
        let asked = Counter()

        func surveyToken() async throws -> String {
            asked.add()
            return try await Sandbox.shared.token()
        }
    }

    func testABackendOfOnesOwnHoldsTheSecret() async throws {
        let backend = Backend()
        let client = try Client(accountUrl: "https://acme.survalyzer-eu.app") { try await backend.surveyToken() }
        client.close()
        XCTAssertEqual(backend.asked.value, 0)
        _ = try await self.client { try await backend.surveyToken() }.readPanel(panelId: box.panelId)
        XCTAssertEqual(backend.asked.value, 1)
    }

    func testAProviderThatThrows() async throws {
        for (thrown, text) in [(ProviderError.failed(reason: "no login"), "no login"), (Oops(), "Oops")] as [(Error, String)] {
            let client = try client { throw thrown }
            let error = await failure { try await client.readPanel(panelId: box.panelId) }
            guard case .authentication(let details)? = error else { return XCTFail("\(String(describing: error))") }
            XCTAssertTrue(details.message.contains(text), details.message)
            XCTAssertEqual(details.delivery, .no)
            XCTAssertTrue(error?.underlyingError.map { type(of: $0) == type(of: thrown) } ?? false, "\(details)")
        }
    }

    private struct LoggedOut: LocalizedError {
        let session: Int
        var errorDescription: String? { "the session has ended" }
    }

    func testWhatAProviderThrowsIsTheUnderlyingError() async throws {
        let client = try client { throw LoggedOut(session: 5) }
        let error = await failure { try await client.readPanel(panelId: box.panelId) }
        XCTAssertEqual((error?.underlyingError as? LoggedOut)?.session, 5)
        XCTAssertTrue(error?.message.contains("the session has ended") ?? false, error?.message ?? "")
        // Of a list, a job and a blocking call too.
        let others: [() async throws -> Any] = [
            { [box] in try await client.members(panelId: box.panelId).first() as Any },
            { [box] in
                try await client.planInvite(surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId)
            },
            { [box] in try client.blocking().readPanel(panelId: box.panelId) },
        ]
        for call in others {
            let error = await failure(of: call)
            XCTAssertEqual((error?.underlyingError as? LoggedOut)?.session, 5, "\(String(describing: error))")
        }
        let unknown = try self.client { "a token that nobody knows" }
        let other = await failure { try await unknown.readPanel(panelId: box.panelId) }
        XCTAssertNil(other?.underlyingError)
    }

    func testAProviderThatHangs() async throws {
        let client = try client {
            try await Task.sleep(nanoseconds: 60_000_000_000)
            return "late"
        }
        let error = await failure { try await client.readPanel(panelId: box.panelId) }
        XCTAssertEqual(error?.message.contains("400ms"), true, error?.message ?? "")
    }

    func testAProviderThatReturnsRubbish() async throws {
        for rubbish in ["", "   ", "Bearer abc", "two\nlines", "🦑", "\u{0}", "a token that nobody knows"] {
            let client = try client { rubbish }
            let error = await failure { try await client.readPanel(panelId: box.panelId) }
            guard case .authentication? = error else { return XCTFail("\(rubbish): \(String(describing: error))") }
        }
    }

    func testTheBlockingClientAndItsProvider() throws {
        let providers: [(String, @Sendable () async throws -> String)] = [
            ("Oops", { throw Oops() }),
            ("400ms", {
                try await Task.sleep(nanoseconds: 60_000_000_000)
                return "late"
            }),
        ]
        let settings = box.settings(tokenTimeout: 0.4)
        for (said, provider) in providers {
            let client = try BlockingClient(accountUrl: box.accountUrl, settings: settings, token: provider)
            XCTAssertThrowsError(try client.readPanel(panelId: box.panelId)) { error in
                guard case SondageError.authentication(let details) = error else { return XCTFail("\(error)") }
                XCTAssertTrue(details.message.contains(said), details.message)
            }
        }
    }

    func testAThousandCallsAndOneNewToken() async throws {
        let asked = Counter()
        let box = self.box
        let client = try Client(accountUrl: box.accountUrl, settings: box.settings()) {
            asked.add()
            try await Task.sleep(nanoseconds: 50_000_000)
            return try await box.token()
        }
        _ = try await client.readWorkspaceList()
        XCTAssertEqual(asked.value, 1)
        try await box.revokeTokens()
        let answers = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1000 { group.addTask { try await client.readWorkspaceList().workspaces.count } }
            return try await group.reduce(into: 0) { count, _ in count += 1 }
        }
        XCTAssertEqual(answers, 1000)
        XCTAssertEqual(asked.value, 2)
    }

    func testAThousandBlockingCallsAndOneToken() throws {
        let (asked, answered) = (Counter(), Counter())
        let client = try BlockingClient(accountUrl: box.accountUrl, settings: box.settings()) {
            asked.add()
            try await Task.sleep(nanoseconds: 50_000_000)
            return try await Sandbox.shared.token()
        }
        let threads = (0..<50).map { _ in
            Thread {
                for _ in 0..<20 where (try? client.readWorkspaceList()) != nil { answered.add() }
            }
        }
        threads.forEach { $0.start() }
        while !threads.allSatisfy(\.isFinished) { Thread.sleep(forTimeInterval: 0.01) }
        XCTAssertEqual([asked.value, answered.value], [1, 1000])
    }

    private final class Store: TokenStore, @unchecked Sendable {
        private let lock = NSLock()
        private var kept: [String: String] = [:]
        var count: Int { lock.withLock { kept.count } }

        func load(key: String) throws -> String? { lock.withLock { kept[key] } }

        func save(key: String, tokens: String) throws { lock.withLock { kept[key] = tokens } }

        func forget(key: String) throws { lock.withLock { kept[key] = nil } }
    }

    private final class Broken: TokenStore {
        func load(key: String) throws -> String? { throw Oops() }

        func save(key: String, tokens: String) throws { throw Oops() }

        func forget(key: String) throws { throw Oops() }
    }

    private final class Rubbish: TokenStore {
        func load(key: String) throws -> String? { "{\"accessToken\": 5" }

        func save(key: String, tokens: String) throws {}

        func forget(key: String) throws {}
    }

    func testAStoreKeepsTokensBetweenClients() async throws {
        let store = Store()
        for _ in 0..<2 { _ = try await Client.configured(settings: withSecret, tokenStore: store).readWorkspaceList() }
        let requests = try await box.tokenRequests()
        XCTAssertEqual(requests, 1)
        XCTAssertEqual(store.count, 1)
        try await Client.configured(settings: withSecret, tokenStore: store).logout()
        XCTAssertEqual(store.count, 0)
    }

    func testAStoreThatFailsDoesNotFailACall() async throws {
        for store in [Broken(), Rubbish()] as [any TokenStore] {
            let client = try Client.configured(settings: withSecret, tokenStore: store)
            let workspaces = try await client.readWorkspaceList().workspaces
            XCTAssertFalse(workspaces.isEmpty)
        }
    }
}
