import Foundation
import Sondage
import XCTest

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A sandbox in a process of its own, run by `sondage sandbox`.
final class Sandbox: @unchecked Sendable {
    /// One sandbox for all tests of a run. Each test begins by clearing the ledger.
    static let shared = Sandbox()

    private let process = Process()
    private let facts: [String: Any]

    init() {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: ProcessInfo.processInfo.environment["SANDBOX_PROGRAM"]!)
        process.arguments = ["sandbox", "--seed", "demo", "--json"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try! process.run()
        var line = Data()
        while line.last != UInt8(ascii: "\n") { line.append(output.fileHandleForReading.availableData) }
        facts = try! JSONSerialization.jsonObject(with: line) as! [String: Any]
        Sandbox.ending.add(process)
    }

    var baseUrl: String { facts["base_url"] as! String }
    var authUrl: String { facts["auth_url"] as! String }
    var tenant: String { facts["tenant"] as! String }
    var clientSecret: String { facts["client_secret"] as! String }
    var panelId: Int64 { (facts["panel_id"] as! NSNumber).int64Value }
    var surveyId: Int64 { (facts["survey_id"] as! NSNumber).int64Value }
    var workspaceId: Int64 { (facts["workspace_id"] as! NSNumber).int64Value }
    var feedbackSurveyId: Int64 { (facts["feedback_survey_id"] as! NSNumber).int64Value }
    var username: String { facts["username"] as! String }
    var password: String { facts["password"] as! String }
    var messageTemplateId: Int64 { (facts["message_template_id"] as! NSNumber).int64Value }
    var accountUrl: String { "https://\(tenant).survalyzer-eu.app" }

    /// The addresses of this sandbox, instead of those that follow from the account's address.
    func settings(tokenTimeout: TimeInterval? = nil) -> ClientSettings {
        ClientSettings(baseUrl: baseUrl, authUrl: authUrl, tokenTimeout: tokenTimeout)
    }

    func client() throws -> Client {
        try Client(accountUrl: accountUrl, settings: settings()) { try await self.token() }
    }

    /// A token, as an application's backend would get it.
    func token() async throws -> String {
        var request = URLRequest(url: URL(string: "\(authUrl)/openid/token")!)
        request.httpMethod = "POST"
        request.httpBody = Data("grant_type=client_credentials&client_id=\(tenant)_api&client_secret=\(clientSecret)".utf8)
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        return (try await send(request) as! [String: Any])["access_token"] as! String
    }

    /// Injects a fault into future calls.
    func fault(_ json: String) async throws { _ = try await control("faults", "POST", json) }

    /// Responds to the next call of an operation with this text.
    func answer(_ operation: String, _ text: String) async throws {
        let fault: [String: Any] = ["on": operation, "action": ["kind": "body", "text": text]]
        try await self.fault(String(decoding: try JSONSerialization.data(withJSONObject: fault), as: UTF8.self))
    }

    /// Resets the sandbox.
    func forget() async throws {
        _ = try await control("faults", "DELETE")
        _ = try await control("ledger", "DELETE")
    }

    func revokeTokens() async throws { _ = try await control("tokens", "DELETE") }

    func requests(_ operation: String) async throws -> Int { try await ledger("requests", operation) }

    func effects(_ operation: String) async throws -> Int { try await ledger("effects", operation) }

    func tokenRequests() async throws -> Int {
        ((try await control("ledger", "GET") as! [String: Any])["tokenRequests"] as! [Any]).count
    }

    private func ledger(_ part: String, _ operation: String) async throws -> Int {
        let lines = (try await control("ledger", "GET") as! [String: Any])[part] as! [[String: Any]]
        return lines.filter { $0["operation"] as? String == operation }.count
    }

    private func control(_ what: String, _ method: String, _ body: String? = nil) async throws -> Any {
        var request = URLRequest(url: URL(string: "\(baseUrl)/_sandbox/\(what)")!)
        request.httpMethod = method
        request.httpBody = body.map { Data($0.utf8) }
        request.setValue("Sandbox \(facts["control_key"] as! String)", forHTTPHeaderField: "Authorization")
        return try await send(request)
    }

    private func send(_ request: URLRequest) async throws -> Any {
        let (data, answer): (Data, Int) = try await withCheckedThrowingContinuation { done in
            URLSession.shared.dataTask(with: request) { data, answer, error in
                if let error { return done.resume(throwing: error) }
                done.resume(returning: (data ?? Data(), (answer as? HTTPURLResponse)?.statusCode ?? 0))
            }.resume()
        }
        XCTAssertEqual(answer, 200, String(decoding: data, as: UTF8.self))
        return try JSONSerialization.jsonObject(with: data)
    }

    /// Running programs, which end with the tests.
    private static let ending = Ending()

    private final class Ending: NSObject, XCTestObservation, @unchecked Sendable {
        private let lock = NSLock()
        private var running: [Process] = []

        override init() {
            super.init()
            XCTestObservationCenter.shared.addTestObserver(self)
        }

        func add(_ process: Process) { lock.withLock { running.append(process) } }

        func testBundleDidFinish(_: Bundle) {
            // A child process of a test may have been started with signals blocked, and only SIGKILL
            // always arrives.
            lock.withLock { running.forEach { kill($0.processIdentifier, SIGKILL) } }
        }
    }
}

/// The error that a call throws, as one of the library's.
func failure(_ file: StaticString = #filePath, _ line: UInt = #line, of call: () async throws -> Any) async -> SondageError? {
    do {
        let result = try await call()
        XCTFail("nothing was thrown: \(result)", file: file, line: line)
    } catch let error as SondageError {
        return error
    } catch {
        XCTFail("something else was thrown: \(error)", file: file, line: line)
    }
    return nil
}

/// Seconds after which a test gives up waiting for what must happen: far above what a slow machine needs. No test measures speed.
let deadline: TimeInterval = 300

/// Waits until a condition holds.
func eventually(_ what: String, _ holds: () async throws -> Bool) async throws {
    let end = Date() + deadline
    while !(try await holds()) {
        guard Date() < end else { return XCTFail("never happened: \(what)") }
        try await Task.sleep(nanoseconds: 10_000_000)
    }
}

/// A number that several tasks change.
final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0

    var value: Int { lock.withLock { count } }

    @discardableResult
    func add() -> Int {
        lock.withLock {
            count += 1
            return count
        }
    }
}
