import Sondage
import XCTest

final class TraceTests: XCTestCase {
    private let box = Sandbox.shared

    func testWhatAClientDoesIsTold() async throws {
        let settings = ClientSettings(baseUrl: box.baseUrl, authUrl: box.authUrl, traceEntries: 100)
        let client = try Client(accountUrl: box.accountUrl, settings: settings) { [box] in try await box.token() }
        _ = try await client.readPanel(panelId: box.panelId)
        let told = try await client.trace()
        XCTAssertEqual(told.entries.map(\.kind), [.token, .attempt, .call])
        let (attempt, call) = (told.entries[1], told.entries[2])
        XCTAssertEqual(call.operation, "ReadPanel")
        XCTAssertEqual(call.status, 200)
        XCTAssertTrue(attempt.callId == call.callId && attempt.received > 0, "\(told)")
        let rest = try await client.trace(after: told.next)
        XCTAssertTrue(rest.entries.isEmpty)
        do {
            _ = try await box.client().trace()
            XCTFail("no trace is kept")
        } catch SondageError.invalidArgument(let details) {
            XCTAssertTrue(details.message.contains("`traceEntries`"), details.message)
        }
    }
}
