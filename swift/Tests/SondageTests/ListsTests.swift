import Sondage
import XCTest

final class ListsTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    func testMembersPageByPage() async throws {
        var ids: Set<Int64> = []
        for try await member in try box.client().members(panelId: box.panelId, fieldsToDownload: ["Email"], pageSize: 30) {
            XCTAssertTrue(ids.insert(member.id).inserted)
        }
        XCTAssertGreaterThanOrEqual(ids.count, 200)
        let requests = try await box.requests("ReadMemberList")
        XCTAssertGreaterThanOrEqual(requests, 7)
    }

    func testWhoLeavesTheLoopStopsReading() async throws {
        let members = try box.client().members(panelId: box.panelId, pageSize: 10)
        for try await _ in members.prefix(5) {}
        let requests = try await box.requests("ReadMemberList")
        XCTAssertEqual(requests, 1)
        let first = try await members.first { _ in true }
        let again = try await members.first { _ in true }
        XCTAssertEqual(first?.id, again?.id)
    }

    func testEveryOtherList() async throws {
        let client = try box.client()
        let survey = try await client.surveys(workspaceId: box.workspaceId).first { $0.id == self.box.surveyId }
        XCTAssertNotNil(survey)
        let workspace = try await client.workspaces().first { _ in true }
        XCTAssertNotNil(workspace)
        let template = try await client.messageTemplates(language: "en").first { $0.id == self.box.messageTemplateId }
        XCTAssertNotNil(template)
        for try await _ in client.distributors(surveyId: box.surveyId) {}
        let compact = try await client.interviewsCompact(surveyId: box.surveyId, fieldsToDownload: ["Id", "State"]).first { _ in true }
        XCTAssertEqual(compact?["State"], "Completed")
        let interview = try await client.interviews(surveyId: box.surveyId, fieldsToDownload: ["Id", "State"]).first { _ in true }
        XCTAssertEqual(interview?.columns.count, 2)
    }

    /// As `ForEach` and `List` of SwiftUI take rows.
    private func ids<Rows: RandomAccessCollection>(_ rows: Rows) -> [Rows.Element.ID] where Rows.Element: Identifiable {
        rows.map(\.id)
    }

    func testRowsWithAnIdAreIdentifiable() async throws {
        let client = try box.client()
        let members = try await client.readMemberList(panelId: box.panelId).members
        XCTAssertEqual(ids(members), members.map(\.id))
        let workspaces = try await client.readWorkspaceList().workspaces
        XCTAssertEqual(ids(workspaces).count, workspaces.count)
    }

    private func blocking() throws -> BlockingClient {
        var settings = box.settings()
        (settings.tenant, settings.clientSecret) = (box.tenant, Secret(box.clientSecret))
        return try BlockingClient.configured(settings: settings)
    }

    func testTheBlockingClientHasEachListAsASequence() async throws {
        let client = try blocking()
        let members = client.members(panelId: box.panelId, pageSize: 10)
        var ids: [Int64] = []
        for member in members.prefix(5) { ids.append(try member.get().id) }
        var requests = try await box.requests("ReadMemberList")
        XCTAssertEqual(requests, 1)
        let all = try client.members(panelId: box.panelId, pageSize: 100).all().map(\.id)
        XCTAssertEqual(Array(all.prefix(5)), ids)
        XCTAssertTrue(all.count >= 200 && Set(all).count == all.count)
        let research = try client.members(panelId: box.panelId, where: .field("Division").isEqualTo("Research")).all()
        XCTAssertTrue(!research.isEmpty && research.count < all.count)
        try await box.forget()
        XCTAssertEqual(try members.first { _ in true }?.get().id, ids[0])
        requests = try await box.requests("ReadMemberList")
        XCTAssertEqual(requests, 1)
        XCTAssertFalse(try client.workspaces().all().isEmpty)
        XCTAssertTrue(try client.surveys(workspaceId: box.workspaceId).all().contains { $0.id == box.surveyId })
    }

    func testABlockingListThatBreaksEndsWithItsError() async throws {
        try await box.fault(#"{"on": "ReadMemberList", "skip": 1, "times": null, "action": {"kind": "status", "status": 403}}"#)
        let rows = Array(try blocking().members(panelId: box.panelId, pageSize: 20))
        XCTAssertEqual(rows.count, 21)
        XCTAssertEqual(rows.filter { (try? $0.get()) != nil }.count, 20)
        XCTAssertThrowsError(try rows[20].get()) { error in
            guard case SondageError.permissionDenied = error else { return XCTFail("\(error)") }
        }
        XCTAssertThrowsError(try blocking().members(panelId: box.panelId, pageSize: 20).all())
        XCTAssertThrowsError(try blocking().members(panelId: box.panelId, pageSize: 0).all())
    }

    func testAListThatBreaksIsAnErrorAndNeverShort() async throws {
        try await box.fault(#"{"on": "ReadMemberList", "skip": 1, "times": null, "action": {"kind": "status", "status": 403}}"#)
        let client = try box.client()
        var seen = 0
        do {
            for try await _ in client.members(panelId: box.panelId, pageSize: 20) { seen += 1 }
            XCTFail("the list ended")
        } catch SondageError.permissionDenied {
            XCTAssertEqual(seen, 20)
        }
    }
}
