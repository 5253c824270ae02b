import Foundation
import Sondage
import XCTest

final class ErrorsTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    func testACatchForTheKindsThatACallerCanDoSomethingAbout() async throws {
        let (client, panel) = (try box.client(), box.panelId)
        let members = [NewMember(["Email": "ada@example.com"])]
        var told: [String] = []
        for action in [#"{"kind": "cut", "at": "afterEffect"}"#, #"{"kind": "notSuccess", "errorCode": "Full", "errorMessage": "no more"}"#] {
            try await box.fault(#"{"on": "CreateMembers", "action": \#(action)}"#)
            do {
                _ = try await client.createMembers(panelId: panel, members: members)
            } catch SondageError.outcomeUnknown(let details) {
                told.append(details.reconcile ?? "")  // how to find out whether it happened
            } catch SondageError.api(let details) {
                told.append("\(details.errorCode ?? "") \(details.errorMessage ?? "") \(details.requestId ?? "")")
            }  // other kinds are for the caller
        }
        XCTAssertTrue(told.first?.contains("readMemberList") == true && told.last?.hasPrefix("Full no more") == true, "\(told)")
    }

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
        try await box.fault(#"{"on": "CreateMembers", "action": {"kind": "cut", "at": "afterEffect"}}"#)
        let error = await failure {
            try await client.createMembers(panelId: box.panelId, members: [NewMember(["Email": "cut@example.com"])])
        }
        guard case .outcomeUnknown(let details)? = error else { return XCTFail("\(String(describing: error))") }
        XCTAssertFalse(details.safeToRetry)
        XCTAssertEqual(details.reconcile?.contains("`readMemberList`"), true)
        let effects = try await box.effects("CreateMembers")
        XCTAssertEqual(effects, 1)
    }

