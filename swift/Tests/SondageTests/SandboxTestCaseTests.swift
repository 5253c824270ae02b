import Sondage
import SondageTesting
import SondageXCTest
import XCTest

/// The test support for users: a sandbox for each test, and typed faults.
final class SandboxTestCaseTests: SandboxTestCase {
    private let ada = [NewMember(["Email": "ada@example.com"])]
    private var own: SondageTesting.Sandbox?

    override func setUpWithError() throws {
        try super.setUpWithError()
        own = box
    }

    override func tearDownWithError() throws {
        try super.tearDownWithError()
        XCTAssertThrowsError(try own?.panelId) { XCTAssertTrue("\($0)".contains("stopped"), "\($0)") }
        XCTAssertNil(box)
    }

    func testEachTestHasASandboxOfItsOwn() async throws {
        XCTAssertEqual(try box.requests(), 0)
        _ = try await client.createMembers(panelId: box.panelId, members: ada)
        XCTAssertEqual(try box.effects("CreateMembers"), 1)
    }

    func testAFaultWithTypesHitsTheCallsThatItNames() async throws {
        XCTAssertEqual(try box.requests(), 0)
        try box.fault(Fault(on: "CreateMembers", .cut(.afterEffect)))
        do {
            _ = try await client.createMembers(panelId: box.panelId, members: ada)
            XCTFail("it did not fail")
        } catch SondageError.outcomeUnknown {
            XCTAssertEqual(try box.effects("CreateMembers"), 1)
        }
        try box.fault(Fault(on: "ReadPanel", .notSuccess(errorCode: "full", errorMessage: #"the "panel" is full"#), skip: 1, times: nil))
        _ = try await client.readPanel(panelId: box.panelId)
        for _ in 0..<2 {
            do {
                _ = try await client.readPanel(panelId: box.panelId)
                XCTFail("it did not fail")
            } catch let error as SondageError {
                XCTAssertEqual(error.errorMessage, #"the "panel" is full"#)
            }
        }
    }

    func testEveryActionIsKnownAndANameThatIsNoneIsRefused() throws {
        let actions: [FaultAction] = [
            .delay, .status(503, headers: ["Retry-After": "1"], body: "busy"), .cut(.beforeRequest), .cut(.midAnswer, reset: true),
            .stall, .truncatedJson, .html, .totalCount(3), .repeatPage, .unknownFields, .unknownEnums,
            .notSuccess(errorCode: "a", errorMessage: "b"), .body("{}"),
        ]
        for action in actions { try box.fault(Fault(on: "*", action, delay: 0.001)) }
        XCTAssertThrowsError(try box.fault(Fault(on: "ReadPanels", .html))) { XCTAssertTrue("\($0)".contains("ReadPanel"), "\($0)") }
    }

    func testWorkWithASandboxClosesIt() async throws {
        let seen = try await SondageTesting.Sandbox.with(members: 2) { box, client in
            _ = try await client.readPanel(panelId: box.panelId)
            return box
        }
        XCTAssertThrowsError(try seen.panelId)
    }
}
