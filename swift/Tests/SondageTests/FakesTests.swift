import Foundation
import Sondage
import XCTest

/// Stands for a client, with the methods that its test calls.
private final class FakeClient: ClientProtocol {
    func members(
        panelId: Int64, fieldsToDownload: [String]?, conditions: [Condition]?, tenant: String?, interviewsRequired: Bool?,
        `where`: ConditionFilter?, pageSize: Int64?
    ) -> Rows<Member> {
        panelId == 1 ? Rows(of: [member(7), member(pageSize ?? 8)]) : Rows(of: [member(9)], failing: CancellationError())
    }

    private func member(_ id: Int64) -> Member { Member(id: id, createdAt: Date(), fields: [:]) }

    func readPanel(panelId: Int64, tenant: String?) async throws -> ReadPanelResponse {
        ReadPanelResponse(panel: nil, extra: ["asked": "\(panelId)"])
    }
}

final class FakesTests: XCTestCase {
    private let box = Sandbox.shared

    private func ids(_ client: any ClientProtocol, panelId: Int64) async throws -> [Int64] {
        var ids: [Int64] = []
        for try await member in client.members(panelId: panelId) { ids.append(member.id) }
        return ids
    }

    func testAClassStandsForAClient() async throws {
        let fake: any ClientProtocol = FakeClient()
        let two = try await ids(fake, panelId: 1)
        XCTAssertEqual(two, [7, 8])
        let sized = try await fake.members(panelId: 1, pageSize: 500).first()
        XCTAssertEqual(sized?.id, 7)
        do {
            _ = try await ids(fake, panelId: 2)
            XCTFail("the list did not end with its error")
        } catch is CancellationError {}
        let panel = try await fake.readPanel(panelId: 5)
        XCTAssertEqual(panel.extra, ["asked": "5"])
        do {
            _ = try await fake.readSurvey(surveyId: 1)
            XCTFail("a method that it lacks was called")
        } catch SondageError.internal(let details) {
            XCTAssertTrue(details.message.contains("`readSurvey`"), details.message)
        }
        fake.close()
    }

    func testCodeThatTakesEitherTakesTheClient() async throws {
        let client = try box.client()
        let all = try await ids(client, panelId: box.panelId)
        XCTAssertGreaterThan(all.count, 100)
        let either: any ClientProtocol = client
        let panel = try await either.readPanel(panelId: box.panelId)
        XCTAssertNotNil(panel.panel)
    }

    func testAMemberIsMadeOfVariables() async throws {
        let (email, points, nothing): (String, Int, String?) = ("one@swift-home.example", 3, nil)
        let member = NewMember(["Email": email, "Age": points, "FirstName": nothing])
        XCTAssertEqual(member.fields["Age"]?.fieldType, .number)
        XCTAssertEqual(member.fields["FirstName"]?.value, .null)
        XCTAssertEqual(NewMember(["Email": "a", "Age": 3, "FirstName": nil]).fields["Age"]?.value, .int(3))
        XCTAssertEqual([String: FieldValue].row(["Email": email]), ["Email": .text(email)])
    }

    func testASingleMemberIsCreatedOrRefused() async throws {
        let client = try box.client()
        let address = "one@swift-home.example"
        let id = try await client.createMember(panelId: box.panelId, member: NewMember(["Email": address]))
        XCTAssertGreaterThan(id, 0)
        do {
            _ = try await client.createMember(panelId: box.panelId, member: NewMember(["Email": address, "Points": 1]))
            XCTFail("it was created")
        } catch SondageError.api(let details) {
            XCTAssertTrue(details.message.contains("Points"), details.message)
        }
        do {
            _ = try await client.createMember(panelId: box.panelId, member: NewMember(fields: [:]))
            XCTFail("it was created")
        } catch SondageError.invalidArgument(let details) {
            XCTAssertTrue(details.message.contains("no field"), details.message)
        }
    }
}
