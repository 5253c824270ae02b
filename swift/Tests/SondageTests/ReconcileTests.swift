import Foundation
import Sondage
import XCTest

final class ReconcileTests: XCTestCase {
    private let box = Sandbox.shared

    override func setUp() async throws { try await box.forget() }

    private func lost(_ client: Client, _ name: String, _ action: String) async throws -> String {
        try await box.fault(#"{"on": "CreateMembers", "action": \#(action)}"#)
        do {
            let person = NewMember(["Email": .text("\(name)@swift-reconcile.example")])
            _ = try await client.createMembers(panelId: box.panelId, members: [person])
        } catch let error as SondageError {
            guard case .outcomeUnknown = error else { throw error }
            XCTAssertTrue(error.reconcile?.contains("`writeId`") == true && !"\(error)".contains("\(name)@"), "\(error)")
            return try XCTUnwrap(error.writeId)
        }
        XCTFail("it was answered")
        return ""
    }

    func testWhatHappenedIsFoundAndWhatDidNotCanBeCalledAgain() async throws {
        let client = try box.client()
        let done = try await lost(client, "ada", #"{"kind": "cut", "at": "afterEffect"}"#)
        let became = try await client.reconcile(writeId: done, createdBy: "\(box.tenant)_api")
        XCTAssertEqual(became.verdict, .happened)
        XCTAssertEqual(became.ids.count, 1)
        XCTAssertTrue(became.attributed && became.missing.isEmpty)
        let refused = try await lost(client, "bea", #"{"kind": "status", "status": 503}"#)
        let early = try await client.reconcile(writeId: refused, wait: 0)
        XCTAssertEqual(early.verdict, .stillUnknown)
        XCTAssertGreaterThan(try XCTUnwrap(early.againIn), 170)
        let late = try await client.reconcile(writeId: refused, quiet: 0)
        XCTAssertEqual(late.verdict, .didNotHappen)
    }

    func testWhatNobodyCanBeAskedIsSaid() async throws {
        let client = try box.client()
        do {
            _ = try await client.reconcile(writeId: "elsewhere")
            XCTFail("there is no such write")
        } catch SondageError.invalidArgument(let details) {
            XCTAssertTrue(details.message.contains("knows no write with the id elsewhere"), details.message)
        }
    }
}
