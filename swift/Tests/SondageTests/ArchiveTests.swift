import Foundation
import Sondage
import XCTest

/// The documents of a survey in a folder: a job with progress, and cancelled.
final class ArchiveTests: XCTestCase {
    private let box = Sandbox.shared
    private var survey: Int64 { box.feedbackSurveyId }
    private var folder = ""

    override func setUp() async throws {
        try await box.forget()
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    }

    override func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

    /// Each line of the manifest has its document, and there are no other files.
    private func check(_ count: Int64) throws {
        let lines = try String(contentsOfFile: folder + "/manifest.jsonl", encoding: .utf8).split(separator: "\n").dropFirst()
        XCTAssertEqual(Int64(lines.count), count)
        for line in lines {
            let entry = try JSONSerialization.jsonObject(with: Data(line.utf8)) as! [String: Any]
            let document = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + (entry["file"] as! String)))
            XCTAssertEqual(document.prefix(4), Data("%PDF".utf8))
        }
        XCTAssertEqual(Int64(try FileManager.default.contentsOfDirectory(atPath: folder).count), count + 1)
    }

    func testEveryDocumentOnceWithProgress() async throws {
        let client = try box.client()
        let seen = Seen<ArchiveProgress>()
        let report = try await client.archiveAnswers(surveyId: survey, folder: folder, locale: "de") { seen.add($0) }
        XCTAssertGreaterThan(report.progress.stored, 10)
        XCTAssertTrue(report.progress.stored == report.progress.interviews && report.failed.isEmpty)
        XCTAssertEqual(seen.all.last, report.progress)
        XCTAssertEqual(report.manifest, folder + "/manifest.jsonl")
        try check(report.progress.stored)
        let again = try client.blocking().archiveAnswers(surveyId: survey, folder: folder)
        XCTAssertEqual([again.progress.kept, again.progress.stored], [report.progress.stored, 0])
        let calls = try await box.requests("DownloadAnswers")
        XCTAssertEqual(Int64(calls), report.progress.stored)
    }

    @MainActor
    private final class Bar {
        var shown: [Int64] = []

        func set(_ stored: Int64, of count: Int64) { shown = [stored, count] }
    }

    func testProgressIsWhatABarShows() async throws {
        let (client, bar, documents) = (try box.client(), Bar(), URL(fileURLWithPath: folder))
        _ = try await client.archiveAnswers(surveyId: survey, folder: documents.path) { await bar.set($0.stored, of: $0.interviews) }
        let shown = await bar.shown
        XCTAssertTrue(shown.count == 2 && shown[0] > 10 && shown[0] == shown[1], "\(shown)")
    }

    func testAWatchSeesTheSame() async throws {
        let client = try box.client()
        let watch = ArchiveWatch()
        XCTAssertNil(watch.now())
        let none = try await client.archiveAnswers(
            surveyId: survey, folder: folder, where: .column("Id").isEqualTo("nobody"), watch: watch)
        XCTAssertEqual(none.progress.interviews, 0)
        let all = try await client.archiveAnswers(surveyId: survey, folder: folder, maxConcurrency: 1, watch: watch)
        XCTAssertEqual(watch.now(), all.progress)
        let wrong = await failure { try await client.archiveAnswers(surveyId: self.survey, folder: self.folder, maxConcurrency: -1) }
        guard case .invalidArgument? = wrong else { return XCTFail("\(String(describing: wrong))") }
    }

    func testADocumentThatCouldNotBeHadHasItsError() async throws {
        let client = try box.client()
        try await box.answer("DownloadAnswers", #"{"isSuccess": false, "errorCode": "NotFound", "errorMessage": "gone"}"#)
        let report = try await client.archiveAnswers(surveyId: survey, folder: folder, maxConcurrency: 1)
        XCTAssertEqual(report.progress.failed, 1)
        guard case .api(let details)? = report.failed.first?.error else { return XCTFail("\(report.failed)") }
        XCTAssertEqual(details.operation, "DownloadAnswers")
    }

    func testWhatProgressThrowsEndsTheWork() async throws {
        struct Enough: Error {}
        let client = try box.client()
        try await box.fault(#"{"on": "DownloadAnswers", "times": 1000, "delayMs": 150}"#)
        do {
            _ = try await client.archiveAnswers(surveyId: survey, folder: folder, maxConcurrency: 1) { _ in throw Enough() }
            XCTFail("nothing was thrown")
        } catch is Enough {}
        let blocking = client.blocking()
        XCTAssertThrowsError(
            try blocking.archiveAnswers(surveyId: survey, folder: folder, maxConcurrency: 1) { _ in throw Enough() }
        ) { XCTAssertTrue($0 is Enough, "\($0)") }
        let made = try await box.requests("DownloadAnswers")
        try await Task.sleep(nanoseconds: 500_000_000)
        let later = try await box.requests("DownloadAnswers")
        XCTAssertLessThanOrEqual(later, made + 1)
    }

    func testACancelledTaskStopsTheWorkAndAnotherRunGoesOn() async throws {
        let client = try box.client()
        let (survey, folder) = (survey, folder)
        try await box.fault(#"{"on": "DownloadAnswers", "times": 1000, "delayMs": 100}"#)
        let running = Task { try await client.archiveAnswers(surveyId: survey, folder: folder, maxConcurrency: 1) { _ in } }
        try await eventually("some are stored") { try await box.requests("DownloadAnswers") > 2 }
        running.cancel()
        guard case .failure(let error) = await running.result else { return XCTFail("it went on") }
        XCTAssertTrue(error is CancellationError, "\(error)")
        let made = try await box.requests("DownloadAnswers")
        try await Task.sleep(nanoseconds: 400_000_000)
        let later = try await box.requests("DownloadAnswers")
        XCTAssertLessThanOrEqual(later, made + 1)
        try await box.forget()
        let report = try client.blocking().archiveAnswers(surveyId: survey, folder: folder) { _ in }
        XCTAssertGreaterThan(report.progress.kept, 0)
        XCTAssertEqual(report.progress.kept + report.progress.stored, report.progress.interviews)
        try check(report.progress.interviews)
    }
}

/// The reported progress, from any task.
final class Seen<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var values: [Value] = []

    var all: [Value] { lock.withLock { values } }

    func add(_ value: Value) { lock.withLock { values.append(value) } }
}
