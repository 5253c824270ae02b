import Foundation
import Sondage
import XCTest

final class ImportsTests: XCTestCase {
    private let box = Sandbox.shared
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    override func setUp() async throws {
        try await box.forget()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    override func tearDown() async throws { try FileManager.default.removeItem(at: folder) }

    private func people(_ who: String, _ count: Int) -> [[String: FieldValue]] {
        (0..<count).map { ["Email": .text("\(who)\($0)@swift.example"), "CellPhoneNumber": .text("4179123456\($0)")] }
    }

    private func found(_ who: String) async throws -> [String] {
        var emails: [String] = []
        for try await member in try box.client().members(panelId: box.panelId, fieldsToDownload: ["Email"]) {
            if let email = member["Email"]?.text, email.hasPrefix(who), email.hasSuffix("@swift.example") { emails.append(email) }
        }
        return emails
    }

    func testADryRunSaysWhatWouldHappenAndWhatItCosts() async throws {
        let client = try box.client()
        let dry = try await client.importMembers(
            panelId: box.panelId, rows: people("dry", 9), key: "Email", chunkSize: 4, dryRun: true)
        XCTAssertEqual([dry.toCreate, dry.toUpdate], [9, 0])
        XCTAssertGreaterThan(try XCTUnwrap(dry.cost).calls, 4)
        XCTAssertTrue(dry.text.contains("nothing was sent"), dry.text)
        let there = try await found("dry")
        XCTAssertEqual(there, [])
        let report = try await client.importMembers(panelId: box.panelId, rows: people("dry", 9), key: "Email", chunkSize: 4)
        XCTAssertTrue(report.complete, report.text)
    }

    func testAfterAnAnswerThatWasLostEverybodyIsThereOnce() async throws {
        try await box.fault(#"{"on": "CreateMembers", "skip": 1, "action": {"kind": "cut", "at": "afterEffect"}}"#)
        let client = try box.client()
        let journal = folder.appendingPathComponent("import.journal").path
        let report = try await client.importMembers(
            panelId: box.panelId, rows: people("once", 9), key: "Email", journal: journal, chunkSize: 4, quiet: 0)
        XCTAssertTrue(report.complete, report.text)
        XCTAssertEqual(report.rows.map(\.status), Array(repeating: .created, count: 9))
        XCTAssertEqual(report.rows.filter(\.readBack).map(\.row), [4, 5, 6, 7])
        let there = try await found("once")
        XCTAssertEqual(there.count, 9)
        let again = try await client.importMembers(panelId: box.panelId, rows: people("once", 9), key: "Email", journal: journal)
        XCTAssertTrue(again.resumed)
        XCTAssertEqual(again.rows.map(\.id), report.rows.map(\.id))
    }

    func testTheFirstOrTheLastRowOfAKeyCounts() async throws {
        let client = try box.client()
        let rows: [[String: FieldValue]] = [
            ["Email": .text("twice@swift.example"), "FirstName": .text("One")],
            ["Email": .text(" twice@swift.example"), "FirstName": .text(" Two ")],
        ]
        let report = try await client.importMembers(
            panelId: box.panelId, rows: rows, key: "Email", duplicates: .last, strip: true,
            journal: folder.appendingPathComponent("twice").path)
        XCTAssertEqual(report.rows.map(\.status), [.duplicate, .created])
        XCTAssertEqual(report.rows[0].reason, "row 1 has the same key, and the last of them counts")
        let there = try await found("twice")
        XCTAssertEqual(there, ["twice@swift.example"])
        let alike: [[String: FieldValue]] = ["x@swift.example", "x\u{200b}@swift.example", "y@swift.example"].map { ["Email": .text($0)] }
        let refused = try await client.importMembers(
            panelId: box.panelId, rows: alike, key: "Email", duplicates: .first, journal: folder.appendingPathComponent("alike").path,
            dryRun: true)
        XCTAssertEqual(refused.rows.map(\.status), [.refused, .refused, .notSent])
        let none = try await client.importMembers(
            panelId: box.panelId, rows: [], key: "Email", journal: folder.appendingPathComponent("none").path)
        XCTAssertTrue(none.complete && none.rows.isEmpty && none.text.contains("nothing to do"), none.text)
    }

    func testWhatStoppedItIsSaidAndTheSameCallGoesOn() async throws {
        try await box.fault(#"{"on": "CreateMembers", "skip": 1, "action": {"kind": "status", "status": 403}}"#)
        let client = try box.client()
        let journal = folder.appendingPathComponent("stopped.journal").path
        let report = try await client.importMembers(
            panelId: box.panelId, rows: people("stopped", 6), key: "Email", journal: journal, chunkSize: 4)
        XCTAssertEqual(report.stopped?.status, 403)
        XCTAssertEqual(report.rows.dropFirst(4).map(\.status), [.refused, .refused])
        let again = try await client.importMembers(panelId: box.panelId, rows: people("stopped", 6), key: "Email", journal: journal)
        XCTAssertTrue(again.complete, again.text)
        let there = try await found("stopped")
        XCTAssertEqual(Set(there).count, 6)
        do {
            _ = try await client.importMembers(panelId: box.panelId, rows: [["Emial": .text("x")]], key: "Email", journal: journal + "x")
            XCTFail("it was sent")
        } catch SondageError.invalidArgument(let details) {
            XCTAssertTrue(details.message.contains("no field"), details.message)
        }
        for size: Int32 in [0, -1] {
            do {
                _ = try await client.importMembers(
                    panelId: box.panelId, rows: people("none", 1), key: "Email", journal: journal + "n", chunkSize: size)
                XCTFail("it was sent")
            } catch SondageError.invalidArgument(let details) {
                XCTAssertTrue(details.message.contains("chunkSize"), details.message)
            }
        }
        let update = try await client.importMembers(
            panelId: box.panelId, rows: people("stopped", 1), key: "Email", existing: .update, journal: journal + "u")
        XCTAssertEqual(update.rows.map(\.status), [.unchanged])
    }
}
