import Sondage
import XCTest

final class DoctorTests: XCTestCase {
    private let box = Sandbox.shared

    func testAHealthySetUpGetsNoComplaint() async throws {
        let diagnosis = try await box.client().doctor()
        XCTAssertTrue(diagnosis.healthy, "\(diagnosis)")
        XCTAssertEqual(Set(diagnosis.checks.map(\.state)), [.passed])
    }

    func testWhatIsWrongIsNamedWithItsCure() async throws {
        let settings = ClientSettings(baseUrl: box.baseUrl, authUrl: box.authUrl)
        let client = try Client(accountUrl: box.accountUrl, settings: settings) { "no-token-of-this-service" }
        let found = try await client.doctor()
        let wrong = found.checks.filter { $0.state == .failed }
        XCTAssertEqual(wrong.map(\.check), [.token], "\(found)")
        XCTAssertFalse(found.healthy)
        XCTAssertNotNil(wrong.first?.cure)
    }
}
