import Foundation
import Sondage
import XCTest

final class CancellationTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    func testACallOfACancelledTaskIsNeverSent() async throws {
        let client = try box.client()
        let panel = box.panelId
        _ = try await client.readPanel(panelId: panel)  // the token is available, so the next call is sent without delay
        for _ in 0..<50 {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await client.createMembers(panelId: panel, members: [NewMember(["Email": "never@example.com"])])
            }
            do {
                try await task.value
                XCTFail("nothing was thrown")
            } catch {
                XCTAssertTrue(error is CancellationError, "\(error)")
            }
        }
        let requests = try await box.requests("CreateMembers")
        XCTAssertEqual(requests, 0)
        XCTAssertTrue(client.pendingWrites().isEmpty)
    }

    func testCancellingAReadHangsUp() async throws {
        let server = SilentServer()
        let settings = ClientSettings(baseUrl: server.url, authUrl: server.url)
        let client = try Client(accountUrl: box.accountUrl, settings: settings) { "a-token" }
        let panel = box.panelId
        let reading = Task { try await client.readMemberList(panelId: panel) }
        try await eventually("the request arrives") { server.arrived }
        XCTAssertFalse(server.hungUp)
        let begin = Date()
        reading.cancel()
        do {
            _ = try await reading.value
            XCTFail("nothing was thrown")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        XCTAssertLessThan(Date().timeIntervalSince(begin), deadline)
        try await eventually("the caller hangs up") { server.hungUp }
    }

    func testCancellingAListHangsUp() async throws {
        let server = SilentServer()
        let settings = ClientSettings(baseUrl: server.url, authUrl: server.url)
        let client = try Client(accountUrl: box.accountUrl, settings: settings) { "a-token" }
        let members = client.members(panelId: box.panelId)
        let reading = Task { for try await _ in members {} }
        try await eventually("the request arrives") { server.arrived }
        reading.cancel()
        let result = await reading.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
        try await eventually("the caller hangs up") { server.hungUp }
    }

    func testOneCancelledCallLeavesTheOthersAlone() async throws {
        let client = try box.client()
        let panel = box.panelId
        _ = try await client.readPanel(panelId: panel)
        try await box.fault(#"{"on": "ReadPanel", "times": 20, "delayMs": 300}"#)
        let calls = (0..<20).map { _ in Task { try await client.readPanel(panelId: panel) } }
        for (number, call) in calls.enumerated() where number % 2 == 0 { call.cancel() }
        for (number, call) in calls.enumerated() {
            switch await call.result {
            case .success(let answer): XCTAssertTrue(number % 2 == 1 && answer.panel != nil, "\(number)")
            case .failure(let error): XCTAssertTrue(number % 2 == 0 && error is CancellationError, "\(error)")
            }
        }
    }

    func testAWriteThatIsCancelledInFlightFinishesOnce() async throws {
        let client = try box.client()
        let panel = box.panelId
        _ = try await client.readPanel(panelId: panel)
        try await box.fault(#"{"on": "CreateMembers", "delayMs": 1000}"#)
        let writing = Task {
            try await client.createMembers(panelId: panel, members: [NewMember(["Email": "once@example.com"])])
        }
        try await eventually("the write leaves") { try await self.box.requests("CreateMembers") == 1 }
        writing.cancel()
        let result = await writing.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError, "\($0)") }
        XCTAssertEqual(client.pendingWrites().map(\.operation), ["CreateMembers"])
        let left = try await client.close(within: 10)
        XCTAssertTrue(left.isEmpty && client.pendingWrites().isEmpty)
        let effects = try await box.effects("CreateMembers")
        let requests = try await box.requests("CreateMembers")
        XCTAssertEqual([effects, requests], [1, 1])
        let outcomes = try await client.writeOutcomes().writes
        XCTAssertEqual(outcomes.map(\.operation), ["CreateMembers"])
        XCTAssertTrue(outcomes[0].response?.contains("membersIds") ?? false, "\(outcomes)")
        XCTAssertNil(outcomes[0].error)
    }

    func testAWriteThatWasCancelledAndThenRefusedSaysSo() async throws {
        let client = try box.client()
        let panel = box.panelId
        _ = try await client.readPanel(panelId: panel)
        try await box.fault(#"{"on": "CreateMembers", "delayMs": 500, "action": {"kind": "status", "status": 403}}"#)
        let writing = Task {
            try await client.createMembers(panelId: panel, members: [NewMember(["Email": "no@example.com"])])
        }
        try await eventually("the write leaves") { try await self.box.requests("CreateMembers") == 1 }
        writing.cancel()
        _ = await writing.result
        // It waits for the outcome.
        let outcomes = try await client.writeOutcomes().writes
        XCTAssertEqual(outcomes.count, 1)
        XCTAssertNil(outcomes.first?.response)
        guard case .permissionDenied(let details)? = outcomes.first?.error else { return XCTFail("\(outcomes)") }
        XCTAssertEqual(details.delivery, .answered)
    }

    func testCancellingAfterTheAnswerChangesNothing() async throws {
        let client = try box.client()
        let panel = box.panelId
        let reading = Task { try await client.readPanel(panelId: panel) }
        _ = try await reading.value
        reading.cancel()
        let answer = try await reading.value
        XCTAssertNotNil(answer.panel)
    }

    func testAThousandCancellationsInARow() async throws {
        let client = try box.client()
        for turn in 0..<1000 {
            let reading = Task { try await client.readWorkspaceList() }
            if turn % 3 == 0 { try await Task.sleep(nanoseconds: UInt64(turn) * 1000) }
            reading.cancel()
            _ = await reading.result
        }
        let workspaces = try await client.readWorkspaceList().workspaces
        XCTAssertFalse(workspaces.isEmpty)
    }

    func testCancellationReachesTheTokenProvider() async throws {
        let (asked, cancelled) = (Counter(), Counter())
        let settings = box.settings(tokenTimeout: 0.5)
        let client = try Client(accountUrl: box.accountUrl, settings: settings) {
            asked.add()
            do {
                try await Task.sleep(nanoseconds: 60_000_000_000)
            } catch {
                cancelled.add()
            }
            return ""
        }
        let panel = box.panelId
        let call = Task { try await client.readPanel(panelId: panel) }
        try await eventually("the provider is asked") { asked.value == 1 }
        call.cancel()
        try await eventually("the provider is cancelled") { cancelled.value == 1 }
    }
}
