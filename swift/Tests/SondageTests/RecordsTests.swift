import Foundation
import Sondage
import XCTest

/// A record of the API as JSON and back is the record, apart from secrets. The cases check every response.
func keptAsJson<Record: JsonRecord & Equatable & Written>(_ record: Record) throws -> Record {
    let json = try record.toJson()
    let again = try Record(json: json)
    XCTAssertEqual(JSON(text: json).bare, again.json.bare)
    // A secret is printed as it is written as JSON.
    if "\(record)".contains("***") {
        XCTAssertEqual("\(again)".count, "\(record)".count)
    } else {
        XCTAssertEqual(again, record)
    }
    return record
}

final class RecordsTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    func testWhatTheServiceHasIsKeptWithWhatThisVersionDoesNotKnow() async throws {
        let client = try box.client()
        try await box.fault(#"{"on": "ReadMemberList", "action": {"kind": "unknownEnums"}}"#)
        let strange = try await client.readMemberList(panelId: box.panelId)
        guard case .unknown = strange.members[0].fields.values.first?.fieldType else { return XCTFail("\(strange.members[0])") }
        _ = try keptAsJson(strange)
        _ = try keptAsJson(await client.readMemberList(panelId: box.panelId))
        let later = try Member(json: #"{"id": 7, "createdAt": "2024-05-01T12:30:00.123Z", "later": {"b": 1.50}}"#)
        XCTAssertEqual(later.extra, ["later": #"{"b": 1.50}"#])
        let json = try later.toJson()
        XCTAssertTrue(json.hasSuffix(#""later":{"b": 1.50}}"#) && json.contains(#""2024-05-01T12:30:00.123Z""#), json)
        let section = #"{"id": 7, "name": "A", "randomizePages": false, "excludeFromRandomization": false, "elements": []}"#
        XCTAssertEqual(try SurveySection(json: section).name, "A")
    }

    func testASecretIsNotWrittenAndOneThatWasReadBackIsNotSent() async throws {
        let interview = MemberInterview(id: "7", answersLink: "https://example.com/geheim")
        let json = try interview.toJson()
        XCTAssertTrue(json.contains(#""answersLink":"***""#) && !json.contains("geheim"), json)
        let again = try XCTUnwrap(MemberInterview(json: json).answersLink)
        XCTAssertEqual(try MemberInterview(json: json).toJson(), json)
        let client = try box.client()
        let refused = await failure {
            try await client.createWebHook(eventType: .interviewComplete, entityIdentifier: "7", webHookUrl: again)
        }
        XCTAssertTrue(refused?.message.contains("left out") == true, refused?.message ?? "")
    }

    func testAnErrorSaysWhereAndShowsNoValue() {
        let wrong = [
            #"{"members": [{"id": "anna"}]}"#: "`members[0].id`", #"{"members": [{}]}"#: "`id` is missing at `members[0]`",
            #"{"members": ["#: "cut off", "anna": "is not JSON",
        ]
        for (json, words) in wrong {
            XCTAssertThrowsError(try ReadMemberListResponse(json: json)) { error in
                let message = (error as? SondageError)?.message ?? ""
                XCTAssertTrue(message.contains(words) && !message.contains("anna"), "\(error)")
            }
        }
        let endless = MemberField(name: "Points", fieldType: .number, value: .float(.nan))
        XCTAssertThrowsError(try endless.toJson())
    }
}
