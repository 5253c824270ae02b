import SondageTesting
import XCTest

@testable import Sondage

/// The product `SondageTesting`: a platform inside the process of the tests.
final class TestingTests: XCTestCase {
    func testItInjectsFaultsAndCountsWhatArrived() async throws {
        let box = try SondageTesting.Sandbox.demo(members: 3)
        let (client, panel) = (try box.client(), try box.panelId)
        let member = NewMember(["Email": "ada@example.com"])
        try box.fault(#"{"on": "CreateMembers", "action": {"kind": "status", "status": 400}}"#)
        let error = await failure { try await client.createMembers(panelId: panel, members: [member]) }
        XCTAssertEqual(error?.status, 400)
        XCTAssertEqual([try box.requests("CreateMembers"), try box.effects("CreateMembers")], [1, 0])
        try box.clear()
        XCTAssertEqual(try box.requests(), 0)
        _ = try await client.createMembers(panelId: panel, members: [member])
        XCTAssertEqual(try box.effects("CreateMembers"), 1)
        box.stop()
        XCTAssertThrowsError(try box.panelId) { XCTAssertTrue("\($0)".contains("stopped"), "\($0)") }
    }

    func testASurveyOfOnesOwn() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (data, plan) = (folder.appendingPathComponent("answers.csv"), folder.appendingPathComponent("plan.json"))
        try "weight\n0.5\n\"\"\n".write(to: data, atomically: true, encoding: .utf8)
        try #"[{"code": "weight", "dataType": "Real", "type": "OpenQuestion"}]"#.write(to: plan, atomically: true, encoding: .utf8)
        let box = try SondageTesting.Sandbox.demo(data: data, codePlan: plan)
        defer { box.stop() }
        let survey = try XCTUnwrap(box.dataSurveyId)
        var weights: [String] = []
        for try await row in try box.client().interviewsCompact(surveyId: survey, fieldsToDownload: ["weight"]) {
            if let weight = row["weight"], weight != .null { weights.append("\(weight)") }
        }
        XCTAssertEqual(weights.count, 1)
        XCTAssertTrue(weights[0].contains("0.5"), weights[0])
        XCTAssertTrue(try box.consoleUrl.hasPrefix("\(try box.baseUrl)/console/"))
        try "weight\nmuch\n".write(to: data, atomically: true, encoding: .utf8)
        XCTAssertThrowsError(try SondageTesting.Sandbox.demo(data: data, codePlan: plan)) {
            XCTAssertTrue("\($0)".contains("line 2, column 1"), "\($0)")
        }
        let plain = try SondageTesting.Sandbox.demo()
        defer { plain.stop() }
        XCTAssertNil(try plain.dataSurveyId)
    }

    func testAClockStandsStill() async throws {
        let box = try SondageTesting.Sandbox.demo(content: .waves)
        defer { box.stop() }
        try box.freeze(at: Date(timeIntervalSince1970: 1_772_452_800))
        let id = try XCTUnwrap(box.fill(box.surveyId, people: 1).first)
        try box.resetClock()
        let later = try XCTUnwrap(box.fill(box.surveyId, people: 1).first)
        let fields = ["Id", "UpdatedAt"]
        var times: [String: String] = [:]
        for try await row in try box.client().interviewsCompact(surveyId: box.surveyId, fieldsToDownload: fields) {
            if let id = row["Id"]?.text, let time = row["UpdatedAt"]?.text { times[id] = time }
        }
        XCTAssertEqual(times[id], "2026-03-02T12:00:00.000Z")
        XCTAssertFalse(try XCTUnwrap(times[later]).hasPrefix("2026-03-02T12:00"), "it runs again")
    }

    func testAnEventReachesAReceiver() async throws {
        let receiver = Recorder()
        receiver.answer("", status: 503)
        let box = try SondageTesting.Sandbox.demo()
        defer { box.stop() }
        let client = try box.client()
        let hook = try Hook.basic(user: "survalyzer", password: "a password of a test")
        _ = try await client.ensureWebHook(hook: hook, address: receiver.url + "/hooks", eventType: .hardBounce)
        XCTAssertFalse(try box.emit(.bounce(memberId: 1)))
        let member = try await client.members(panelId: box.panelId).first()
        XCTAssertTrue(try box.emit(.bounce(memberId: XCTUnwrap(member).id)))
        let refused = try await box.awaitDeliveries()
        XCTAssertEqual(refused.map(\.outcome), [.refused])
        receiver.answer("", status: 204)
        let all = try await box.awaitDeliveries(retries: true)
        XCTAssertEqual(all.map(\.status), [503, 204])
        XCTAssertEqual(all.map(\.eventType), ["HardBounce", "HardBounce"])
    }

