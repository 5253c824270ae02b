import Foundation
import Sondage
import XCTest

final class CallsTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    func testAnAsyncCallWithNamedAndDefaultArguments() async throws {
        let client = try box.client()
        let answer = try await client.readMemberList(panelId: box.panelId, fieldsToDownload: ["Email", "Gender"])
        XCTAssertGreaterThanOrEqual(answer.members.count, 200)
        let member = answer.members[0]
        XCTAssertEqual(member["Email"]?.text?.contains("@"), true)
        XCTAssertNil(member["Division"])
        XCTAssertEqual(member.fields["Gender"]?.fieldType, .number)
        XCTAssertLessThan(member.createdAt, Date())
    }

    func testTheSameFromABlockingClient() throws {
        let provider = { @Sendable in try await Sandbox.shared.token() }
        let client = try BlockingClient(accountUrl: box.accountUrl, settings: box.settings(), token: provider)
        XCTAssertGreaterThanOrEqual(try client.readMemberList(panelId: box.panelId).members.count, 200)
        let pages = try client.memberPages(panelId: box.panelId, pageSize: 50)
        var count = 0
        while let page = try pages.nextBlocking() { count += page.count }
        XCTAssertGreaterThanOrEqual(count, 200)
    }

    func testMembersAreCreatedWithEmojiAndUmlauts() async throws {
        let client = try box.client()
        let name = "Zoë 🧑🏽‍🚀 \u{0} \"quoted\" \\ \u{2028}"
        let new = NewMember(["Email": "zoe@example.com", "FirstName": .text(name), "Gender": 2])
        let created = try await client.createMembers(panelId: box.panelId, members: [new])
        let id = try XCTUnwrap(created.membersIds[0])
        let conditions = try Variable.field("Email").isEqualTo("zoe@example.com").conditions()
        let found = try await client.readMemberList(panelId: box.panelId, conditions: conditions).members.first { $0.id == id }
        XCTAssertEqual(found?["FirstName"], .text(name))
        XCTAssertEqual(found?["Gender"]?.number, 2)
    }

    func testIdsAtTheLimitsOf64BitsKeepEveryDigit() async throws {
        let client = try box.client()
        for id in [Int64.max, Int64.min, 9_007_199_254_740_993] {
            try await box.answer("InviteMembers", #"{"isSuccess": true, "samplingProjectId": \#(id), "distributorId": \#(id)}"#)
            let answer = try await client.inviteMembers(surveyId: id, panelId: id, messageTemplateId: id, memberIds: [id])
            XCTAssertEqual(answer.samplingProjectId, id)
            XCTAssertEqual(answer.distributorId, id)
        }
    }

    func testUnknownValuesAndFieldsAreKept() async throws {
        let client = try box.client()
        try await box.fault(#"{"on": "ReadMemberList", "action": {"kind": "unknownEnums"}}"#)
        let type = try await client.readMemberList(panelId: box.panelId).members[0].fields.values.first?.fieldType
        guard case .unknown = type else { return XCTFail("\(String(describing: type))") }
        try await box.fault(#"{"on": "ReadMemberList", "action": {"kind": "unknownFields"}}"#)
        let answer = try await client.readMemberList(panelId: box.panelId)
        XCTAssertFalse(answer.extra.isEmpty || answer.members[0].extra.isEmpty)
        let refused = await failure {
            try await client.createAndInviteMembers(
                surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId,
                channel: .unknown("Telegraph"), members: [NewMember(["Email": "a@example.com"])])
        }
        XCTAssertEqual(refused?.message.contains("Telegraph") == true || refused?.errorCode != nil, true)
    }

    func testOptionsOfSingleCalls() async throws {
        let client = try box.client()
        let refused = await failure {
            try await client.withOptions(extra: ["inventedField": #"{"a": [1]}"#]).readPanel(panelId: box.panelId)
        }
        XCTAssertEqual(refused?.message.contains("inventedField"), true)
        try await box.fault(#"{"on": "ReadPanel", "delayMs": 3000}"#)
        let late = await failure { try await client.withOptions(deadline: 0.2).readPanel(panelId: box.panelId) }
        guard case .network(let details)? = late else { return XCTFail("\(String(describing: late))") }
        XCTAssertTrue(details.safeToRetry)
        let secret = await failure { try client.withOptions(headers: ["Authorization": "Bearer of-another"]) }
        XCTAssertEqual(secret?.message.contains("`authorization`"), true)
        XCTAssertEqual(secret?.message.contains("of-another"), false)
        try await box.fault(#"{"on": "ReadMemberList", "action": {"kind": "status", "status": 503}}"#)
        let once = try client.withOptions(attempts: 1, timeout: 60, headers: ["X-Team": "panel"])
        let failed = await failure { try await once.readMemberList(panelId: box.panelId) }
        XCTAssertEqual(failed?.attempts, 1)
    }

    func testAnAttemptThatTakesTooLongIsFollowedByTheNext() async throws {
        let slow = #"{"on": "ReadPanel", "times": 1, "delayMs": 3000}"#
        let patient = try box.client().withOptions(timeout: 0.5)
        _ = try await patient.readPanel(panelId: box.panelId)
        try await box.forget()
        try await box.fault(slow)
        let answer = try await patient.readPanel(panelId: box.panelId)
        XCTAssertNotNil(answer.panel)
        let requests = try await box.requests("ReadPanel")
        XCTAssertEqual(requests, 2)
        try await box.fault(slow)
        let late = await failure { try await patient.withOptions(attempts: 1).readPanel(panelId: box.panelId) }
        guard case .network(let details)? = late else { return XCTFail("\(String(describing: late))") }
        XCTAssertTrue(details.timedOut && details.safeToRetry && details.attempts == 1, details.message)
    }

    func testAClientSendsOnlyWhatItsSettingsAllow() async throws {
        var (reading, listed) = (box.settings(), box.settings())
        reading.readOnly = true
        listed.operations = "ReadPanel, ReadMemberList"
        for (name, settings) in [("`readOnly`", reading), ("`operations`", listed)] {
            let client = try Client(accountUrl: box.accountUrl, settings: settings) { [box] in try await box.token() }
            _ = try await client.readPanel(panelId: box.panelId)
            let refused = await failure {
                try await client.createMembers(panelId: box.panelId, members: [NewMember(["Email": "a@example.com"])])
            }
            XCTAssertTrue(refused?.message.contains(name) == true && refused?.operation == "CreateMembers", "\(String(describing: refused))")
            XCTAssertEqual(refused?.delivery, .no)
        }
        let requests = try await box.requests("CreateMembers")
        XCTAssertEqual(requests, 0)
    }

    func testARawCallWithItsStatusAndHeaders() async throws {
        let client = try box.client()
        let body = #"{"tenant": "\#(box.tenant)", "panelId": \#(box.panelId)}"#
        let answer = try await client.raw(path: "/publicapi/Panel/v3/ReadPanel", body: body, effect: .read)
        XCTAssertEqual(answer.status, 200)
        XCTAssertEqual(answer.headers["content-type"]?.hasPrefix("application/json"), true)
        XCTAssertTrue(answer.text.contains("\"groups\""))
    }

    func testFiftyCallsAtOnce() async throws {
        let client = try box.client()
        let panel = box.panelId
        let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 {
                group.addTask { try await client.readMemberList(panelId: panel, fieldsToDownload: ["Email"]).members.count }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        XCTAssertTrue(sizes.count == 50 && sizes.allSatisfy { $0 >= 200 })
    }

    func testASecretIsNeverPrinted() async throws {
        let settings = ClientSettings(clientSecret: Secret("geheim"), password: "geheim")
        var dumped = ""
        dump(settings, to: &dumped)
        XCTAssertFalse("\(settings) \(String(reflecting: settings)) \(dumped)".contains("geheim"))
    }
}
