import Foundation
import Sondage
import XCTest

final class PersonsTests: XCTestCase {
    private let box = Sandbox.shared
    private let email = "Swift.Personne@example.com"

    func testWhatIsHeldIsExportedAndErased() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sondage-persons-\(UUID())")
        let receipt = folder.appendingPathComponent("receipt.json").path
        let (copy, panels) = (folder.appendingPathComponent("ada").path, [box.panelId])
        let client = try box.client()
        let member = NewMember(["Email": .text(email), "FirstName": "Zebulonia"])
        _ = try await client.createMembers(panelId: box.panelId, members: [member])
        let held = try await client.planExportPerson(panelIds: panels, key: "Email", value: email)
        XCTAssertGreaterThan(held.calls, 3)
        let export = try await client.exportPerson(panelIds: panels, key: "Email", value: email, folder: copy)
        XCTAssertEqual(export.files.sorted(), ["manifest.json", "person.json"])
        let plan = try await client.planErasePerson(
            panelIds: panels, key: "Email", value: email, keepInterviews: false, files: [copy])
        XCTAssertEqual(plan.steps.filter { $0.outcome == .planned }.map(\.what), ["file", "member"])
        do {
            _ = try await client.erasePerson(
                panelIds: panels, key: "Email", value: email, keepInterviews: false, receipt: receipt, confirm: "yes")
            XCTFail("it was erased")
        } catch SondageError.invalidArgument(let details) {
            XCTAssertTrue(details.message.contains("does not confirm"), details.message)
        }
        let done = try await client.erasePerson(
            panelIds: panels, key: "Email", value: email, keepInterviews: false, receipt: receipt, confirm: plan.token,
            files: [copy])
        XCTAssertEqual(done.erased, 2)
        XCTAssertFalse(try String(contentsOfFile: receipt, encoding: .utf8).contains(email))
        XCTAssertThrowsError(
            try client.blocking().planErasePerson(panelIds: panels, key: "Email", value: email, keepInterviews: true))
        try FileManager.default.removeItem(at: folder)
    }
}
