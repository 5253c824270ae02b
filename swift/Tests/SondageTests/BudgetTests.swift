import Foundation
import Sondage
import XCTest

final class BudgetTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    func testAStopSaysWhenTheDayEndsAndNothingIsSent() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sondage-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let settings = ClientSettings(
            baseUrl: box.baseUrl, authUrl: box.authUrl, budget: .stop, budgetCalls: 1, budgetFolder: folder.path,
            budgetLoopback: true)
        let client = try Client(accountUrl: box.accountUrl, settings: settings) { [box] in try await box.token() }
        XCTAssertEqual(client.budget().calls, 0)
        _ = try await client.readPanel(panelId: box.panelId)
        let report = client.budget()
        XCTAssertEqual([report.calls, report.callsLeft, report.callsLimit], [1, 0, 1])
        XCTAssertEqual(report.bytes, report.received)
        XCTAssertEqual(report.ends.timeIntervalSince(report.begins), 86_400)
        XCTAssertTrue(report.counted && report.mode == .stop && report.file!.hasPrefix(folder.path))
        do {
            _ = try await client.readPanel(panelId: box.panelId)
            XCTFail("it was sent")
        } catch SondageError.budgetSpent(let details) {
            XCTAssertTrue(details.message.contains("not sent, because the 1 calls of the day are used up"), details.message)
            XCTAssertTrue(details.message.contains("`budgetCalls`") && details.safeToRetry, details.message)
        }
        let sent = try await box.requests("ReadPanel")
        XCTAssertEqual(sent, 1)
        XCTAssertFalse(try box.client().budget().counted)
    }
}
