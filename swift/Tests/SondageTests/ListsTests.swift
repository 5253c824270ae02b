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
