import Foundation
import Sondage
import XCTest

/// Webhooks as a Swift application uses them. Receivers are tested in languages with a server in their
/// standard library.
final class WebhooksTests: XCTestCase {
    private let key: Secret = "worthless-key-for-tests-of-webhooks-0123456789"
    private let body = Data(#"{"eventType": "HardBounce", "entity": {"interviewId": "5f0c", "panelMemberId": 9007199254740993}}"#.utf8)

    func testWhatIsMadeIsAcceptedAndNothingElse() throws {
        for hook in [
            try Hook.obscureUrl(),
            try Hook.basic(user: "survalyzer", password: "pass: wörd"),
            try Hook.bearer(key: key, audience: "receiver", days: 20),
            try Hook.signedUrl(key: key, resource: "orders/7"),
            try Hook.azureSignedUrl(key: "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZnaGlqa2xtbg==", resource: "/blob/a/b/c"),
        ] {
            let headers = hook.securityToken().map { [("Authorization", $0.reveal())] } ?? []
            let url = try hook.url(base: "https://acme.example/hooks").reveal()
            guard case .accepted(let event) = try hook.verify(url: url, headers: headers, body: body),
                case .bounce(let bounce) = event.entity
            else { return XCTFail(hook.strategy()) }
            XCTAssertEqual(bounce.panelMemberId, 9_007_199_254_740_993)
            guard case .hardBounce = event.eventType else { return XCTFail("\(event)") }
            XCTAssertEqual(event.credentialEnds, hook.ends())
            XCTAssertEqual(event.credentialEndsSoon, hook.strategy() == "bearer")
            guard case .refused = try hook.verify(url: "/hooks", headers: [], body: body) else { return XCTFail(hook.strategy()) }
            XCTAssertFalse("\(hook) \(hook.toJson())".contains("worthless"))
        }
    }

    func testSecretsAreChangedAndEnd() throws {
        let old = try Hook.basic(user: "a", password: "old")
        let next = try Hook.bearer(key: key, audience: "receiver", days: 20)
        let both = try next.accepting(previous: old)
        for token in [old, next].compactMap({ $0.securityToken()?.reveal() }) {
            guard case .accepted = try both.verify(url: "/", headers: [("authorization", token)], body: body) else {
                return XCTFail(token)
            }
        }
        let headers = [("authorization", try XCTUnwrap(next.securityToken()).reveal())]
        XCTAssertEqual(try reason(both.verify(url: "/", headers: headers, body: body, now: Date() + 21 * 86_400)), "expired")
        XCTAssertEqual(try reason(both.verify(url: "/", headers: headers + headers, body: body)), "authorization_doubled")
        let consumed = try both.verify(url: "/", headers: headers + [("content-length", "5")], body: Data())
        XCTAssertEqual(reason(consumed), "body_consumed")
        XCTAssertThrowsError(try Hook.bearer(key: "short", audience: "receiver")) { XCTAssert("\($0)".contains("32"), "\($0)") }
        XCTAssertThrowsError(try Hook.signedUrl(key: key, days: -1))
    }

    func testAFailedHandlerGivesTheEventBack() async throws {
        let hook = try Hook.basic(user: "a", password: "b").forEvent(kind: .surveyClosed)
        let headers = [("authorization", try XCTUnwrap(hook.securityToken()).reveal())]
        guard case .accepted(let event) = try hook.verify(url: "/", headers: headers, body: Data(#"{"id": 7}"#.utf8)) else {
            return XCTFail("refused")
        }
        XCTAssertThrowsError(try WebHookGuard(capacity: 0))
        let memory = try WebHookGuard()
        do {
            try await memory.once(event) { _ in
                await Task.yield()
                throw CocoaError(.featureUnsupported)
            }
            XCTFail("nothing was thrown")
        } catch is CocoaError {}
        let status = try await memory.once(event) { event in
            await Task.yield()
            let second = try memory.claim(event).state()
            guard case .busy = second else { return XCTFail("\(second)") }
        }
        XCTAssertEqual(status, 204)
        let again = try memory.once(event) { _ in XCTFail("twice") }
        XCTAssertEqual(again, 204)
        XCTAssertEqual(try memory.keys(), event.keys)

        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sondage-events-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = try await WebHookGuard.inFolder(folder: folder).once(event) { _ in await Task.yield() }
        let restarted = try WebHookGuard.inFolder(folder: folder, lease: 60)
        let second = try restarted.once(event) { _ in XCTFail("twice") }
        XCTAssertEqual([first, second], [204, 204])
        XCTAssertEqual(try restarted.keys(), event.keys)
        XCTAssertEqual(try restarted.prune(days: 1), 0)
    }

    /// Handles each event once, and returns the status to respond with.
    private func receive(
        _ url: String, _ headers: [(String, String)], _ body: Data, hook: Hook, memory: WebHookGuard,
        handle: (WebHookEvent) async throws -> Void
    ) async throws -> Int {
        switch try hook.verify(url: url, headers: headers, body: body) {
        case .accepted(let event):
            return try await memory.once(event) { event in try await handle(event) }
        case .refused(let reason, _):
            print("refused:", reason)  // for the log, not for the caller
            return refusedStatus
        }  // 204, 503 or 401
    }

    func testAReceiverTakesEachEventOnce() async throws {
        let (hook, memory, handled) = (try Hook.basic(user: "a", password: "b"), try WebHookGuard(), Counter())
        let headers = [("authorization", try XCTUnwrap(hook.securityToken()).reveal())]
        for (headers, status) in [(headers, 204), (headers, 204), ([], 401)] {
            let said = try await receive("/hooks", headers, body, hook: hook, memory: memory) { _ in handled.add() }
            XCTAssertEqual(said, status)
        }
        XCTAssertEqual(handled.value, 1)
    }

    func testARegistrationIsAcceptedAndOneThatTheServiceRefusesGivesItsMessage() async throws {
        let client = try Sandbox.shared.client()
        let (hook, base) = (try Hook.obscureUrl(), "https://acme.example/hooks")
        let made = try await client.subscribe(hook: hook, base: base, event: .hardBounce)
        XCTAssertNotNil(made.webHookId)
        let refused = await failure { try await client.subscribe(hook: hook, base: base, event: .unknown("QuotaReached")) }
        XCTAssert(refused?.errorMessage?.contains("QuotaReached") == true, "\(String(describing: refused))")
        let caught = try client.blocking().missedEvents(surveyId: Sandbox.shared.surveyId, since: Date())
        XCTAssertEqual(caught.events.count, 0)
    }

    private func reason(_ verdict: WebHookVerdict) -> String? {
        guard case .refused(let reason, _) = verdict else { return nil }
        return reason
    }
}
