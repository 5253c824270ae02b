import Foundation
import Sondage
import SondageTestingFFI

/// A survey platform inside this process, for tests: every operation works, nothing leaves the machine.
///
///     let box = try Sandbox.demo()
///     defer { box.stop() }
///     let client = try box.client()
///
/// It can be used from any task.
public final class Sandbox: @unchecked Sendable {
    private let lock = NSLock()
    private var handle: OpaquePointer?

    private init(handle: OpaquePointer) {
        self.handle = handle
    }

    deinit { stop() }

    /// Starts one with the demo data.
    ///
    /// - Parameters:
    ///   - members: How many members its panel has besides the 200 of the demo.
    ///   - data: A CSV file with a row for each interview, which becomes the survey ``dataSurveyId``. The columns `Id`, `State`,
    ///     `Language`, `StartDate`, `EndDate` and `UpdatedAt` are the service's, and all others are answers.
    ///   - codePlan: The code plan of that survey, a JSON file. Without one there are no labels.
    ///   - surveys: Questionnaires in the form of the editor's export, JSON files: surveys that can be answered with ``fill``. The
    ///     first is ``surveyId``, and ``surveyIds`` has all of them.
    ///   - content: `.waves` adds two waves of an invented survey.
    ///   - fill: How many invented people have answered each of `surveys` at the start. It is content of a new `state`.
    ///   - state: A folder in which the sandbox is kept: content, credentials, addresses and clock are the same again in the next one with
    ///     this folder. The other parameters are then those of a new folder.
    /// - Throws: ``SandboxError`` if a file cannot be read, with its line and column, or if no port of this machine is free.
    public static func demo(
        members: UInt64 = 0, data: URL? = nil, codePlan: URL? = nil, surveys: [URL] = [], content: Content = .demo, state: URL? = nil,
        fill: UInt? = nil
    ) throws -> Sandbox {
        var options: [String: Any] = ["members": members, "content": content.rawValue]
        options["surveys"] = surveys.map(\.path)
        options["fill"] = fill
        options["data"] = data?.path
        options["codePlan"] = codePlan?.path
        options["state"] = state?.path
        let encoded = try json(options)
        var why: UnsafeMutablePointer<CChar>?
        guard let handle = sondage_testing_start(encoded, &why) else {
            throw SandboxError(description: "the sandbox cannot start (\(text(why)))")
        }
        return Sandbox(handle: handle)
    }

    /// Starts one for some work, with a client of it, and closes both afterwards:
    ///
    ///     func testSigningUp() async throws {
    ///         try await Sandbox.with { box, client in ... }
    ///     }
    ///
    /// - Parameters:
    ///   - members: How many members its panel has besides the 200 of the demo.
    ///   - isolation: The actor on which the work runs. Default: that of the caller.
    ///   - work: The work.
    public static func with<Result: Sendable>(
        members: UInt64 = 0, isolation: isolated (any Actor)? = #isolation,
        _ work: (Sandbox, Client) async throws -> Result
    ) async throws -> Result {
        let box = try demo(members: members)
        defer { box.stop() }
        let client = try box.client()
        defer { client.close() }
        return try await work(box, client)
    }

    /// The address of the API.
    public var baseUrl: String { get throws { try fact("base_url") } }

    /// The address of the authentication server.
    public var authUrl: String { get throws { try fact("auth_url") } }

    /// The tenant.
    public var tenant: String { get throws { try fact("tenant") } }

    /// A panel with 200 members.
    public var panelId: Int64 { get throws { try number("panel_id") } }

    /// The American National Election Study of 1996, with its interviews. With ``Content/waves``, the newer wave.
    public var surveyId: Int64 { get throws { try number("survey_id") } }

    /// The survey `Newsletter feedback`: 60 interviews in every state, with members behind them.
    public var feedbackSurveyId: Int64 { get throws { try number("feedback_survey_id") } }

    /// The survey from the files with which the sandbox was started, or `nil`.
    public var dataSurveyId: Int64? { get throws { Int64(try fact("data_survey_id")) } }

    /// The surveys of ``Content/waves``, and those from questionnaires by the names of their files: their ids.
    public var surveyIds: [String: Int64] {
        get throws { try JSONDecoder().decode([String: Int64].self, from: Data(fact("survey_ids").utf8)) }
    }

    /// The address of the console, to open in a browser. It contains the key of this run.
    public var consoleUrl: String { get throws { try fact("console_url") } }

    /// A workspace.
    public var workspaceId: Int64 { get throws { try number("workspace_id") } }

    /// A message template for invitations.
    public var messageTemplateId: Int64 { get throws { try number("message_template_id") } }

    /// The settings of a client of this platform.
    public func settings() throws -> ClientSettings {
        ClientSettings(
            tenant: try tenant, baseUrl: try baseUrl, authUrl: try authUrl, clientSecret: Secret(try fact("client_secret")))
    }

