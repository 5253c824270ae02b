import Foundation
import Sondage
import XCTest

final class FiltersTests: XCTestCase {
    private let box = Sandbox.shared

    private func divisions(_ filter: ConditionFilter) async throws -> [(String?, String?)] {
        var found: [(String?, String?)] = []
        for try await member in try box.client().members(panelId: box.panelId, where: filter) {
            found.append((member["Division"]?.text, member["Language"]?.text))
        }
        return found
    }

    func testComparisonsAreJoinedAndThePlatformUnderstandsThem() async throws {
        let research = Variable.field("Division").isEqualTo("Research")
        let found = try await divisions(research && !Variable.field("Language").isEqualTo("de"))
        XCTAssertFalse(found.isEmpty)
        XCTAssertTrue(found.allSatisfy { $0.0 == "Research" && $0.1 != "de" })
        let all = try await divisions(research || Variable.field("Division").isNotEqualTo("Research"))
        XCTAssertGreaterThan(all.count, found.count)
    }

    func testAFilterStandsForConditions() async throws {
        let client = try box.client()
        let research = Variable.field("Division").isEqualTo("Research")
        let conditions = try await client.readMemberList(panelId: box.panelId, conditions: research.conditions()).members.map(\.id)
        XCTAssertFalse(conditions.isEmpty)
        let filtered = try await client.readMemberList(panelId: box.panelId, where: research).members.map(\.id)
        XCTAssertEqual(filtered, conditions)
        let both = await failure {
            try await client.readMemberList(panelId: self.box.panelId, conditions: research.conditions(), where: research)
        }
        XCTAssertTrue(both?.message.contains("`where`") == true && both?.operation == "ReadMemberList", "\(String(describing: both))")
    }

    func testEachComparisonBecomesWhatTheApiCallsIt() throws {
        let time = Date(timeIntervalSince1970: 1_714_564_800.125)
        let since = try Variable.column("UpdatedAt").isSince(time).conditions()
        XCTAssertEqual(since.map(\.conditionOperator), [.isGreaterThanOrEqualTo])
        XCTAssertEqual(since[0].value, "2024-05-01 12:00:00.125")
        XCTAssertEqual(since[0].conditionType, .sql)
        let prefixed = try Variable.field("Age").prefixed().ofType(variableType: .number).isGreaterThan(36).conditions()
        XCTAssertEqual(prefixed[0].identifier, "member.Age")
        XCTAssertEqual(try Variable.question("Q1").isIn([1, 2]).conditions()[0].value, "1,2")
        XCTAssertEqual(try Variable.question("Q1").isNotIn([1, 2]).conditions().count, 2)
        XCTAssertEqual(try Variable.custom("Source").isNotEmpty().conditions()[0].conditionOperator, .isNotEmpty)
    }

    func testAFilterIsPrintedAsAPersonWouldWriteIt() {
        let filter: ConditionFilter =
            (.field("Division").isEqualTo("Sales") || .field("Language").isIn(["de", "at"])) && !.column("State").isEqualTo("Completed")
        XCTAssertEqual(
            "\(filter)", #"(Division = "Sales" or Language in ["de", "at"]) and not (column(State) = "Completed")"#)
    }

    func testWhatCannotBeComparedIsAnErrorThatSaysSo() {
        let wrong = [
            allOf(filters: []), Variable.field("A").isEqualTo(Double.nan), Variable.field("A").isIn(["a,b"]), Variable.field("A").isEqualTo(""),
            Variable.column("UpdatedAt").isAfter(Date.distantFuture.addingTimeInterval(1e12)),
        ]
        for filter in wrong {
            XCTAssertThrowsError(try filter.conditions()) { error in
                guard case SondageError.invalidArgument = error else { return XCTFail("\(error)") }
            }
        }
    }

    func testAdviceNamesWhatSwiftHas() {
        XCTAssertThrowsError(try Variable.field("A").isIn(["a,b"]).conditions()) { error in
            XCTAssertTrue("\(error)".contains("`isEqualTo`"), "\(error)")
        }
    }
}
