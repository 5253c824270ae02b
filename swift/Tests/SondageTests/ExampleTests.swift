import Foundation
import XCTest

final class ExampleTests: XCTestCase {
    /// The folder of the package's programs.
    private var built: URL {
        #if os(macOS)
        Bundle(for: ExampleTests.self).bundleURL.deletingLastPathComponent()
        #else
        Bundle.main.bundleURL
        #endif
    }

    /// Each prints the output of the Python program, with the names of Swift.
    func testTheExamplesPrintWhatTheOthersPrint() throws {
        let cases = URL(fileURLWithPath: try XCTUnwrap(ProcessInfo.processInfo.environment["CONFORMANCE_CASES"]))
        let words = [
            ("RedeemIncentiveCodeResponse(voucher_code='***')", "a voucher was bought"), ("NotResponded None", "NotResponded without an answer"),
            ("['logos/2024']", #"["logos/2024"]"#),
        ]
        let names = ["Distribution", "First", "Import", "Incentives", "Interviews", "Newcomers", "Reconcile", "Recording", "Screen", "Surveys", "Workflows"]
        for name in names {
            let program = Process()
            let output = Pipe()
            program.executableURL = built.appendingPathComponent(name)
            program.standardOutput = output
            try program.run()
            let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            program.waitUntilExit()
            let printed = try String(contentsOf: cases.appendingPathComponent("printed/\(name).txt"), encoding: .utf8)
            let promised = words.reduce(printed) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
            XCTAssertEqual(said, promised, name)
        }
    }

    func testTheExampleRunsAsAProgramOfItsOwn() async throws {
        let box = Sandbox()
        let program = Process()
        let output = Pipe()
        program.executableURL = built.appendingPathComponent("InviteMembers")
        program.arguments = [box.panelId, box.surveyId, box.messageTemplateId].map(String.init)
        program.environment = ProcessInfo.processInfo.environment.merging([
            "SONDAGE_BASE_URL": box.baseUrl, "SONDAGE_AUTH_URL": box.authUrl, "SONDAGE_TENANT": box.tenant,
            "SONDAGE_CLIENT_SECRET": box.clientSecret,
        ]) { $1 }
        program.standardOutput = output
        try program.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        program.waitUntilExit()
        XCTAssertEqual(program.terminationStatus, 0)
        XCTAssertTrue(said.contains("not created: "), said)
        XCTAssertTrue(said.contains("will be invited: 1\ninvited by distributor "), said)
        let (created, invited) = (try await box.effects("CreateMembers"), try await box.effects("InviteMembers"))
        XCTAssertEqual(created, 1)
        XCTAssertGreaterThan(invited, 0)
    }
}
