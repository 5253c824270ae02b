import SondageTesting
import XCTest

@testable import Sondage

/// The product `SondageTesting`: a platform inside the process of the tests.
final class TestingTests: XCTestCase {
    func testItInjectsFaultsAndCountsWhatArrived() async throws {
        let box = try SondageTesting.Sandbox.demo(members: 3)
        let (client, panel) = (try box.client(), try box.panelId)
        let member = NewMember(["Email": "ada@example.com"])
        try box.fault(#"{"on": "CreateMembers", "action": {"kind": "status", "status": 400}}"#)
        let error = await failure { try await client.createMembers(panelId: panel, members: [member]) }
        XCTAssertEqual(error?.status, 400)
        XCTAssertEqual([try box.requests("CreateMembers"), try box.effects("CreateMembers")], [1, 0])
        try box.clear()
        XCTAssertEqual(try box.requests(), 0)
        _ = try await client.createMembers(panelId: panel, members: [member])
        XCTAssertEqual(try box.effects("CreateMembers"), 1)
        box.stop()
        XCTAssertThrowsError(try box.panelId) { XCTAssertTrue("\($0)".contains("stopped"), "\($0)") }
    }

    func testWhatItDoesNotUnderstandChangesNothing() throws {
        let box = try SondageTesting.Sandbox.demo()
        XCTAssertThrowsError(try box.fault("{}")) { XCTAssertTrue("\($0)".contains("nothing was changed"), "\($0)") }
        XCTAssertThrowsError(try box.fact("colour")) { XCTAssertTrue("\($0)".contains("colour"), "\($0)") }
    }
}
