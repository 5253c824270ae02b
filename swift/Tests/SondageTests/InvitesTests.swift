import Foundation
import Sondage
import XCTest

final class InvitesTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    /// Three members, of whom one has no address.
    private func people(_ client: Client, _ division: String) async throws {
        let members = ["a", "b"].map { NewMember(["Email": .text("\($0)@\(division).example"), "Division": .text(division)]) }
        let nobody = NewMember(["FirstName": "Nobody", "Division": .text(division)])
        _ = try await client.createMembers(panelId: box.panelId, members: members + [nobody])
    }

    private func plan(_ client: Client, _ division: String, cap: Int64? = nil, maxAge: TimeInterval? = nil) async throws -> SendPlan {
        try await client.planInvite(
            surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId,
            where: .field("Division").isEqualTo(division), cap: cap, maxAge: maxAge)
    }

    private func refusal(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
        } catch SondageError.invalidArgument(let details) {
            return details.message
        } catch {
            return "\(error)"
        }
        return "it was sent"
    }

    func testTheNumberOfThePlanIsTheNumberOfMessages() async throws {
        let client = try box.client()
        try await people(client, "swift-plan")
        let plan = try await plan(client, "swift-plan")
        let facts = plan.facts()
        XCTAssertTrue(facts.text.contains("reaches 2 of 3: 1 has no address"), facts.text)
        XCTAssertEqual(facts.leftOut.map(\.reason), [.noAddress])
        let unconfirmed = await refusal { _ = try await plan.run(confirm: "yes") }
        XCTAssertTrue(unconfirmed.contains("does not confirm this plan"), unconfirmed)
        let report = try await plan.run(confirm: facts.token)
        XCTAssertNil(report.stopped)
        XCTAssertEqual(report.members, facts.members)
        let again = try await self.plan(client, "swift-plan")
        XCTAssertTrue(again.facts().text.contains("2 were invited before"), again.facts().text)
        let nothing = try await again.run(confirm: again.facts().token)
        XCTAssertNil(nothing.stopped)
        XCTAssertTrue(nothing.members.isEmpty)
    }

    func testAnAnswerThatIsLostIsInTheReportAndAnOldPlanIsRefused() async throws {
        let client = try box.client()
        try await people(client, "swift-lost")
        let empty = await refusal { _ = try await self.plan(client, "swift-lost", cap: 0) }
        XCTAssertTrue(empty.contains("`cap` is 0"), empty)
        let old = try await plan(client, "swift-lost", maxAge: 0)
        let late = await refusal { _ = try await old.run(confirm: old.facts().token) }
        XCTAssertTrue(late.contains("may be at most 0"), late)
        try await box.fault(#"{"on": "InviteMembers", "action": {"kind": "cut", "at": "afterEffect"}}"#)
        let plan = try await plan(client, "swift-lost")
        let report = try await plan.run(confirm: plan.facts().token)
        guard case .outcomeUnknown = report.stopped else { return XCTFail("\(String(describing: report.stopped))") }
        XCTAssertNil(report.distributorId)
    }

    func testAFieldReportCountsEverybodyWhoWasInvited() async throws {
        let report = try await box.client().fieldReport(surveyId: box.feedbackSurveyId, partial: true)
        let all = report.complete + report.partial + report.refusal + report.other + report.unknown + report.notEligible
        XCTAssertEqual(report.cases, all)
        let rate = try XCTUnwrap(report.rr1)
        XCTAssertEqual(rate, Double(report.complete) / Double(report.cases - report.notEligible), accuracy: 1e-12)
    }

    func testADistributionIsAFunnelInWhichNothingIsInvented() async throws {
        let client = try box.client()
        // The demo's feedback was invited by a distributor of this id, which is not listed any more.
        let id = box.feedbackSurveyId * 10 + 2
        let found = try await client.distribution(distributorId: id, surveyId: box.feedbackSurveyId)
        XCTAssertEqual(found.invited, 60)
        XCTAssertNil(found.opened)
        XCTAssertEqual(found.started, found.completed + found.inProgress + found.screenedOut + found.quotaFull)
        let groups = try await client.fieldReport(surveyId: box.feedbackSurveyId, by: "Language").groups
        XCTAssertEqual(groups.reduce(0) { $0 + $1.cases }, 60)
    }

    func testNewMembersAreCreatedAndInvitedByOneCall() async throws {
        // Other tests reconcile objects in the shared sandbox.
        let box = Sandbox()
        let client = try box.client()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let journal = folder.appendingPathComponent("new.journal").path
        let people: [[String: FieldValue]] = [
            ["Email": "new@swift-newcomers.example", "Language": "de"],
            ["Email": "", "Language": "de"],
            ["Email": "second@swift-newcomers.example", "CellPhoneNumber": "0791234567"],
        ]
        func planned(_ rows: [[String: FieldValue]]) async throws -> SendPlan {
            try await client.planCreateAndInvite(
                surveyId: box.surveyId, panelId: box.panelId, messageTemplateId: box.messageTemplateId, key: "Email",
                rows: rows, journal: journal, quiet: 0)
        }
        let plan = try await planned(people)
        let facts = plan.facts()
        XCTAssertEqual(facts.rows, [0])
        XCTAssertEqual(facts.rowsLeftOut.map(\.row), [1, 2])
        XCTAssertEqual(facts.rowsLeftOut.map(\.reason), [.invalid, .invalid])
        XCTAssertEqual(facts.rowsLeftOut[0].why, "it has no key")
        let report = try await plan.run(confirm: facts.token)
        XCTAssertEqual(report.rows[0].status, .done)
        XCTAssertEqual(report.members, [report.rows[0].memberId])
        let other = await refusal { _ = try await planned([people[0]]) }
        XCTAssertTrue(other.contains("its rows, its message"), other)
    }
}
