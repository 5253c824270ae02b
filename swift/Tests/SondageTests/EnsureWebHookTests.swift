import Foundation
import Sondage
import XCTest

final class EnsureWebHookTests: XCTestCase {
    private let box = Sandbox.shared
    private let address = "https://acme.example/hooks"

    func testTheSameLineMakesOneWebhook() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sondage-ensure-\(UUID())")
        let state = folder.appendingPathComponent("webhook.json").path
        let hook = try Hook.basic(user: "survalyzer", password: "a password that is in no file")
        let client = try box.client()
        let done = try await client.ensureWebHook(hook: hook, address: address, eventType: .surveyClosed, state: state)
        XCTAssertTrue(done.outcome == .created && done.entityIdentifier == "*" && done.eventType == .surveyClosed)
        let again = try client.blocking().ensureWebHook(hook: hook, address: address, eventType: .surveyClosed, state: state)
        XCTAssertTrue(again.outcome == .unchanged && again.webHookId == done.webHookId)
        do {
            _ = try await client.ensureWebHook(hook: hook, address: address, eventType: .surveyClosed)
            XCTFail("it was taken over")
        } catch SondageError.invalidArgument(let details) {
            XCTAssertTrue(details.message.contains(done.webHookId), details.message)
        }
        _ = try await client.deleteWebHook(webHookId: done.webHookId)
        let anew = try await client.ensureWebHook(hook: hook, address: address, eventType: .surveyClosed, state: state)
        XCTAssertTrue(anew.outcome == .created && anew.webHookId != done.webHookId, anew.reason)
        _ = try await client.deleteWebHook(webHookId: anew.webHookId)
        try FileManager.default.removeItem(at: folder)
    }
}
