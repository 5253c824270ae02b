import Foundation
import Sondage
import XCTest

final class PlansTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    private func mails(_ client: Client, _ division: String, journal: String) async throws -> SendPlan {
        try await client.planSendMail(
            panelId: box.panelId, sender: "us@example.com", subject: "News", body: "There is news.", language: "en",
            where: .field("Division").isEqualTo(division), journal: journal)
    }

    func testAJournalGoesOnAndNobodyGetsAMailTwice() async throws {
        let client = try box.client()
        let members = ["a", "b"].map { NewMember(["Email": .text("\($0)@swift-mails.example"), "Division": .text("swift-mails")]) }
        let people = try await client.createMembers(panelId: box.panelId, members: members).membersIds
        let journal = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).journal").path
        defer { try? FileManager.default.removeItem(atPath: journal) }
        let plan = try await mails(client, "swift-mails", journal: journal)
        XCTAssertEqual(plan.facts().calls, plan.facts().cost.calls)
        XCTAssertEqual(plan.report().notSent, 2)
        try await box.fault(#"{"on": "ExecuteSendMail", "action": {"kind": "cut", "at": "afterEffect"}}"#)
        let first = try await plan.run(confirm: plan.facts().token)
        XCTAssertEqual(first.rows.map(\.status), [.unknown, .notSent])
        guard case .outcomeUnknown = first.stopped else { return XCTFail("\(String(describing: first.stopped))") }
        let again = try await mails(client, "swift-mails", journal: journal)
        XCTAssertEqual(again.facts().members, [people[1]].compactMap { $0 })
        let second = try again.runBlocking(confirm: again.facts().token)
        XCTAssertEqual([second.done, second.unknown], [1, 1])
        XCTAssertTrue(second.resumed)
    }

    func testVouchersAreBoughtOnce() async throws {
        let client = try box.client()
        let offers = try await client.readIncentiveList().panelIncentives
        let plan = try await client.planRedeem(incentiveId: XCTUnwrap(offers.first).id, count: 2)
        let report = try await plan.run(confirm: plan.facts().token)
        XCTAssertEqual(report.rows.map(\.target), [1, 2])
        XCTAssertEqual(Set(report.rows.compactMap { $0.voucherCode?.reveal() }).count, 2)
    }

    func testATransitionIsPlannedFromAStateThatCanBeRead() async throws {
        let client = try box.client()
        let plan = try await client.planTransition(workflow: .surveyDesign, targetState: "Revision", surveyId: box.surveyId)
        XCTAssertTrue(plan.facts().text.contains("from Published to Revision by Revise"), plan.facts().text)
    }
}