    func testPeopleAnswerAQuestionnaireOfOnesOwn() async throws {
        let cases = URL(fileURLWithPath: try XCTUnwrap(ProcessInfo.processInfo.environment["CONFORMANCE_CASES"]))
        let shape = cases.deletingLastPathComponent().appendingPathComponent("shapes/survey-5.json")
        let box = try SondageTesting.Sandbox.demo(surveys: [shape])
        defer { box.stop() }
        let survey = try box.surveyId
        XCTAssertEqual(try box.surveyIds, ["survey-5": survey])
        XCTAssertEqual(Set(try box.fill(survey, people: 30, seed: 7)).count, 30)
        let answered = try box.answer(survey, [["mAzuDema": 1, "WInegOluXoma": 6, "State": "InProgress"]])
        var rows = 0, found = false
        for try await row in try box.client().interviewsCompact(surveyId: survey) {
            rows += 1
            if row["Id"] == FieldValue.text(answered[0]) { found = row["WInegOluXoma"] == FieldValue.int(6) }
        }
        XCTAssertEqual(rows, 31)
        XCTAssertTrue(found)
        XCTAssertThrowsError(try box.answer(survey, [[:], ["WInegOluXoma": 77]])) {
            XCTAssertTrue("\($0)".contains("rows[1].WInegOluXoma"), "\($0)")
        }
        XCTAssertThrowsError(try box.fill(1))
        let filled = try SondageTesting.Sandbox.demo(surveys: [shape], fill: 25)
        defer { filled.stop() }
        var people = 0
        for try await _ in try filled.client().interviewsCompact(surveyId: filled.surveyId) { people += 1 }
        XCTAssertEqual(people, 25)
        XCTAssertThrowsError(try SondageTesting.Sandbox.demo(fill: 5)) { XCTAssertTrue("\($0)".contains("surveys"), "\($0)") }
    }

    func testASandboxThatStays() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sondage-state-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let kept = folder.appendingPathComponent("kept"), copy = folder.appendingPathComponent("copy")
        let first = try SondageTesting.Sandbox.demo(state: kept)
        let survey = try first.surveyId, address = try first.baseUrl
        try first.fill(survey, people: 3)
        try first.snapshot(to: copy)
        try first.fill(survey, people: 4)
        first.stop()
        let box = try SondageTesting.Sandbox.demo(state: kept)
        defer { box.stop() }
        XCTAssertEqual(try box.baseUrl, address)
        func count() async throws -> Int {
            var count = 0
            for try await _ in try box.client().interviewsCompact(surveyId: survey) { count += 1 }
            return count
        }
        var rows = [try await count()]
        try box.restore(from: copy)
        rows.append(try await count())
        try box.reset()
        rows.append(try await count())
        XCTAssertEqual(rows, [951, 947, 944])
        XCTAssertThrowsError(try box.restore(from: folder))
    }

    func testTwoWavesOfASurvey() async throws {
        let box = try SondageTesting.Sandbox.demo(content: .waves)
        defer { box.stop() }
        XCTAssertEqual(try box.surveyIds.keys.sorted(), ["Library visitors 2025", "Library visitors 2026"])
        XCTAssertEqual(try box.surveyIds["Library visitors 2026"], try box.surveyId)
        var count = 0
        for try await _ in try box.client().interviewsCompact(surveyId: box.surveyId, fieldsToDownload: ["weight"]) { count += 1 }
        XCTAssertEqual(count, 400)
    }

    func testWhatItDoesNotUnderstandChangesNothing() throws {
        let box = try SondageTesting.Sandbox.demo()
        XCTAssertThrowsError(try box.fault("{}")) { XCTAssertTrue("\($0)".contains("nothing was changed"), "\($0)") }
        XCTAssertThrowsError(try box.fact("colour")) { XCTAssertTrue("\($0)".contains("colour"), "\($0)") }
    }
}
