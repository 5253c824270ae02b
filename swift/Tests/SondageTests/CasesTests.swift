import Foundation
import Sondage
import XCTest

/// The conformance cases of `tests/cases`, run by both clients. They are data, shared by all languages.
final class CasesTests: XCTestCase {
    private struct Case {
        let operation: String
        let name: String
        let data: JSON
    }

    private static let recorder = Recorder()
    private let recorder = CasesTests.recorder

    private func client() throws -> Client {
        let settings = ClientSettings(baseUrl: recorder.url, authUrl: recorder.url)
        return try Client(accountUrl: "https://acme.survalyzer-eu.app", settings: settings) { "a-token" }
    }

    /// Every case. An operation without a file fails, and so does a file without an operation.
    private func cases() throws -> [Case] {
        let folder = URL(fileURLWithPath: try XCTUnwrap(ProcessInfo.processInfo.environment["CONFORMANCE_CASES"]))
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        // Received requests, not calls.
        XCTAssertEqual(Set(files).subtracting(["web_hook/vectors.json"]), Set(places.values))
        return try places.sorted { $0.value < $1.value }.flatMap { operation, place in
            let file = try JSON(parsing: String(contentsOf: folder.appendingPathComponent(place), encoding: .utf8))
            XCTAssertEqual(file["operation"].text, operation, place)
            XCTAssertGreaterThanOrEqual(file["cases"].list.count, 5, place)
            return file["cases"].list.map { Case(operation: operation, name: $0["name"].text ?? "", data: $0) }
        }
    }

    func testTheCasesLoseNoDigit() throws {
        for number in ["12345678901234567890123", "9223372036854775807", "-9223372036854775808", "0.1"] {
            XCTAssertEqual(try JSON(parsing: number).written, number)
        }
        XCTAssertNotEqual(JSON(text: "9007199254740993"), JSON(text: "9007199254740992"))
    }

    func testEveryCaseWithTheAsyncClient() async throws {
        let (client, cases) = (try client(), try cases())
        for each in cases {
            recorder.answer(each.data["answer"].written)
            do {
                check(each, .success(try await client.call(each.operation, each.data["call"])))
            } catch {
                check(each, .failure(error))
            }
        }
        print("swift: \(cases.count) cases, async")
    }

    func testEveryCaseWithTheBlockingClient() throws {
        let (client, cases) = (try client().blocking(), try cases())
        for each in cases {
            recorder.answer(each.data["answer"].written)
            check(each, Result { try client.call(each.operation, each.data["call"]) })
        }
        print("swift: \(cases.count) cases, blocking")
    }

    private func check(_ each: Case, _ outcome: Result<JSON?, Error>) {
        let (request, place) = (recorder.request, "\(each.operation): \(each.name)")
        if each.data["sent"] != .null {
            XCTAssertEqual(request.path, each.data["sent"]["path"].text, place)
            same(JSON(text: String(decoding: request.body, as: UTF8.self)), each.data["sent"]["body"], place)
        }
        if case .object(let fields) = each.data, fields["sent"] == JSON.null {
            XCTAssertEqual(request.path, "", "\(place): the call is refused on this machine")
        } else {
            XCTAssertEqual(request.headers["content-type"], "application/json", place)
            XCTAssertEqual(request.headers["authorization"], "Bearer a-token", place)
        }
        switch outcome {
        case .success(let found):
            if each.data["error"] != .null { XCTFail("\(place): it did not fail") }
            same(found?.bare ?? .null, each.data["result"].bare, place)
        case .failure(let error as SondageError):
            same(described(error).bare, each.data["error"].bare, place)
        case .failure(let error):
            XCTFail("\(place): \(error)")
        }
    }

    private func same(_ found: JSON, _ expected: JSON, _ place: String) {
        if found != expected { XCTFail("\(place): found \(found.written), expected \(expected.written)") }
    }

    /// An error as the cases describe one.
    private func described(_ error: SondageError) -> JSON {
        let kind = Mirror(reflecting: error).children.first?.label ?? ""
        return .object([
            "kind": .text(kind.prefix(1).uppercased() + kind.dropFirst()),
            "errorCode": error.errorCode.json,
            "errorMessage": error.errorMessage.json,
            "delivery": .text("\(error.delivery)"),
            "attempts": Int64(error.attempts).json,
            "status": error.status.map(Int64.init).json,
        ])
    }
}