    func testTooManyCalls() async throws {
        let client = try box.client()
        try await box.fault(#"{"on": "InviteMembers", "action": {"kind": "status", "status": 429, "headers": {"Retry-After": "7"}}}"#)
        let error = await failure {
            try await client.inviteMembers(
                surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId, memberIds: [1])
        }
        guard case .rateLimited? = error else { return XCTFail("\(String(describing: error))") }
        XCTAssertEqual(error?.retryAfter, 7)
        XCTAssertEqual(error?.status, 429)
    }

    func testAMessageSaysEachThingOnce() async throws {
        // Its own sandbox, because a pause is for all calls of a tenant.
        let box = Sandbox()
        let client = try box.client()
        for (status, said) in [(404, "404"), (403, "403"), (503, "503"), (429, "7 s")] {
            let headers = status == 429 ? #"{"Retry-After": "7"}"# : "{}"
            let action = #"{"kind": "status", "status": \#(status), "headers": \#(headers)}"#
            try await box.fault(#"{"on": "InviteMembers", "action": \#(action)}"#)
            let error = await failure {
                try await client.inviteMembers(
                    surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId, memberIds: [1])
            }
            let message = error?.message ?? ""
            // The random id of the request may have the same digits.
            let withoutId = message.replacingOccurrences(
                of: "request [0-9a-f-]{36}", with: "request", options: .regularExpression)
            XCTAssertEqual(withoutId.components(separatedBy: said).count, 2, message)
            XCTAssertLessThanOrEqual(message.components(separatedBy: "othing was changed").count, 2, message)
        }
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
        let (pages, members) = (try client.memberPages(panelId: box.panelId), client.members(panelId: box.panelId))
        let (patient, blocking) = (try client.withOptions(deadline: 60), client.blocking())
        client.close()
        client.close()
        let left = try await client.close(within: 1)
        XCTAssertTrue(left.isEmpty)
        let panel = box.panelId
        let calls: [() async throws -> Any] = [
            { try await client.readPanel(panelId: panel) },
            { try await client.createMembers(panelId: panel, members: [NewMember(["Email": "late@example.com"])]) },
            { try await client.raw(path: "/publicapi/Panel/v3/ReadPanel", body: "{}", effect: .read) },
            { try await pages.next() as Any },
            { try await members.first { _ in true } as Any },
            { try await patient.readPanel(panelId: panel) },
            { try blocking.readPanel(panelId: panel) },
            { try blocking.memberPages(panelId: panel).nextBlocking() as Any },
        ]
        for call in calls {
            let error = await failure(of: call)
            guard case .invalidArgument(let details)? = error else { return XCTFail("\(String(describing: error))") }
            XCTAssertTrue(details.message.contains("closed"), details.message)
        }
        XCTAssertTrue(client.pendingWrites().isEmpty)
        let requests = try await box.requests("ReadPanel") + box.requests("CreateMembers") + box.requests("ReadMemberList")
        XCTAssertEqual(requests, 0)
    }

    func testTheBlockingClientThrowsTheSame() throws {
        let client = try box.client().blocking()
        XCTAssertThrowsError(try client.readPanel(panelId: 1)) { error in
            guard case SondageError.api(let details) = error else { return XCTFail("\(error)") }
            XCTAssertEqual(details.operation, "ReadPanel")
        }
        let members = [NewMember(["Age": .float(.nan)])]
        XCTAssertThrowsError(try client.createMembers(panelId: 1, members: members)) { error in
            XCTAssertEqual((error as? SondageError)?.message.contains(#"`members[0].fields["Age"].value`"#), true, "\(error)")
        }
        client.close()
        XCTAssertThrowsError(try client.readPanel(panelId: 1)) { error in
            guard case SondageError.invalidArgument = error else { return XCTFail("\(error)") }
        }
    }

    func testNumbersAtTheirLimits() async throws {
        let client = try box.client()
        for size in [Int64.min, -1, 0] {
            let error = await failure { try client.memberPages(panelId: box.panelId, pageSize: size) }
            guard case .invalidArgument? = error else { return XCTFail("\(String(describing: error))") }
        }
        for panel in [Int64.min, .max] {
            let error = await failure { try await client.readPanel(panelId: panel) }
            guard case .api? = error else { return XCTFail("\(String(describing: error))") }
        }
        for timeout in [-1, .nan, .infinity] as [TimeInterval] {
            let left = try await box.client().close(within: timeout)
            XCTAssertTrue(left.isEmpty)
        }
        for deadline in [Double.nan, .infinity, -.infinity, 0, 1e300] {
            let settings = ClientSettings(baseUrl: box.baseUrl, authUrl: box.authUrl, deadline: deadline)
            do {
                _ = try Client(accountUrl: box.accountUrl, settings: settings) { "a-token" }
            } catch SondageError.configuration(let details) {
                XCTAssertTrue(details.message.contains("`deadline`"), details.message)
            }
        }
    }

    /// Every public type can be passed between tasks. It is enough that this compiles.
    func testEverythingCanBeSent() {
        func sendable<Value: Sendable>(_: Value.Type) {}
        sendable(Client.self)
        sendable(BlockingClient.self)
        sendable(Rows<Member>.self)
        sendable(MemberPages.self)
        sendable(ClientSettings.self)
        sendable(Secret.self)
        sendable(FieldValue.self)
        sendable(Member.self)
        sendable(SondageError.self)
        sendable(ProviderError.self)
        sendable((any TokenProvider).self)
        sendable((any TokenStore).self)
    }

    func testSettingsThatAreWrong() async throws {
        let wrong: [(String, ClientSettings?)] = [
            ("not an account", nil), ("https://api.survalyzer-eu.app", nil),
            (box.accountUrl, ClientSettings(baseUrl: "http://example.com")), (box.accountUrl, ClientSettings(pageSize: -1)),
            (box.accountUrl, ClientSettings(deadline: -5)), (box.accountUrl, ClientSettings(retryAttempts: .max)),
        ]
        for (account, settings) in wrong {
            let error = await failure { try Client(accountUrl: account, settings: settings) { "a-token" } }
            guard case .configuration? = error else { return XCTFail("\(account): \(String(describing: error))") }
        }
    }
}