    /// A client of this platform.
    public func client() throws -> Client { try Client.configured(settings: settings()) }

    /// One of the values that `sondage sandbox --json` prints, by its name there.
    public func fact(_ name: String) throws -> String { try ask("fact", name) }

    /// Injects a fault into future calls. Throws if it names an unknown call; then nothing was changed.
    public func fault(_ fault: Fault) throws { try self.fault(fault.json) }

    /// The same, as JSON, for faults that have no type, for example `{"on": "ReadMemberList", "action": {"kind": "status", "status": 503}}`.
    public func fault(_ json: String) throws { _ = try ask("fault", json) }

    /// Invented people answer a published survey, unevenly, and within its conditions and ranges. Returns the ids of their interviews.
    ///
    /// - Parameters:
    ///   - surveyId: The survey.
    ///   - people: How many people. Those who were invited and have not answered come first.
    ///   - seed: Who uses it again, for the same survey and time, gets the same interviews. Without it nobody can guess their ids.
    ///   - unfinished: The share of those who stop early, from 0 to 1.
    /// - Throws: ``SandboxError`` if there is no such survey, or it is not published; then nothing was changed.
    @discardableResult
    public func fill(
        _ surveyId: Int64, people: Int = 100, seed: UInt64? = nil, unfinished: Double = 0.05
    ) throws -> [String] {
        var options: [String: Any] = ["surveyId": surveyId, "people": people, "unfinished": unfinished]
        options["seed"] = seed
        return try ask("fill", json(options)).split(separator: "\n").map(String.init)
    }

    /// Adds an interview for each row: answers (texts, numbers or `NSNull`) by the codes of the survey's columns, and the columns `State`
    /// and `Language`. Returns their ids.
    ///
    /// - Throws: ``SandboxError`` if the survey does not accept one, with its row and column; then nothing was added.
    @discardableResult
    public func answer(_ surveyId: Int64, _ rows: [[String: Any]]) throws -> [String] {
        try ask("answer", json(["surveyId": surveyId, "rows": rows])).split(separator: "\n").map(String.init)
    }

    /// Writes a copy to a folder: content, credentials and clock. A sandbox can be started with it as `state`. Throws if it cannot be
    /// written.
    public func snapshot(to folder: URL) throws { _ = try ask("snapshot", folder.path) }

    /// Goes back to a copy of this sandbox, or of one with the same content at its start. Credentials, addresses and tokens stay. Throws if
    /// it is another one's, or cannot be read; then nothing was changed.
    public func restore(from folder: URL) throws { _ = try ask("restore", folder.path) }

    /// Goes back to the start: content, clock, settings, ledger and faults. Credentials, addresses and tokens stay.
    public func reset() throws { _ = try ask("reset") }

    /// Removes all faults, and clears the ledger.
    public func clear() throws { _ = try ask("clear") }

    /// The number of requests that arrived for an operation; `*` for all.
    public func requests(_ operation: String = "*") throws -> Int { Int(try ask("requests", operation)) ?? 0 }

    /// The number of requests for an operation that took effect.
    public func effects(_ operation: String = "*") throws -> Int { Int(try ask("effects", operation)) ?? 0 }

    /// The number of token requests.
    public func tokenRequests() throws -> Int { Int(try ask("token_requests")) ?? 0 }

    /// Revokes every token immediately.
    public func revokeTokens() throws { _ = try ask("revoke_tokens") }

    /// Moves the platform's clock forward by this many seconds.
    public func advance(_ seconds: TimeInterval) throws { _ = try ask("advance", "\(seconds)") }

    /// Sets the platform's time and stops its clock there, so that whatever happens has the same time in every run.
    public func freeze(at time: Date) throws {
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        _ = try ask("freeze", format.string(from: time))
    }

    /// Lets the platform's clock run again, with the time of this computer.
    public func resetClock() throws { _ = try ask("reset_clock") }

    /// Stops it, and waits until its ports are closed.
    public func stop() {
        lock.withLock {
            if let handle { sondage_testing_stop(handle) }
            handle = nil
        }
    }

    private func number(_ name: String) throws -> Int64 { Int64(try fact(name)) ?? 0 }

    func ask(_ what: String, _ argument: String = "") throws -> String {
        let answer = try lock.withLock {
            guard let handle else { throw SandboxError(description: "the sandbox has been stopped") }
            return text(sondage_testing_ask(handle, what, argument))
        }
        guard answer.hasPrefix("+") else { throw SandboxError(description: String(answer.dropFirst())) }
        return String(answer.dropFirst())
    }
}

/// Why a sandbox refused something.
public struct SandboxError: Error, CustomStringConvertible, LocalizedError {
    public let description: String

    public var errorDescription: String? { description }
}

func json(_ options: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: options), as: UTF8.self)
}

/// A text of the library, which is freed.
private func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
    guard let pointer else { return "" }
    defer { sondage_testing_free(pointer) }
    return String(cString: pointer)
}
