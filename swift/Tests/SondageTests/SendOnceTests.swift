import Foundation
import Sondage
import XCTest

final class SendOnceTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    private func person(_ name: String) -> [NewMember] { [NewMember(["Email": .text("\(name)@swift-once.example")])] }

    func testASecondCallGetsWhatTheFirstOneMade() async throws {
        let client = try box.client()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let once = try client.sendOnce(key: "people", folder: folder, quiet: 0, createdBy: "\(box.tenant)_api")
        try await box.fault(#"{"on": "CreateMembers", "action": {"kind": "cut", "at": "afterEffect"}}"#)
        do {
            _ = try await once.createMembers(panelId: box.panelId, members: person("ada"))
            XCTFail("it was answered")
        } catch let error as SondageError {
            guard case .outcomeUnknown = error else { throw error }
            XCTAssertTrue(error.reconcile?.contains("the same key again") == true, "\(error)")
        }
        let found = try await once.createMembers(panelId: box.panelId, members: person("ada")).membersIds
        XCTAssertEqual(found.compactMap { $0 }.count, 1)
        let again = try await client.sendOnce(key: "people", folder: folder).createMembers(panelId: box.panelId, members: person("ada"))
        XCTAssertEqual(again.membersIds, found)
        do {
            _ = try await once.createMembers(panelId: box.panelId, members: person("bea"))
            XCTFail("another request was sent")
        } catch SondageError.invalidArgument(let details) {
            XCTAssertTrue(details.message.contains("another request was sent before"), details.message)
        }
    }
}
