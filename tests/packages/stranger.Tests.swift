// Tests of somebody else, with the published products: a sandbox of its own for each test, a blocking client, and a receiver.
import Sondage
import SondageTesting
import SondageXCTest
import XCTest

final class SignUpTests: SandboxTestCase {
    func testALostResponseIsNotRepeated() async throws {
        try box.fault(Fault(on: "CreateMembers", .cut(.afterEffect)))
        do {
            _ = try await client.createMember(panelId: box.panelId, member: NewMember(["Email": "ada@example.com"]))
            XCTFail("it did not fail")
        } catch SondageError.outcomeUnknown {
            XCTAssertEqual(try box.effects("CreateMembers"), 1)
        }
    }

    func testAServerHasBlockingCallsAndReceivesWebhooks() throws {
        let panel = try client.blocking().readPanel(panelId: box.panelId)
        XCTAssertEqual(try ReadPanelResponse(json: panel.toJson()), panel)
        let hook = try Hook.obscureUrl(secret: nil)
        guard case .refused = try hook.verify(url: "/hooks", headers: [(String, String)](), body: Data()) else {
            return XCTFail("a request without its secret was accepted")
        }
    }
}
