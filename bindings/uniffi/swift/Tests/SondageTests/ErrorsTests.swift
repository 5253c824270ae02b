import Foundation
import Sondage
import XCTest

final class ErrorsTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    func testTheServiceRefuses() async throws {
        let client = try box.client()
        do {
            _ = try await client.readPanel(panelId: 1)
            XCTFail("nothing was thrown")
        } catch SondageError.api(let details) {
            XCTAssertEqual(details.operation, "ReadPanel")
            XCTAssertEqual(details.attempts, 1)
            XCTAssertEqual(details.delivery, .answered)
            XCTAssertTrue(details.message.contains(try XCTUnwrap(details.errorMessage)))
        }
        let error = await failure { try await client.readPanel(panelId: 1) }
        XCTAssertEqual(error?.localizedDescription, error?.message)
        XCTAssertEqual(error?.operation, "ReadPanel")
    }

    func testACutAfterACreate() async throws {
        let client = try box.client()
        try await box.fault(#"{"on": "CreateMembers", "do": {"kind": "cut", "at": "afterEffect"}}"#)
        let error = await failure {
            try await client.createMembers(panelId: box.panelId, members: [NewMember(["Email": "cut@example.com"])])
        }
        guard case .outcomeUnknown(let details)? = error else { return XCTFail("\(String(describing: error))") }
        XCTAssertFalse(details.safeToRepeat)
        XCTAssertEqual(details.reconcile?.contains("`readMemberList`"), true)
        let effects = try await box.effects("CreateMembers")
        XCTAssertEqual(effects, 1)
    }

    func testTooManyCalls() async throws {
        let client = try box.client()
        try await box.fault(#"{"on": "InviteMembers", "do": {"kind": "status", "status": 429, "headers": {"Retry-After": "7"}}}"#)
        let error = await failure {
            try await client.inviteMembers(
                surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId, memberIds: [1])
        }
        guard case .rateLimited? = error else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(error?.retryAfter, 7)
        XCTAssertEqual(error?.status, 429)
    }

    func testWrongValuesNameTheirArgumentAndNothingIsSent() async throws {
        let client = try box.client()
        for date in [Date.distantFuture + 1e12, Date(timeIntervalSince1970: .infinity), Date(timeIntervalSince1970: .nan),
            Date(timeIntervalSince1970: -.greatestFiniteMagnitude)]
        {
            let error = await failure {
                try await client.inviteMembers(
                    surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId,
                    scheduleDateTime: date)
            }
            guard case .invalidArgument(let details)? = error else { return XCTFail("\(String(describing: error))") }
            XCTAssertTrue(details.message.contains("`scheduleDateTime`"), details.message)
        }
        for number in [Double.nan, .infinity] {
            let members = [NewMember(["Email": "a@example.com"]), NewMember(["Age": .float(number)])]
            let error = await failure { try await client.createMembers(panelId: box.panelId, members: members) }
            XCTAssertEqual(error?.message.contains(#"`members[1].fields["Age"].value`"#), true, error?.message ?? "")
        }
        for deadline in [0, -1, .nan, -.infinity] as [TimeInterval] {
            let error = await failure { try client.withOptions(deadline: deadline) }
            XCTAssertEqual(error?.message.contains("`deadline`"), true, error?.message ?? "")
        }
        _ = try client.withOptions(deadline: .infinity)
        _ = await failure { try client.withOptions(extra: ["x": "{"]) }
        _ = await failure { try await client.raw(path: "publicapi", body: "{}", effect: .read) }
        _ = await failure { try await client.raw(path: "/x", body: "{", effect: .read) }
        _ = await failure { try client.memberPages(panelId: box.panelId, pageSize: 0) }
        let requests = try await box.requests("InviteMembers") + box.requests("CreateMembers")
        XCTAssertEqual(requests, 0)
    }

    func testCallsAfterClose() async throws {
        let client = try box.client()
        let pages = try client.memberPages(panelId: box.panelId)
        client.close()
        client.close()
        let calls: [() async throws -> Any] = [
            { try await client.readPanel(panelId: self.box.panelId) }, { try await pages.next() as Any },
        ]
        for call in calls {
            let error = await failure(of: call)
            guard case .invalidArgument(let details)? = error else { return XCTFail("\(String(describing: error))") }
            XCTAssertTrue(details.message.contains("closed"), details.message)
        }
        XCTAssertTrue(client.pendingWrites().isEmpty)
    }

    func testSettingsThatAreWrong() async throws {
        let wrong: [(String, Settings?)] = [
            ("not an account", nil), ("https://api.survalyzer-eu.app", nil),
            (box.accountUrl, Settings(baseUrl: "http://example.com")), (box.accountUrl, Settings(pageSize: -1)),
            (box.accountUrl, Settings(deadline: -5)), (box.accountUrl, Settings(retryAttempts: .max)),
        ]
        for (account, settings) in wrong {
            let error = await failure { try Client(accountUrl: account, settings: settings) { "a-token" } }
            guard case .configuration? = error else { return XCTFail("\(account): \(String(describing: error))") }
        }
    }
}
