import Foundation
import SondageTesting
import XCTest

@testable import Sondage

/// Calls that are recorded, and replayed without a network.
final class RecordingTests: XCTestCase {
    private let box = Sandbox.shared
    private let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jsonl")

    override func setUp() async throws { try await box.forget() }

    override func tearDown() { try? FileManager.default.removeItem(at: file) }

    private func recorder() throws -> Client {
        var settings = box.settings()
        settings.record = file.path
        return try Client(accountUrl: box.accountUrl, settings: settings) { [box] in try await box.token() }
    }

    private func all(_ rows: Rows<Member>) async throws -> [Member] {
        var members: [Member] = []
        for try await member in rows { members.append(member) }
        return members
    }

    func testWhatWasReadIsReadAgainWithoutAService() async throws {
        let platform = try SondageTesting.Sandbox.demo()
        let panel = try platform.panelId
        var settings = try platform.settings()
        (settings.record, settings.pageSize) = (file.path, 50)
        let live = try await all(Client.configured(settings: settings).members(panelId: panel))
        platform.stop()
        let replay = ClientSettings(pageSize: 50, replay: file.path)
        let members = try await all(Client.configured(settings: replay).members(panelId: panel))
        XCTAssertEqual(members.map(\.id), live.map(\.id))
        XCTAssertEqual(members.map { Set($0.fields.keys) }, live.map { Set($0.fields.keys) })
        XCTAssertEqual(Set(members.map { $0["Email"]?.text }).count, Set(live.map { $0["Email"]?.text }).count)
        XCTAssertEqual(try BlockingClient.configured(settings: replay).members(panelId: panel).all().map(\.id), live.map(\.id))
    }

    func testARecordingHasNoSecretAndNoPerson() async throws {
        let client = try recorder()
        _ = try await client.createMembers(panelId: box.panelId, members: [NewMember(["Email": "canary@example.com", "FirstName": "Canary"])])
        _ = try await client.readSurveyLinks(surveyId: box.surveyId)
        let live = try await all(client.members(panelId: box.panelId))
        let text = try String(contentsOf: file, encoding: .utf8)
        let people = live.flatMap { [$0["Email"]?.text, $0["LastName"]?.text] }.compactMap { $0 }.filter { $0.count > 3 }
        XCTAssertGreaterThanOrEqual(people.count, 300)
        XCTAssertEqual(people.filter { text.contains($0) }, [])
        let token = try await box.token()
        let secrets = [box.clientSecret, box.tenant, box.baseUrl, token, "anary", "Bearer", "@example"]
        XCTAssertEqual(secrets.filter { text.contains($0) }, [])
    }

    func testARequestThatWasNotRecordedNamesTheNearest() async throws {
        _ = try await recorder().readPanel(panelId: box.panelId)
        let client = try Client.configured(settings: ClientSettings(replay: file.path))
        let unknown = await failure { try await client.readPanel(panelId: 12345) }
        guard case .configuration(let details)? = unknown else { return XCTFail("\(String(describing: unknown))") }
        XCTAssertTrue(details.message.contains("line 2, where panelId is \(box.panelId) and not 12345"), details.message)
        XCTAssertEqual(details.operation, "ReadPanel")
        let other = await failure { try await self.all(client.members(panelId: self.box.panelId)) }
        XCTAssertTrue(other?.message.contains("has responses to ReadPanel") == true, "\(String(describing: other))")
        let requests = try await box.requests("ReadPanel")
        XCTAssertEqual(requests, 1)
    }

    func testAFileThatIsNoRecordingIsRefusedAndLeftAsItIs() async throws {
        try "name,age\nada,41\n".write(to: file, atomically: true, encoding: .utf8)
        XCTAssertThrowsError(try Client.configured(settings: ClientSettings(replay: file.path))) {
            XCTAssertTrue("\($0)".contains("is not a recording"), "\($0)")
        }
        let client = try recorder()
        let refused = await failure { try await client.readPanel(panelId: self.box.panelId) }
        guard case .configuration? = refused else { return XCTFail("\(String(describing: refused))") }
        XCTAssertThrowsError(try Client.configured(settings: ClientSettings(record: file.path, replay: file.path))) {
            XCTAssertTrue("\($0)".contains("exclude each other"), "\($0)")
        }
        XCTAssertEqual(try String(contentsOf: file, encoding: .utf8), "name,age\nada,41\n")
    }
}
